internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore

/// A commit that carries the contents of one version to other devices.
///
/// Its tree is the document. Its first parent is the published content, which has the same bytes from every
/// device; the second one, if any, is the published content of the version that the device published before,
/// which shows a server what the other side has. No device stores the commit.
struct TransportCommit: Sendable {
  let id: ObjectID
  /// The identity of the document.
  let document: String
  /// The record of the version.
  let version: ObjectID
  /// The date of the version.
  let date: CommitDate

  /// Reads a transport commit; nil for any other commit.
  init?(id: ObjectID, decoding commit: Commit) {
    var values: [Substring: Substring] = [:]
    for line in commit.message.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ")
      if fields.count == 2 { values[fields[0]] = fields[1] }
    }
    guard let document = values["Document:"].flatMap({ DocumentIdentifier(String($0)) }),
      let version = values["Version:"].flatMap({ ObjectID(hexadecimal: $0) }),
      (1...2).contains(commit.parents.count)
    else { return nil }
    self.id = id
    self.document = document.description
    self.version = version
    date = CommitDate(of: id, commit)
  }

  /// Returns the published content of a version, the commit that carries it, and the objects of both.
  ///
  /// - Parameter previous: the published content of the version that was published before.
  static func make(
    for record: Record, after previous: ObjectID?
  ) throws -> (content: ObjectID, transport: TransportCommit, objects: [GitObject]) {
    let (content, contentObject) = try ContentCommit.make(for: record, predecessors: [])
    let subject = record.facts.subject.isEmpty ? record.facts.kind.verb : record.facts.subject
    let commit = Commit(
      tree: content.tree, parents: [content.id] + [previous].compactMap { $0 },
      author: record.facts.authorSignature, committer: record.facts.deviceSignature,
      message: "\(subject)\n\nDocument: \(record.facts.document)\nVersion: \(record.id)\n")
    let object = commit.encoded()
    guard let transport = TransportCommit(id: object.id, decoding: commit) else {
      throw GitError.malformed("record \(record.id) names no document")
    }
    return (content.id, transport, [contentObject, object])
  }
}
