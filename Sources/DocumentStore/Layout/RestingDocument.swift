package import DocumentFiles
package import DocumentGit

/// A document without a store, because it hasn't changed since its file was written or first saved.
///
/// Its file is on disk, and its versions are in this device's copy of a remote, or on the device's shelf.
package struct RestingDocument: Sendable, Equatable {
  /// Its path in the container.
  package let path: String
  package let identity: DocumentIdentity
  /// The name of the folder with the copy of the remote, or the name of the ``Shelf`` for a document that was
  /// first saved here.
  package let mirror: String
  /// True if other devices can get its versions.
  package internal(set) var isPublished: Bool
  /// The record of the version that the file shows, which has no successor.
  package let head: ObjectID
  /// The versions whose contents the document keeps, including the head.
  package let contents: [ObjectID]
  /// The number of its versions.
  package let versions: Int
  /// The records of the versions that the file showed before, oldest first; a program may still show one of
  /// them, and write it back.
  package let formerHeads: [ObjectID]
  /// The device of the file system that the file is on.
  var device: UInt64
  /// The stamp of the file as it was written.
  var stamp: FileStamp
  /// The mark that identifies the file under another name.
  var mark: String

  /// True if the document was first saved on this device, which alone has its versions unless they are
  /// published.
  package var isOnShelf: Bool { mirror == Shelf.name }

  /// Returns the document with its versions marked as published.
  func published() -> RestingDocument {
    var document = self
    document.isPublished = true
    return document
  }

  /// Returns the document with the stamp and mark of a file that was found to be unchanged.
  func shown(by status: FileStatus, markedAs mark: String) -> RestingDocument {
    var document = self
    (document.device, document.stamp, document.mark) = (status.device, FileStamp(status), mark)
    return document
  }

  /// Returns whether a file is the one that was written, and unchanged since.
  package func isUnchanged(_ status: FileStatus?) -> Bool {
    guard let status, status.kind == .file, status.device == device else { return false }
    return FileStamp(status) == stamp
  }
}

// MARK: As bytes

extension RestingDocument {
  /// The fields, one a line; the path comes last, because it may contain any byte except zero.
  var fields: [UInt8] {
    let numbers = [device, stamp.inode, stamp.size, stamp.modified, stamp.changed].map { "\($0)" }
    let lines = [
      identity.all.sorted().map(\.description).joined(separator: " "),
      isOnShelf && isPublished ? "\(mirror) published" : mirror, head.description,
      contents.map(\.description).joined(separator: " "),
      (["\(versions)"] + formerHeads.map(\.description)).joined(separator: " "),
      numbers.joined(separator: " "), mark, path,
    ]
    return Array(lines.joined(separator: "\n").utf8)
  }

  /// Reads the fields; nil if they are invalid.
  init?(fields bytes: ArraySlice<UInt8>) {
    guard let (lines, path) = Self.lines(of: bytes), let head = ObjectID(hexadecimal: lines[2])
    else { return nil }
    let identifiers = Self.words(lines[0]).compactMap {
      DocumentIdentifier(String(decoding: $0, as: UTF8.self))
    }
    let contents = Self.words(lines[3]).compactMap { ObjectID(hexadecimal: $0) }
    let counted = Self.words(lines[4])
    let numbers = Self.words(lines[5]).compactMap(Self.number)
    guard let identity = DocumentIdentity(Set(identifiers)), contents.contains(head),
      let versions = counted.first.flatMap(Self.number), numbers.count == 5
    else { return nil }
    self.identity = identity
    let place = Self.words(lines[1])
    mirror = String(decoding: place.first ?? [], as: UTF8.self)
    isPublished = mirror != Shelf.name || place.count > 1
    self.head = head
    self.contents = contents
    self.versions = Int(clamping: versions)
    formerHeads = counted.dropFirst().compactMap { ObjectID(hexadecimal: $0) }
    device = numbers[0]
    stamp = FileStamp(
      inode: numbers[1], size: numbers[2], modified: numbers[3], changed: numbers[4])
    mark = String(decoding: lines[6], as: UTF8.self)
    self.path = String(decoding: path, as: UTF8.self)
  }

  /// Returns the path in the fields without reading the others; nil if they are invalid.
  static func path(inFields bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    lines(of: bytes)?.path
  }

  /// Returns the copy of a remote, or the shelf, in the fields without reading the others; nil if they are
  /// invalid.
  static func mirror(inFields bytes: ArraySlice<UInt8>) -> String? {
    lines(of: bytes).flatMap { words($0.lines[1]).first }
      .map { String(decoding: $0, as: UTF8.self) }
  }

  /// Returns the mark of the file in the fields without reading the others; nil if they are invalid.
  static func mark(inFields bytes: ArraySlice<UInt8>) -> String? {
    lines(of: bytes).map { String(decoding: $0.lines[6], as: UTF8.self) }
  }

  /// Returns the lines before the path, and the path, which may contain any byte except zero.
  private static func lines(
    of bytes: ArraySlice<UInt8>
  ) -> (lines: [ArraySlice<UInt8>], path: ArraySlice<UInt8>)? {
    var lines: [ArraySlice<UInt8>] = []
    lines.reserveCapacity(7)
    var rest = bytes
    while lines.count < 7 {
      guard let end = rest.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
      lines.append(rest[..<end])
      rest = rest[(end + 1)...]
    }
    return (lines, rest)
  }

  private static func words(_ line: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
    line.split(separator: UInt8(ascii: " "))
  }

  private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
    guard !digits.isEmpty else { return nil }
    var number: UInt64 = 0
    for digit in digits {
      let value = digit &- UInt8(ascii: "0")
      let (product, isLarge) = number.multipliedReportingOverflow(by: 10)
      let (sum, isLarger) = product.addingReportingOverflow(UInt64(value))
      guard value < 10, !isLarge, !isLarger else { return nil }
      number = sum
    }
    return number
  }
}
