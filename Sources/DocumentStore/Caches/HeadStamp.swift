internal import DocumentFiles

/// The stamps that show that a document still has the one head that was read.
struct HeadStamp: Equatable, Sendable {
  /// The reference’s name in the folder of heads.
  let name: [UInt8]
  let device: UInt64
  /// The stamp of the folder of heads; another reference changes it.
  let folder: FileStamp
  /// The stamp of the reference; only this stamp shows that the reference was written in place.
  let reference: FileStamp
  /// The stamp of the store; new packed references and a replaced ledger change it.
  let store: FileStamp

  init(name: [UInt8], folder: FileStatus, reference: FileStatus, store: FileStatus) {
    self.name = name
    device = folder.device
    self.folder = FileStamp(folder)
    self.reference = FileStamp(reference)
    self.store = FileStamp(store)
  }

  /// Reads the stamps as they are now; `nil` if a file is missing.
  ///
  /// - Parameters:
  ///   - store: the path of the document’s store.
  ///   - name: the reference’s name.
  ///   - folder: the status of the folder of heads.
  ///   - stores: the folder from which the path leads to the store.
  init?(
    of store: [UInt8], named name: [UInt8], _ folder: FileStatus, in stores: FolderReader
  ) {
    guard let whole = stores.status(of: store),
      let reference = stores.status(of: store, HeadPath.reference(name))
    else { return nil }
    self.init(name: name, folder: folder, reference: reference, store: whole)
  }

  /// The time of the last change of any of them, in nanoseconds since 1970.
  var changed: Int64 {
    [folder, reference, store].map { Int64(bitPattern: $0.changed) }.max() ?? .max
  }

  /// Returns whether all of them had been left alone for long enough.
  func isCovered(by freshness: Freshness) -> Bool {
    [folder, reference, store].allSatisfy(freshness.covers)
  }

  // MARK: As bytes

  /// The encoded size without the name, in bytes.
  static let size = 8 + 3 * FileStamp.encodedSize + 1

  // The device (8 bytes, little-endian as all numbers) · the stamps of the folder of heads, the reference and the store
  // · the number of bytes of the reference’s name (1) · the name
  init?(at place: Int, in bytes: UnsafeRawBufferPointer) {
    guard place + Self.size <= bytes.count else { return nil }
    let name = place + Self.size..<place + Self.size + Int(bytes[place + Self.size - 1])
    guard name.upperBound <= bytes.count else { return nil }
    // Nearly all names are that of the line that the first save began, so they share one array.
    self.name = bytes[name].elementsEqual(Self.main) ? Self.main : Array(bytes[name])
    device = bytes.number(at: place)
    folder = FileStamp(bytes, at: place + 8)
    reference = FileStamp(bytes, at: place + 40)
    store = FileStamp(bytes, at: place + 72)
  }

  func append(to bytes: inout [UInt8]) {
    bytes.append(number: device)
    for stamp in [folder, reference, store] { bytes.append(stamp) }
    bytes.append(UInt8(name.count))
    bytes += name
  }

  private static let main = Array("main".utf8)
}

/// The paths of the files that determine a document's heads, relative to its store.
enum HeadPath {
  static let references = path(.references)
  /// The folder of heads.
  static let folder = path(.heads)
  static let ledger = path(.ledger)
  /// The file that names the version that the document on disk shows.
  static let shown = path(.head)
  static let packedReferences = path(.packedReferences)
  static let lostVersions = path(.lostVersions)

  /// - Parameter name: the reference’s name in the folder of heads.
  static func reference(_ name: [UInt8]) -> [UInt8] {
    folder + [UInt8(ascii: "/")] + name
  }

  private static func path(_ file: StoreFile) -> [UInt8] {
    [UInt8(ascii: "/")] + Array(file.name.utf8)
  }
}
