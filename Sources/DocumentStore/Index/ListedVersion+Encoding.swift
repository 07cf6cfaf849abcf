internal import DocumentGit

/// An entry of a ``VersionIndex``, as its bytes say it.
///
/// The state, a byte of flags and one of what is there, then numbers of seven bits a byte, the lowest first, ids of
/// 20 bytes, and texts with their length before them.
struct VersionIndexEntry {
  /// The heads whose list ends with this entry.
  let state: VersionIndex.State
  /// How many versions the list has.
  let count: Int
  var version: ListedVersion

  /// What an entry has beside what all have.
  private struct Parts: OptionSet {
    let rawValue: UInt8

    static let content = Parts(rawValue: 1)
    static let note = Parts(rawValue: 2)
    /// Its only parent is the version of the entry before.
    static let followsFormer = Parts(rawValue: 4)
    /// It says the names itself; otherwise an entry before does.
    static let names = Parts(rawValue: 8)
  }

  /// The bytes.
  ///
  /// - Parameters:
  ///   - former: the version of the entry before.
  ///   - distance: how far before this one the entry begins that says the same names; nil for none.
  func encoded(after former: ObjectID?, namesBefore distance: Int?) -> [UInt8] {
    var parts: Parts = []
    if version.content != nil { parts.insert(.content) }
    if version.note != nil { parts.insert(.note) }
    if distance == nil { parts.insert(.names) }
    if version.parents.count == 1, version.parents.first == former {
      parts.insert(.followsFormer)
    }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(128)
    bytes.append(bigEndian: state.number)
    bytes.append(parts.rawValue)
    bytes.append(version.flags.rawValue)
    bytes.append(count: UInt64(count))
    bytes.append(version.id)
    if let content = version.content { bytes.append(content) }
    if !parts.contains(.followsFormer) {
      bytes.append(count: UInt64(version.parents.count))
      for parent in version.parents { bytes.append(parent) }
    }
    bytes.append(text: version.kind.rawValue)
    bytes.append(signed: version.date)
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

  /// Reads an entry; nil where the bytes are none.
  ///
  /// - Parameters:
  ///   - former: the version of the entry before, where that is known.
  ///   - names: what the entry that begins so far before this one says; nil where none does.
  init?(
    decoding bytes: ArraySlice<UInt8>, after former: ObjectID?,
    names known: (Int) -> ListedVersion.Names?
  ) {
    var rest = EntryReader(rest: bytes)
    guard let state = rest.fixed(), let parts = rest.byte().map(Parts.init),
      let flags = rest.byte().map(ListedVersion.Flags.init), let count = rest.count(),
      let id = rest.id()
    else { return nil }
    let content = parts.contains(.content) ? rest.id() : nil
    var parents: [ObjectID] = []
    if parts.contains(.followsFormer) {
      guard let former else { return nil }
      parents = [former]
    } else {
      guard let count = rest.count(), count <= Head.limit else { return nil }
      for _ in 0..<count {
        guard let parent = rest.id() else { return nil }
        parents.append(parent)
      }
    }
    guard let kind = rest.text(), let date = rest.signed(), let age = rest.signed(),
      let size = rest.count(), let files = rest.count()
    else { return nil }
    let names: ListedVersion.Names?
    if parts.contains(.names) {
      guard let path = rest.text(), let author = rest.text(), let device = rest.text() else {
        return nil
      }
      // Stores come by copying, too, and names become paths.
      guard ContainerPath.isValid(path) else { return nil }
      names = ListedVersion.Names(path: path, author: author, device: device)
    } else {
      names = rest.count().flatMap(known)
    }
    let note = parts.contains(.note) ? rest.text() : nil
    guard let names, rest.isAtEnd, parts.contains(.note) == (note != nil),
      Record.Facts.isPossible(date: date, bytes: size, files: files)
    else { return nil }
    self.state = VersionIndex.State(number: state)
    self.count = count
    version = ListedVersion(
      id: id, parents: parents, content: content, kind: VersionKind(rawValue: kind), names: names,
      note: note, date: date, modified: date &+ age, bytes: size, files: files, flags: flags)
  }

  init(state: VersionIndex.State, count: Int, version: ListedVersion) {
    self.state = state
    self.count = count
    self.version = version
  }

  /// Whether the bytes of an entry say its names themselves.
  static func saysNames(_ bytes: ArraySlice<UInt8>) -> Bool {
    bytes.dropFirst(8).first.map { Parts(rawValue: $0).contains(.names) } ?? false
  }

  /// The state that the bytes of an entry begin with.
  static func state(of bytes: ArraySlice<UInt8>) -> VersionIndex.State? {
    var rest = EntryReader(rest: bytes)
    return rest.fixed().map(VersionIndex.State.init)
  }
}

/// Takes an entry's bytes apart, from its beginning.
private struct EntryReader {
  var rest: ArraySlice<UInt8>

  var isAtEnd: Bool { rest.isEmpty }

  mutating func byte() -> UInt8? { rest.popFirst() }

  mutating func fixed() -> UInt64? {
    guard rest.count >= 8 else { return nil }
    defer { rest.removeFirst(8) }
    return rest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
  }

  mutating func number() -> UInt64? {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 64, by: 7) {
      guard let byte = rest.popFirst() else { return nil }
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
    guard let id = ObjectID(raw: rest.prefix(20)) else { return nil }
    rest.removeFirst(20)
    return id
  }

  mutating func text() -> String? {
    guard let count = count(), count <= rest.count else { return nil }
    defer { rest.removeFirst(count) }
    return String(decoding: rest.prefix(count), as: UTF8.self)
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
