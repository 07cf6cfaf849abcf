public import Foundation

/// A document's versions at one moment.
public struct DocumentHistory: Sendable {
  /// The document.
  public let document: URL
  /// The document's id, the same on every device.
  package let documentIdentifier: String
  /// The versions that were not removed, newest first: all of them, unless fewer were asked for.
  ///
  /// Those whose contents are elsewhere are included.
  public package(set) var versions: [FileVersion]
  /// The number of versions in all.
  public let count: Int
  /// The current version.
  public let current: FileVersion?
  /// The unresolved conflict versions, newest first.
  public let unresolvedConflicts: [FileVersion]
  /// The version that the document on disk was last saved as or written from.
  public let shown: FileVersion?
  /// The latest version that all sides of an unresolved conflict were made from.
  package let conflictBase: FileVersion?
}

/// The relation of a document on disk to its versions.
public enum EditState: String, Sendable, Codable {
  /// It is as it was last saved or written.
  case unchanged
  /// It was edited since.
  case edited
  /// It is not on disk, though it was not deleted through the store.
  case missing
  /// It was deleted.
  case deleted
  /// It has no versions yet.
  case unsaved
}
