public import DocumentStore
public import DocumentSync
public import Foundation

/// The attributes of a document in a query's results (`NSMetadataItem`).
public struct DocumentMetadata: Sendable, Hashable, Identifiable {
  /// The path from the root.
  let path: String
  /// The file's name (`NSMetadataItemFSNameKey`).
  public let name: String
  /// The size of all files, in bytes (`NSMetadataItemFSSizeKey`).
  public internal(set) var size: Int
  /// The modification date of the contents (`NSMetadataItemFSContentChangeDateKey`).
  public internal(set) var contentChangeDate: Date
  /// The identifier of the type, which the name determines; `nil` if it is unknown (`NSMetadataItemContentTypeKey`).
  public let contentType: String?
  /// The type and all types that it conforms to, nearest first (`NSMetadataItemContentTypeTreeKey`).
  public let contentTypeTree: [String]
  /// True if the document is a folder.
  public let isPackage: Bool
  /// True if the document is in conflict (`NSMetadataUbiquitousItemHasUnresolvedConflictsKey`).
  public internal(set) var hasUnresolvedConflicts: Bool
  /// The download status of the contents (`NSMetadataUbiquitousItemDownloadingStatusKey`).
  public internal(set) var downloadingStatus: DownloadStatus
  /// The relation of the document to its versions; `nil` unless the query's predicate or sort order uses it.
  ///
  /// Finding it may require reading the document.
  public internal(set) var editState: EditState?

  /// The location of the document (`NSMetadataItemURLKey`).
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

  /// The path, which stays the same until the document is moved or renamed.
  public var id: String { path }
}
