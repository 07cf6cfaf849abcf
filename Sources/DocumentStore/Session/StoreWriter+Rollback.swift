internal import DocumentGit

/// Taking a version back that was to be shown, where the document cannot be replaced: what is told as failed was not
/// done.
extension OpenStore {
  /// What the references are at.
  struct ReferenceState {
    fileprivate let references: [String: ObjectID]
    fileprivate let head: RepositoryHead
    /// What the ledger tells then.
    fileprivate let ledger: [HeadLedger.Entry]
  }

  /// What the references are at now.
  func referenceState() throws -> ReferenceState {
    ReferenceState(
      references: Dictionary(
        try allHeads().map { ($0.name, $0.target) }, uniquingKeysWith: { $1 }),
      head: try repositoryHead(), ledger: try ledgerEntries())
  }

  /// Does what has to succeed if a version that was made for it shall stay.
  ///
  /// - Parameter former: what the references were at before; nil where it stays.
  func orTakingBack<Result>(
    to former: ReferenceState?, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch {
      if let former { tidyUp { try takeBack(to: former) } }
      throw error
    }
  }

  /// Moves the references to where they were; nobody has seen what came after, because the store was locked since.
  private func takeBack(to former: ReferenceState) throws {
    let present = try headReferences()
    let moves = former.references.filter { present[$0.key] != $0.value }
      .map { Transaction.Move($0.key, to: $0.value, expecting: present[$0.key]) }
    let new = present.filter { former.references[$0.key] == nil }
    guard !moves.isEmpty || !new.isEmpty else { return }
    // First of all: whatever the ledger tells and no reference leads to is lost.
    try restartLedger(with: former.ledger)
    try repository.commit(Transaction(moves: moves))
    for (name, target) in new { try repository.deleteReference(name, expecting: target) }
    forgetHeads()
    if try repositoryHead() != former.head { try setHead(former.head) }
  }
}
