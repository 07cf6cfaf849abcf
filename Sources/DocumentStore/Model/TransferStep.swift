/// The amount of data to send or receive at once; completed steps are kept if a later one is interrupted.
package struct TransferStep: Sendable {
  package var documents = 5_000
  package var bytes = 32 << 20
}
