internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The parts of a folder that have arrived.
///
/// The tool that carries the folder between devices may bring its files in any order, bring some late, or remove some.
extension ExchangeFolder {
  /// The published heads of a document that are here with their contents and all that they were made from.
  ///
  /// - Throws: why there is none.
  func arrivedHeads(of document: String) throws -> [Record] {
    let unnamed = "new document \(document.prefix(7))"
    let published = try published(of: document, called: unnamed)
    var arrived: [Record] = []
    var failure: VersionError?
    for head in published.heads.sorted() {
      var name = unnamed
      do {
        let record = try Record(id: head, decoding: repository.commit(head))
        name = Printable.text(record.facts.path)
        try checkArrival(of: record, published)
        arrived.append(record)
      } catch let error as GitError where !error.isFromSystem {
        failure = failure ?? self.failure(error, of: name)
      }
    }
    if arrived.isEmpty, let failure { throw failure }
    return arrived
  }

  private func checkArrival(of head: Record, _ published: Published) throws {
    var seen: Set<ObjectID> = []
    var pending = head.parents
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      pending += try Record(id: next, decoding: repository.commit(next)).parents
    }
    guard let content = head.content else { return }
    guard let id = published.contents[head.id] else {
      throw GitError.missing("the content of \(head.shortName)")
    }
    _ = try repository.commit(id)
    try repository.checkWhole(content)
  }

  /// Whether an object was here when the packs were last listed; storing a newer one again does no harm.
  ///
  /// - Parameter document: the document that needs it.
  func contains(_ id: ObjectID, for document: String) throws -> Bool {
    do {
      return try repository.containedWhenLastListed(id)
    } catch {
      throw failure(error, of: document)
    }
  }

  /// The error for published objects of a document that cannot be read: the document's store is not to blame.
  func failure(_ error: GitError, of document: String) -> VersionError {
    if error.isNotFound {
      return VersionError(
        .notArrived, document: document,
        message:
          "Not all of “\(document)” has arrived in “\(path.printable)” yet (\(error.message)).",
        recovery: .exchangeAgain, cause: error)
    }
    if error.isFromSystem || error.isForeign || error.isChangedMeanwhile {
      return VersionError(error, document: path.printable)
    }
    return VersionError(
      .damagedExchange, document: document,
      message: "What “\(path.printable)” holds of “\(document)” can’t be taken in: \(error).",
      recovery: .exchangeAgain, hint: Self.patience, cause: error)
  }

  /// The error for a folder that cannot be read as a whole.
  static func failure(_ error: GitError, in path: FilePath) -> any Error {
    if error.isFromSystem || error.isForeign || error.isChangedMeanwhile {
      return error.reported(for: path.printable, at: path)
    }
    return VersionError(
      .damagedExchange, document: path.printable,
      message: "The folder “\(path.printable)” can’t be used for exchange: \(error).",
      recovery: .exchangeAgain, hint: patience, cause: error)
  }

  /// The hint for files that are only late.
  private static let patience =
    "If the folder is still being brought up to date, exchange again later."
}
