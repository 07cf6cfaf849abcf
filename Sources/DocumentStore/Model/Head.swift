package import DocumentGit

/// A reference under `refs/heads/`: a version that nothing follows yet.
package struct Head: Sendable {
  /// The reference's full name.
  package let name: String
  /// The commit that it points at.
  package let target: ObjectID
  package let record: Record
  /// Nil while the content is not on this device.
  package let content: ContentCommit?

  /// Whether the content of the version is not on this device.
  package var lacksContent: Bool { content == nil && record.content != nil }
}

/// The names of heads, see ``HeadName``.
extension Head {
  static let prefix = HeadName.prefix
  package static let main = HeadName.main
  static let none = HeadName.unshown

  static func isName(_ name: String) -> Bool { HeadName.isValid(name) }

  package static func check(count: Int) throws(GitError) { try HeadName.check(count: count) }
}
