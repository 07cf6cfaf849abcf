public import Foundation

/// A document that other devices have published, and that is not on this device: nothing of it is on the disk.
public struct ListedDocument: Hashable, Sendable {
  /// The place that it gets when it is downloaded, unless that is taken then.
  public let document: URL
  /// The bytes of its current version.
  public let size: Int
  /// Whether it is a folder that is one document.
  public let isPackage: Bool
  /// When its current version was modified.
  public let modificationDate: Date
  /// The device that saved the current version.
  public let device: String
  /// Versions in conflict with the current one.
  public let unresolvedConflicts: Int
  /// Its ids, as far as devices know that these are one document.
  let identifiers: Set<String>
}

/// Whether a document's contents are on this device.
public enum DownloadStatus: String, Sendable, Codable, CaseIterable {
  /// Other devices have it, and nothing of it is here.
  case notDownloaded
  /// It is here, and what has arrived for it could not be taken in yet.
  case downloaded
  /// It is here, and so is all that the last sync found.
  case current
}
