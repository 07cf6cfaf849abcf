package import DocumentGit

/// A reference under `refs/heads/`: a version without a successor.
package struct Head: Sendable {
  /// The reference's full name.
  package let name: String
  /// The commit that it points at.
  package let target: ObjectID
  package let record: Record
  /// The content; nil while it is not on this device.
  package let content: ContentCommit?

  /// True if the content of the version is not on this device.
  package var lacksContent: Bool { content == nil && record.content != nil }
}
