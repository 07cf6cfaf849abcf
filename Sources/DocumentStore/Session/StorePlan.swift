/// The changes that an operation will make to a store, decided by reading it.
///
/// A run carries the plan out while it holds the lock under which it was made; a dry run only reports its preview.
package struct StorePlan<Outcome> {
  /// Returns the report of the operation without a change of the store.
  let preview: () throws -> Outcome
  /// Makes the change.
  let carryOut: (borrowing StoreWriter) throws -> Outcome

  /// Creates a plan with changes.
  package init(
    preview: @autoclosure @escaping () throws -> Outcome,
    carryOut: @escaping (borrowing StoreWriter) throws -> Outcome
  ) {
    self.preview = preview
    self.carryOut = carryOut
  }

  /// Creates a plan without changes, because the requested state already exists.
  package init(nothingBut outcome: @autoclosure @escaping () throws -> Outcome) {
    preview = outcome
    carryOut = { _ in try outcome() }
  }
}
