internal import DocumentGit

/// A decoded entry of a ``VersionIndex``.
///
/// Its bytes are the state, a byte of flags, and a byte that names the optional parts. Numbers follow with
/// seven bits a byte, lowest first, then ids of 20 bytes, and texts after their lengths.
struct VersionIndexEntry {
  /// The heads whose list ends with this entry.
  let state: ReferenceDigest
  /// The number of versions in the list.
  let count: Int
  /// The number of entries before this one that lead straight to it, because each version has only one
  /// parent.
  let line: Int
  var version: ListedVersion

  /// Returns the encoded entry.
  ///
  /// - Parameter distance: the distance back to the start of an entry with the same names; `nil` if there is
  ///   none.
  func encoded(namesBefore distance: Int?) -> [UInt8] {
    var parts: EntryParts = []
    if version.content != nil { parts.insert(.content) }
    if version.note != nil { parts.insert(.note) }
    if distance == nil { parts.insert(.names) }
    if line > 0 { parts.insert(.followsFormer) }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128)
    bytes.append(bigEndian: state.number)
    bytes.append(parts.rawValue)
    bytes.append(version.flags.rawValue)
    bytes.append(count: UInt64(count))
    bytes.append(count: UInt64(line))
    bytes.append(version.id)
    bytes.append(signed: version.date)
    if let content = version.content { bytes.append(content) }
    if !parts.contains(.followsFormer) {
      bytes.append(count: UInt64(version.parents.count))
      for parent in version.parents { bytes.append(parent) }
    }
    bytes.append(text: version.kind.rawValue)
    bytes.append(signed: version.modified &- version.date)
    bytes.append(count: UInt64(version.bytes))
    bytes.append(count: UInt64(version.files))
    if let distance {
      bytes.append(count: UInt64(distance))
    } else {
      bytes.append(text: version.names.path)
      bytes.append(text: version.names.author)
      bytes.append(text: version.names.device)
    }
    if let note = version.note { bytes.append(text: note) }
    return bytes
  }

  /// Reads an entry; `nil` if the bytes don't encode one.
  ///
  /// - Parameters:
  ///   - former: the version of the previous entry, if it is known.
  ///   - names: returns the names in the entry that begins at a distance before this one; `nil` if there is
  ///     none.
  init?(
    decoding bytes: [UInt8], _ range: Range<Int>, after former: ObjectID?,
    names known: (Int) -> ListedVersion.Names?
  ) {
    var rest = EntryReader(bytes, range)
    guard let start = EntryStart(&rest) else { return nil }
    var content: ObjectID?
    if start.parts.contains(.content) {
      content = rest.id()
      guard content != nil else { return nil }
    }
    let parents = start.parts.contains(.followsFormer) ? former.map { [$0] } : rest.parents()
    guard let parents, let kind = rest.text(), let age = rest.signed(), let size = rest.count(),
      let files = rest.count()
    else { return nil }
    let names: ListedVersion.Names?
    if start.parts.contains(.names) {
      guard let path = rest.text(), let author = rest.text(), let device = rest.text() else {
        return nil
      }
      // Stores may be copied from elsewhere, and names become paths.
      guard ContainerPath.isValid(path) else { return nil }
      names = ListedVersion.Names(path: path, author: author, device: device)
    } else {
      names = rest.count().flatMap(known)
    }
    let note = start.parts.contains(.note) ? rest.text() : nil
    guard let names, rest.isAtEnd, start.parts.contains(.note) == (note != nil),
      Record.Facts.isPossible(date: start.date, bytes: size, files: files)
    else { return nil }
    self.state = start.state
    self.count = start.count
    self.line = start.line
    version = ListedVersion(
      id: start.id, parents: parents, content: content,
      kind: VersionKind(rawValue: kind), names: names, note: note, date: start.date,
      modified: start.date &+ age, bytes: size, files: files, flags: start.flags)
  }

  /// Creates the next entry of an index.
  init(_ version: ListedVersion, after former: VersionIndexEntry?, at state: ReferenceDigest) {
    self.state = state
    self.version = version
    count = (former?.count ?? 0) + 1
    line = former.map { version.parents == [$0.version.id] ? $0.line + 1 : 0 } ?? 0
  }
}

