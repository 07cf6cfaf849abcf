internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import SystemPackage

/// The objects that a peer holds, and the errors for their faults.
final class PeerObjects {
  let repository: Repository
  /// The peer's folder; nil for a remote peer.
  let folder: FilePath?
  /// The peer, printable.
  let name: String

  init(_ repository: consuming Repository, in folder: FilePath?, called name: String) {
    self.repository = repository
    self.folder = folder
    self.name = name
  }

  /// Returns whether an object existed when the packs were last listed; objects in an unreadable pack don't
  /// count.
  func has(_ id: ObjectID) throws -> Bool {
    do {
      return try repository.containedWhenLastListed(id)
    } catch let error where !error.isFromSystem {
      return false
    }
  }

  /// Returns whether a tree existed with everything below it.
  ///
  /// - Parameter found: the trees and files that are known to exist; those found below the tree are added.
  func hasAll(of tree: ObjectID, adding found: inout Set<ObjectID>, depth: Int = 0) throws -> Bool {
    if found.contains(tree) { return true }
    guard try depth < DocumentLimits().depth && has(tree) else { return false }
    var isWhole = true
    do {
      for entry in try repository.tree(tree).entries {
        if entry.mode == .folder {
          if try !hasAll(of: entry.id, adding: &found, depth: depth + 1) { isWhole = false }
        } else if try has(entry.id) {
          found.insert(entry.id)
        } else {
          isWhole = false
        }
      }
    } catch let error as GitError where !error.isFromSystem {
      return false
    }
    if isWhole { found.insert(tree) }
    return isWhole
  }

  /// Returns the size in bytes of a version's contents, according to its record; 0 if the record isn't here.
  func size(ofVersion id: ObjectID) throws -> Int {
    guard try repository.contains(id) else { return 0 }
    return try Record(id: id, decoding: repository.commit(id)).facts.bytes
  }

  /// The error for unreadable published objects of a document, whose store isn't at fault.
  func failure(_ error: GitError, of document: String) -> VersionError {
    let isFault = error.isFromSystem || error.isForeign || error.isChangedMeanwhile
    if error.isNotFound || !isFault && repository.hasCutPacks() {
      return VersionError(
        .notArrived, document: document,
        message: "Not all of “\(document)” has arrived in “\(name)” yet (\(error.message)).",
        recovery: .exchangeAgain, cause: error)
    }
    if isFault {
      return VersionError(error, document: name)
    }
    return VersionError(
      .damagedExchange, document: document,
      message: "What “\(name)” holds of “\(document)” can’t be taken in: \(error).",
      recovery: .exchangeAgain, hint: Self.patience, cause: error)
  }

  /// The hint for files that may still arrive.
  private static let patience =
    "If the folder is still being brought up to date, exchange again later."
}

/// The contents of a document that other devices have published.
struct ArrivedVersions: Sendable {
  /// The records of its heads.
  var heads: Set<ObjectID> = []
  /// The versions, by their records, whose contents are published.
  var contents: Set<ObjectID> = []
  /// The ids under which other devices publish it, as far as they know that they belong to one document.
  var identifiers: Set<String> = []

  /// Adds the arrived versions of the same document under another id.
  mutating func formUnion(_ other: ArrivedVersions) {
    heads.formUnion(other.heads)
    contents.formUnion(other.contents)
    identifiers.formUnion(other.identifiers)
  }

  var isEmpty: Bool { heads.isEmpty && contents.isEmpty }
}

extension PeerObjects {
  /// The arrived versions of a document that is new here.
  struct Arrived {
    /// The published heads that are here with their contents and all their ancestors.
    var heads: [Record] = []
    /// These heads and all their ancestors.
    var versions: [ObjectID: Record] = [:]

    /// The path of the document in its current version.
    var path: String? { heads.sorted(by: Record.isPreferred).first?.facts.path }
  }

  /// Returns the arrived versions of a document that are complete.
  ///
  /// - Throws: the reason if no head is complete.
  func arrived(_ heads: Set<ObjectID>, of document: DocumentIdentifier) throws -> Arrived {
    var arrived = Arrived()
    var failure: VersionError?
    for head in heads.sorted() {
      var name = "new document \(document.description.prefix(7))"
      do {
        let record = try Record(id: head, decoding: repository.commit(head))
        name = Printable.text(record.facts.path)
        arrived.versions.merge(try checkArrival(of: record)) { $1 }
        arrived.heads.append(record)
      } catch let error as GitError where !error.isFromSystem {
        failure = failure ?? self.failure(error, of: name)
      }
    }
    if arrived.heads.isEmpty, let failure { throw failure }
    return arrived
  }

  /// Returns a head and all its ancestors.
  private func checkArrival(of head: Record) throws -> [ObjectID: Record] {
    let versions = try reached(from: [head.id], \.parents) { id in
      try id == head.id ? head : Record(id: id, decoding: repository.commit(id))
    }
    if let content = head.content { try repository.checkWhole(content) }
    return versions
  }
}
