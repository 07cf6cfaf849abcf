internal import DocumentFiles

/// What the files that tell of a document's one head looked like at a moment.
struct HeadStamp: Equatable, Sendable {
  /// The reference's name in the folder of references.
  let name: [UInt8]
  let device: UInt64
  let folder, reference, ledger: FileStamp

  /// What changes when somebody changes a file or folder.
  struct FileStamp: Equatable, Sendable {
    let inode, size, modified, changed: UInt64

    init(_ status: FileStatus) {
      inode = status.inode
      size = UInt64(status.size)
      modified = UInt64(bitPattern: status.modified)
      changed = UInt64(bitPattern: status.changed)
    }

    init(_ numbers: ArraySlice<UInt64>) {
      let first = numbers.startIndex
      inode = numbers[first]
      size = numbers[first + 1]
      modified = numbers[first + 2]
      changed = numbers[first + 3]
    }

    var numbers: [UInt64] { [inode, size, modified, changed] }
  }

  init(name: [UInt8], folder: FileStatus, reference: FileStatus, ledger: FileStatus) {
    self.name = name
    device = folder.device
    self.folder = FileStamp(folder)
    self.reference = FileStamp(reference)
    self.ledger = FileStamp(ledger)
  }

  /// When the last of them changed, in nanoseconds since 1970.
  var changed: Int64 {
    [folder, reference, ledger].map { Int64(bitPattern: $0.changed) }.max() ?? .max
  }

  // MARK: As numbers

  static let count = 13

  var numbers: [UInt64] { [device] + folder.numbers + reference.numbers + ledger.numbers }

  /// - Parameter numbers: ``count`` of them.
  init(name: [UInt8], numbers: [UInt64]) {
    self.name = name
    device = numbers[0]
    folder = FileStamp(numbers[1..<5])
    reference = FileStamp(numbers[5..<9])
    ledger = FileStamp(numbers[9..<13])
  }
}

/// Where a document's heads are told of.
struct HeadPlace {
  /// The folder of references, with a slash at its end.
  let folder: [UInt8]
  let ledger: [UInt8]
  let packedReferences: [UInt8]

  /// - Parameter store: the path of the document's store.
  init(of store: [UInt8]) {
    folder = store + Self.folderName
    ledger = store + Self.ledgerName
    packedReferences = store + Self.packedName
  }

  private static let folderName = Array("/\(Head.prefix)".utf8)
  private static let ledgerName = Array("/ledger".utf8)
  private static let packedName = Array("/packed-refs".utf8)
}
