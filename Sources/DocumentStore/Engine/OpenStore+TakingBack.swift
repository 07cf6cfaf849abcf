internal import DocumentGit

/// Taking a version back that was to be shown, where the document cannot be replaced: what is told as failed was not
/// done.
extension OpenStore {
  /// What the references are at.
  struct ReferenceState {
    fileprivate let references: [String: ObjectID]
    fileprivate let head: RepositoryHead
  }

  /// What the references are at now.
  func referenceState() throws -> ReferenceState {
    ReferenceState(references: try headReferences(), head: try repositoryHead())
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
    guard !moves.isEmpty else { return }
    try repository.commit(Transaction(moves: moves))
    for (name, target) in present where former.references[name] == nil {
      try repository.deleteReference(name, expecting: target)
    }
    forgetHeads()
    if try repositoryHead() != former.head { try setHead(former.head) }
    try noteHeads()
  }
}
