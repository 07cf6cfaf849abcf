public import Foundation

/// A document that other devices have published and that is not on this device's disk.
public struct ListedDocument: Hashable, Sendable {
  /// The location that it gets when it is downloaded, unless that is taken then.
  public let document: URL
  /// The size of its current version in bytes.
  public let size: Int
  /// True if it is a package.
  public let isPackage: Bool
  /// The date when its current version was last modified.
  public let modificationDate: Date
  /// The device that saved the current version.
  public let device: String
  /// The number of versions in conflict with the current one.
  public let unresolvedConflicts: Int
  /// Its ids, as far as devices know that they belong to one document.
  let identifiers: Set<String>
}

/// The download status of a document's contents.
public enum DownloadStatus: String, Sendable, Codable, CaseIterable {
  /// Other devices have the document, and it is not on this device.
  case notDownloaded
  /// The document is here, but arrived versions haven't been applied yet.
  case downloaded
  /// The document is here, with every version that the last sync found.
  case current
}
