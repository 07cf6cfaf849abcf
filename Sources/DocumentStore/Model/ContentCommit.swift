package import DocumentGit

/// A commit of the content chain, which keeps a version's content on this device.
///
/// Its tree is the document, its last parent the record, the parents before it the contents that it follows.
/// The chain may be rewritten; the commit's message gives the reason.
package struct ContentCommit: Sendable {
  package let id: ObjectID
  package let tree: ObjectID
  /// The content commits before it.
  package let predecessors: [ObjectID]
  /// The record whose content this is.
  package let record: ObjectID
  package var marks: Marks

  /// The marks that the chain keeps in addition to the contents.
  package struct Marks: Hashable, Sendable {
    /// The versions directly before this one whose contents were removed from this device.
    package var removed: Set<ObjectID> = []
    /// True if every version before this one was removed.
    var isAllRemoved = false
    /// True if the system may drop this content when it needs space.
    package var isDiscardable = false
    /// True if the content is pinned, so that it is never thinned and can't be removed.
    package var isPinned = false

    var isEmpty: Bool { self == Self() }

    /// Returns the marks of a content that is on two chains.
    func union(_ other: Marks) -> Marks {
      Marks(
        removed: removed.union(other.removed),
        isAllRemoved: isAllRemoved || other.isAllRemoved,
        isDiscardable: isDiscardable && other.isDiscardable,
        isPinned: isPinned || other.isPinned)
    }
  }

  /// Reads a content commit.
  package init(id: ObjectID, decoding commit: Commit) throws(GitError) {
    guard let record = commit.parents.last else {
      throw .malformed("content \(id) has no record")
    }
    self.id = id
    self.tree = commit.tree
    self.predecessors = commit.parents.dropLast()
    self.record = record
    self.marks = Marks(decoding: commit.message)
  }

  /// Returns the record for a commit, which is either the record itself or its content.
  package static func record(of id: ObjectID, _ commit: Commit) throws(GitError) -> ObjectID {
    Record.isRecord(commit) ? id : try ContentCommit(id: id, decoding: commit).record
  }

  /// Creates the commit for a record's content, as an object to write.
  ///
  /// Without predecessors and marks it has the same bytes on every device.
  package static func make(
    for record: Record, predecessors: [ObjectID], marks: Marks = Marks()
  ) throws -> (content: ContentCommit, object: GitObject) {
    let commit = Commit(
      tree: record.content?.tree ?? .emptyTree, parents: predecessors + [record.id],
      author: record.facts.authorSignature, committer: record.facts.deviceSignature,
      message: "\(record.facts.subject)\n\(marks.encoded)")
    let object = commit.encoded()
    return (try ContentCommit(id: object.id, decoding: commit), object)
  }
}

extension ContentCommit.Marks {
  /// Trailer lines after an empty line; empty if there are no marks.
  fileprivate var encoded: String {
    var lines = removed.sorted().map { "Removed: \($0)" }
    if isAllRemoved { lines.append("Removed: all") }
    if isDiscardable { lines.append("Discardable: yes") }
    if isPinned { lines.append("Pinned: yes") }
    return lines.isEmpty ? "" : "\n" + lines.map { $0 + "\n" }.joined()
  }

  fileprivate init(decoding message: String) {
    // The first line is for people, and isn't parsed, even if it is empty.
    for line in message.split(separator: "\n", omittingEmptySubsequences: false).dropFirst() {
      let fields = line.split(separator: " ")
      guard fields.count == 2 else { continue }
      switch (fields[0], fields[1]) {
      case ("Removed:", "all"): isAllRemoved = true
      case ("Removed:", let id): if let id = ObjectID(hexadecimal: id) { removed.insert(id) }
      case ("Discardable:", "yes"): isDiscardable = true
      case ("Pinned:", "yes"): isPinned = true
      default: continue
      }
    }
  }
}