/// The first bytes of an entry, enough to skip it.
struct EntryStart {
  let state: ReferenceDigest
  fileprivate let parts: EntryParts
  let flags: ListedVersion.Flags
  let count: Int
  let line: Int
  let id: ObjectID
  /// When the version was made, in milliseconds since 1970.
  let date: Int64

  /// Reads the start of an entry; `nil` if the bytes don't encode one.
  init?(_ bytes: [UInt8], _ range: Range<Int>) {
    var reader = EntryReader(bytes, range)
    self.init(&reader)
  }

  fileprivate init?(_ rest: inout EntryReader) {
    guard let state = rest.fixed(), let parts = rest.byte().map(EntryParts.init),
      let flags = rest.byte().map(ListedVersion.Flags.init), let count = rest.count(),
      let line = rest.count(), parts.contains(.followsFormer) == (line > 0), line < count,
      // The next entry has a larger number.
      count < Int.max, let id = rest.id(), let date = rest.signed()
    else { return nil }
    self.state = ReferenceDigest(number: state)
    self.parts = parts
    self.flags = flags
    self.count = count
    self.line = line
    self.id = id
    self.date = date
  }

  /// Returns whether an entry contains its names.
  static func saysNames(_ bytes: [UInt8], _ range: Range<Int>) -> Bool {
    range.count > 8 && EntryParts(rawValue: bytes[range.lowerBound + 8]).contains(.names)
  }
}

/// The optional parts of an entry.
private struct EntryParts: OptionSet {
  let rawValue: UInt8

  static let content = EntryParts(rawValue: 1)
  static let note = EntryParts(rawValue: 2)
  /// The version's only parent is the version of the previous entry.
  static let followsFormer = EntryParts(rawValue: 4)
  /// The entry contains the names; otherwise an earlier entry does.
  static let names = EntryParts(rawValue: 8)
}

/// Decodes an entry's bytes from the beginning.
private struct EntryReader {
  private let bytes: [UInt8]
  private var place: Int
  private let end: Int

  init(_ bytes: [UInt8], _ range: Range<Int>) {
    self.bytes = bytes
    place = range.lowerBound
    end = range.upperBound
  }

  var isAtEnd: Bool { place == end }

  mutating func byte() -> UInt8? {
    guard place < end else { return nil }
    defer { place += 1 }
    return bytes[place]
  }

  /// Returns the range of the next bytes, and moves past them.
  private mutating func range(of count: Int) -> Range<Int>? {
    guard count <= end - place else { return nil }
    defer { place += count }
    return place..<place + count
  }

  mutating func fixed() -> UInt64? {
    range(of: 8).map { range in range.reduce(0) { $0 << 8 | UInt64(bytes[$1]) } }
  }

  mutating func number() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = byte() else { return nil }
      number |= UInt64(byte & 127) << shift
      if byte < 128 { return number }
    }
    return nil
  }

  mutating func count() -> Int? { number().flatMap { Int(exactly: $0) } }

  mutating func signed() -> Int64? {
    number().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
  }

  mutating func id() -> ObjectID? {
    range(of: 20).flatMap { ObjectID(raw: bytes[$0]) }
  }

  mutating func parents() -> [ObjectID]? {
    guard let count = count(), count <= Record.mostParents else { return nil }
    var parents: [ObjectID] = []
    for _ in 0..<count {
      guard let parent = id() else { return nil }
      parents.append(parent)
    }
    return parents
  }

  mutating func text() -> String? {
    count().flatMap { range(of: $0) }.map { String(decoding: bytes[$0], as: UTF8.self) }
  }
}

extension [UInt8] {
  fileprivate mutating func append(count number: UInt64) {
    var rest = number
    while rest > 127 {
      append(UInt8(rest & 127) | 128)
      rest >>= 7
    }
    append(UInt8(rest))
  }

  /// Appends a number whose lowest bit is its sign.
  fileprivate mutating func append(signed number: Int64) {
    append(count: UInt64(bitPattern: number << 1 ^ number >> 63))
  }

  fileprivate mutating func append(text: String) {
    let bytes = text.utf8
    append(count: UInt64(bytes.count))
    append(contentsOf: bytes)
  }
}
