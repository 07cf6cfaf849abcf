internal import DocumentGit

/// A reference under `refs/heads/`: a version that nothing follows yet.
struct Head: Sendable {
  static let prefix = "refs/heads/"
  /// The line that the first save began.
  static let main = prefix + "main"
  /// Where `HEAD` is while the document on disk shows no version yet: no reference has this name.
  static let none = prefix + "unshown"

  /// The reference's full name.
  let name: String
  /// What it points at.
  let target: ObjectID
  let record: Record
  /// Nil while the content is not on this device.
  let content: ContentCommit?

  /// Whether it has a content that is not on this device.
  var isBare: Bool { content == nil && record.content != nil }
}

/// What may be a head: stores come from elsewhere, and anything can be named a reference.
extension Head {
  /// More versions than these can't be in one conflict.
  static let limit = 1_000

  /// Refuses more heads than a document may have.
  static func check(count: Int) throws(GitError) {
    guard count <= limit else {
      throw .malformed("it has \(count) versions in conflict; a document’s may have \(limit)")
    }
  }

  /// Whether a reference's name is one of a head: "main", a record's id, or as plain as these.
  ///
  /// Others were not made by us, and are passed over.
  static func isName(_ name: String) -> Bool {
    name.hasPrefix(prefix) && isName(Array(name.utf8.dropFirst(prefix.utf8.count)))
  }

  /// The same for what stands behind the last slash.
  static func isName(_ last: [UInt8]) -> Bool {
    !last.isEmpty && last.count <= 100
      && last.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-")
      }
  }
}
