internal import DocumentGit

/// Rolling a version back if it can't be shown because the document can't be replaced, so that a reported
/// failure leaves no change.
extension StoreWriter {
  /// The references at one moment.
  struct ReferenceState {
    fileprivate let references: [String: ObjectID]
    fileprivate let head: RepositoryHead
    /// The ledger's last line at that moment.
    fileprivate let ledger: [HeadLedger.Entry]
  }

  /// Returns the present references.
  func referenceState() throws -> ReferenceState {
    ReferenceState(
      references: Dictionary(
        try heads.all().map { ($0.name, $0.target) }, uniquingKeysWith: { $1 }),
      head: try heads.repositoryHead(), ledger: try heads.ledgerEntries())
  }

  /// Runs a closure that must succeed, or else the version that was made for it is rolled back.
  ///
  /// - Parameter former: the references to restore; `nil` if the version stays.
  func rollingBack<Result>(
    to former: ReferenceState?, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      if let former { tidyUp { try rollBack(to: former) } }
      throw error
    }
  }

  /// Moves the references back; the store was locked all the time, so no other process has seen the later ones.
  private func rollBack(to former: ReferenceState) throws {
    let present = try heads.references()
    let moves = former.references.filter { present[$0.key] != $0.value }
      .map { Transaction.Move($0.key, to: $0.value, expecting: present[$0.key]) }
    let new = present.filter { former.references[$0.key] == nil }
    guard !moves.isEmpty || !new.isEmpty else { return }
    // This comes first, because a head in the ledger that no reference leads to counts as lost.
    try restartLedger(with: former.ledger)
    try reader.objects.repository.commit(Transaction(moves: moves))
    for (name, target) in new {
      try reader.objects.repository.references.delete(name, expecting: target)
    }
    forgetHeads()
    if try heads.repositoryHead() != former.head { try setHead(former.head) }
  }
}
