internal import DocumentStore
internal import Foundation

/// A conflicted copy to import as a version.
///
/// The version depends only on the contents, the name and the time, so every device that imports the same copy makes
/// the same version.
struct CopyToTake: Sendable {
  /// The base of the document and the copy.
  enum Base: Sendable {
    /// A version of the document.
    case version(FileVersion.PersistentIdentifier)
    /// A file that another tool kept, which also becomes a version.
    case file([UInt8], from: String, date: Date)
  }

  /// The copy.
  let url: URL
  /// The path of the member that it is a copy of, as names; `nil` if it is a copy of the document.
  let member: [[UInt8]]?
  /// The person and the device in its name.
  let identity: Identity
  /// The time in its name.
  let date: Date
  let base: Base?
  /// True if it becomes a separate version although an existing one has its contents.
  let isOvertaken: Bool

  init(
    _ url: URL, of member: [[UInt8]]?, identity: Identity, date: Date, base: Base?,
    isOvertaken: Bool = false
  ) {
    self.url = url
    self.member = member
    self.identity = identity
    self.date = date
    self.base = base
    self.isOvertaken = isOvertaken
  }
}

/// An imported conflicted copy.
struct TakenCopy: Sendable {
  /// The version with the copy's contents.
  let version: FileVersion
  /// True if the version is in an unresolved conflict.
  let isOpen: Bool
}
