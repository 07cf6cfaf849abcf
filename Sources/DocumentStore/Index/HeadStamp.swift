internal import DocumentFiles

/// What tells that a document has one head, and which, as it looked at a moment.
struct HeadStamp: Equatable, Sendable {
  /// The reference’s name in the folder of references.
  let name: [UInt8]
  let device: UInt64
  /// The folder of references: another reference shows here.
  let folder: FileStamp
  /// The reference: that it was written in place shows only here.
  let reference: FileStamp
  /// The store: packed references that appear show here, and another ledger in the place of the one there was.
  let store: FileStamp

  init(name: [UInt8], folder: FileStatus, reference: FileStatus, store: FileStatus) {
    self.name = name
    device = folder.device
    self.folder = FileStamp(folder)
    self.reference = FileStamp(reference)
    self.store = FileStamp(store)
  }

  /// What they look like now; nil where one is missing.
  ///
  /// - Parameters:
  ///   - store: the path of the document’s store.
  ///   - name: the reference’s.
  ///   - folder: the folder of references, where it was looked at.
  ///   - stores: the folder from which the path leads there.
  init?(of store: [UInt8], named name: [UInt8], _ folder: FileStatus? = nil, in stores: FolderReader) {
    guard let folder = folder ?? stores.status(of: store, HeadPlace.folder),
      let whole = stores.status(of: store),
      let reference = stores.status(of: store, HeadPlace.reference(name))
    else { return nil }
    self.init(name: name, folder: folder, reference: reference, store: whole)
  }

  /// When the last of them changed, in nanoseconds since 1970.
  var changed: Int64 {
    [folder, reference, store].map { Int64(bitPattern: $0.changed) }.max() ?? .max
  }

  // MARK: As bytes

  /// How many bytes it has besides the name.
  static let size = 13 * 8 + 1

  // 13 numbers (8 bytes, little-endian): device · inode, size, modified, changed of the folder of references, the
  // reference and the store · then the number of bytes of the reference’s name (1) and the name.
  init?(at place: Int, in bytes: UnsafeRawBufferPointer) {
    guard place + Self.size <= bytes.count else { return nil }
    let name = place + Self.size..<place + Self.size + Int(bytes[place + Self.size - 1])
    guard name.upperBound <= bytes.count else { return nil }
    // Nearly all are that of the line that the first save began: one array for all of them.
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

/// Where a document’s heads are told of, in its store.
enum HeadPlace {
  static let references = Array("/refs".utf8)
  /// The folder of references.
  static let folder = references + Array("/heads".utf8)
  static let ledger = Array("/ledger".utf8)
  static let packedReferences = Array("/packed-refs".utf8)
  static let lostVersions = Array("/\(LostVersions.fileName)".utf8)

  /// - Parameter name: the reference’s name in the folder of references.
  static func reference(_ name: [UInt8]) -> [UInt8] {
    folder + [UInt8(ascii: "/")] + name
  }
}
