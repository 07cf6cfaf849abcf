public import DocumentStore
public import Foundation

/// What a query knows of a document, without its contents (`NSMetadataItem`).
public struct DocumentMetadata: Sendable, Hashable, Identifiable {
  /// Whether the contents of a document are on this device.
  public enum DownloadingStatus: String, Sendable, Codable {
    /// Only the name and its like are here.
    case notDownloaded
    /// A version is here, and a newer one elsewhere.
    case downloaded
    /// The newest known version is here.
    case current
  }

  /// The path from the root.
  let path: String
  /// The file's name (`NSMetadataItemFSNameKey`).
  public let name: String
  /// Bytes of all files (`NSMetadataItemFSSizeKey`).
  public internal(set) var size: Int
  /// When the contents changed (`NSMetadataItemFSContentChangeDateKey`).
  public internal(set) var contentChangeDate: Date
  /// The identifier of the type, by the name; nil for an unknown one (`NSMetadataItemContentTypeKey`).
  public let contentType: String?
  /// The type and all that it is a kind of, nearest first (`NSMetadataItemContentTypeTreeKey`).
  public let contentTypeTree: [String]
  /// Whether the document is a folder.
  public let isPackage: Bool
  /// Whether the document is in a conflict (`NSMetadataUbiquitousItemHasUnresolvedConflictsKey`).
  public internal(set) var hasUnresolvedConflicts: Bool
  /// Whether the contents are on this device (`NSMetadataUbiquitousItemDownloadingStatusKey`).
  public internal(set) var downloadingStatus: DownloadingStatus
  /// The relation to the document's versions; nil unless the query's predicate or order asks for it, because that may
  /// mean to read the document.
  public internal(set) var editState: EditState?

  /// The place of the document (`NSMetadataItemURLKey`).
  public var url: URL {
    URL(filePath: path, directoryHint: isPackage ? .isDirectory : .notDirectory)
  }

  /// The name without its extension (`NSMetadataItemDisplayNameKey`).
  public var displayName: String {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else {
      return name
    }
    return String(name[..<dot])
  }

  /// The path, which a document keeps as long as it stays where it is.
  public var id: String { path }
}
