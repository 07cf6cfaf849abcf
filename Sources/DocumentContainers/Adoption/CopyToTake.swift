internal import DocumentStore
internal import Foundation

/// A conflicted copy that a document takes in as a version.
///
/// The version is made of the contents, the name and the time alone: every device that takes the same copy makes the
/// same one.
struct CopyToTake: Sendable {
  /// The contents that the document and the copy were both made from.
  enum Base: Sendable {
    /// A version of the document.
    case version(FileVersion.PersistentIdentifier)
    /// A file that another tool kept, which becomes a version too.
    case file([UInt8], from: String, date: Date)
  }

  /// The copy.
  let url: URL
  /// The names that lead to the member that it is a copy of; `nil` if it is a copy of the document.
  let member: [[UInt8]]?
  /// The person and the device that its name says.
  let identity: Identity
  /// The time that its name says.
  let date: Date
  let base: Base?

  init(
    _ url: URL, of member: [[UInt8]]?, identity: Identity, date: Date, base: Base?
  ) {
    self.url = url
    self.member = member
    self.identity = identity
    self.date = date
    self.base = base
  }
}

/// A conflicted copy that was taken in.
struct TakenCopy: Sendable {
  /// The version that has the copy's contents.
  let version: FileVersion
  /// Whether the version is a side of an unresolved conflict now.
  let isOpen: Bool
}
