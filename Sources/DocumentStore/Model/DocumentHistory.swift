public import Foundation

/// A document's versions at one moment.
public struct DocumentHistory: Sendable {
  /// The document.
  public let document: URL
  /// The document's id, the same on every device.
  package let documentIdentifier: String
  /// The versions that weren't removed, newest first, up to the requested number.
  ///
  /// Versions whose contents are elsewhere are included.
  public package(set) var versions: [FileVersion]
  /// The total number of versions.
  public let count: Int
  /// The current version.
  public let current: FileVersion?
  /// The unresolved conflict versions, newest first.
  public let unresolvedConflicts: [FileVersion]
  /// The version that the document on disk was last saved as or written from.
  public let shown: FileVersion?
  /// The latest common ancestor of all sides of an unresolved conflict.
  package let conflictBase: FileVersion?
}

/// The relation of a document on disk to its versions.
public enum EditState: String, Sendable, Codable {
  /// The document is unedited since it was last saved or written.
  case unchanged
  /// The document was edited since it was last saved or written.
  case edited
  /// The document isn't on disk, and wasn't deleted through the store.
  case missing
  /// The document was deleted.
  case deleted
  /// The document has no versions yet.
  case unsaved
}
