internal import DocumentFiles

/// The stamps that show that a document still shows the version that it was found to show, on the device of
/// its store.
struct UnchangedStamp: Sendable {
  /// The document's file.
  let document: FileStamp
  /// The store's file that names the version shown; only this stamp shows that it was written in place.
  let shown: FileStamp
  /// The number of the document's versions.
  var versions = 0

  /// Reads the stamps as they are now; `nil` if the document isn't a file, or is on another device than its
  /// store.
  ///
  /// - Parameters:
  ///   - path: the document's path in the container.
  ///   - documents: the container.
  ///   - store: the path of the document's store.
  ///   - stores: the folder from which the path leads to the store.
  init?(
    of path: [UInt8], in documents: FolderReader, store: [UInt8], in stores: FolderReader
  ) {
    guard let document = documents.status(of: path), document.kind == .file,
      let shown = stores.status(of: store, HeadPath.shown), shown.device == document.device
    else { return nil }
    self.document = FileStamp(document)
    self.shown = FileStamp(shown)
  }

  /// Returns whether the files are those of another stamp, and unchanged since.
  func isOfSameFiles(as other: UnchangedStamp) -> Bool {
    document == other.document && shown == other.shown
  }

  /// Returns whether both files had been left alone for long enough.
  func isCovered(by freshness: Freshness) -> Bool {
    [document, shown].allSatisfy(freshness.covers)
  }

  // MARK: As bytes

  /// The bytes it takes in a file.
  static let size = 2 * FileStamp.encodedSize + 8

  // The stamps of both files · the number of versions (8 bytes, little-endian)
  init?(at place: Int, in bytes: UnsafeRawBufferPointer) {
    guard place + Self.size <= bytes.count else { return nil }
    document = FileStamp(bytes, at: place)
    shown = FileStamp(bytes, at: place + FileStamp.encodedSize)
    guard let count = Int(exactly: bytes.number(at: place + 2 * FileStamp.encodedSize)) else {
      return nil
    }
    versions = count
  }

  func append(to bytes: inout [UInt8]) {
    for stamp in [document, shown] { bytes.append(stamp) }
    bytes.append(number: UInt64(versions))
  }
}
