internal import DocumentFiles
internal import DocumentGit
internal import Foundation

/// A version as lists show it: the parts of its record and content that they need.
struct ListedVersion: Hashable {
  let id: ObjectID
  /// The version's parents.
  var parents: [ObjectID]
  /// The content commit; `nil` while the content is not on this device.
  var content: ObjectID?
  var kind: VersionKind
  var names: Names
  var note: String?
  /// The time when the version was made, in milliseconds since 1970.
  var date: Int64
  /// The time when the document was modified, in milliseconds since 1970.
  var modified: Int64
  var bytes: Int
  var files: Int
  var flags: Flags

  /// Names that are usually the same from one version to the next.
  struct Names: Hashable {
    /// The document's path in its container.
    var path: String
    var author: String
    var device: String

    /// Returns whether all names are the same byte for byte; strings treat two compositions of a character as
    /// equal.
    static func == (left: Names, right: Names) -> Bool {
      left.path.hasBytes(of: right.path)
        && left.author.hasBytes(of: right.author)
        && left.device.hasBytes(of: right.device)
    }
  }

  struct Flags: OptionSet, Hashable {
    let rawValue: UInt8

    static let package = Flags(rawValue: 1)
    static let deletion = Flags(rawValue: 2)
    static let discardable = Flags(rawValue: 4)
    static let pinned = Flags(rawValue: 8)
    /// The version was in an unresolved conflict once.
    static let settled = Flags(rawValue: 16)
  }

  /// Returns whether the version precedes another one in lists, which begin with the newest.
  func isListed(before other: ListedVersion) -> Bool {
    date != other.date ? date > other.date : id > other.id
  }
}

extension ListedVersion {
  /// - Parameters:
  ///   - content: `nil` while the content is not on this device.
  ///   - isSettled: whether the version was in an unresolved conflict once.
  init(_ record: Record, content: ContentCommit?, isSettled: Bool = false) {
    let facts = record.facts
    var flags: Flags = []
    if facts.package == true { flags.insert(.package) }
    if facts.content == nil { flags.insert(.deletion) }
    if facts.discardable == true || content?.marks.isDiscardable == true {
      flags.insert(.discardable)
    }
    if content?.marks.isPinned == true { flags.insert(.pinned) }
    if isSettled { flags.insert(.settled) }
    self.init(
      id: record.id, parents: record.parents, content: content?.id, kind: facts.kind,
      names: Names(path: facts.path, author: facts.author, device: facts.device),
      note: facts.note, date: facts.date, modified: facts.modified, bytes: facts.bytes,
      files: facts.files, flags: flags)
  }
}
