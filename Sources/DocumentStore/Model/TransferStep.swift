/// How much is sent or received at once: what has gone over stays where something later is cut.
package struct TransferStep: Sendable {
  package var documents = 5_000
  package var bytes = 32 << 20
}
