#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Writes a pack of objects, one after another, with its index: git's format, version 2
/// (`gitformat-pack`).
///
/// A pack and its index are two files, however many objects they hold, so a save waits for the disk as
/// often for a thousand objects as for one.
final class PackWriter {
  private let file: NewFile
  private let index: NewFile
  private let deflater: Deflater
  private let checksum = Checksum()
  private var entries: [PackIndex.Entry] = []
  /// Where the entries begin.
  private var places: [ObjectID: Int] = [:]
  private var size = 0
  private let announced: Int
  private let temporaryName: String
  private let folder: RepositoryFolder
  private let start: PackStart?

  /// Begins a pack.
  ///
  /// - Parameters:
  ///   - folder: the repository that it goes to.
  ///   - count: how many objects it will have: git wants to know first.
  ///   - start: what it begins with, beside these.
  init(
    in folder: RepositoryFolder, count: Int, startingWith start: PackStart? = nil
  ) throws(GitError) {
    self.folder = folder
    self.start = start
    // Not git's “tmp_”: `git prune --expire=now` would take that away while it is written.
    let name = "\(Self.temporaryPrefix)\(UInt64.random(in: .min ... .max))"
    temporaryName = name
    file = try NewFile(folder.cPath("objects/pack/\(name).pack\(Self.temporarySuffix)"), in: folder)
    index = try NewFile(folder.cPath("objects/pack/\(name).idx\(Self.temporarySuffix)"), in: folder)
    deflater = try Deflater()
    announced = count + (start?.entries.count ?? 0)
    places.reserveCapacity(announced)
    entries.reserveCapacity(announced)
    var header = Array("PACK".utf8)
    header.append(bigEndian: UInt32(2))
    header.append(bigEndian: UInt32(announced))
    try put(header)
    hold()
    guard let start else { return }
    for entry in start.entries { places[entry.id] = entry.offset }
    entries += start.entries
    try put(start.bytes)
  }

  /// Keeps other processes from removing the files while they are written.
  private func hold() {
    file.hold()
    index.hold()
  }

  /// Where the first entry of a pack begins, in bytes: after "PACK", the version, and how many there are.
  static var firstEntry: Int { 12 }

  /// The beginning of the names of packs that are not complete.
  static var temporaryPrefix: String { "docversions-" }
  /// The end of their extensions.
  fileprivate static var temporarySuffix: String { "-new" }

  /// Appends an object.
  ///
  /// - Parameter thoroughly: whether small is worth more than fast.
  func append(
    _ id: ObjectID, _ kind: ObjectKind, _ bytes: [UInt8], thoroughly: Bool = false
  ) throws(GitError) {
    var entry = Self.header(type: kind.number, size: bytes.count)
    entry += try deflater.deflate(bytes, thoroughly: thoroughly)
    try append(id, entry: entry)
  }

  /// Appends an object as changes to one that the pack has already.
  func append(_ id: ObjectID, delta: [UInt8], to base: ObjectID) throws(GitError) {
    guard let place = places[base] else { throw .malformed("\(base) is not in the pack yet") }
    try append(id, delta: delta, toEntryAt: place)
  }

  /// Appends an object as changes to the one whose entry begins at a place in the pack.
  func append(_ id: ObjectID, delta: [UInt8], toEntryAt place: Int) throws(GitError) {
    try append(
      id, deltaOf: delta.count, deflated: deflater.deflate(delta, thoroughly: true)[...],
      toEntryAt: place)
  }

  /// Appends an object as changes to one that is not in the pack: it can be read only where that one is.
  func append(_ id: ObjectID, delta: [UInt8], toOther base: ObjectID) throws(GitError) {
    let entry = Self.header(type: 7, size: delta.count) + base.bytes
    try append(id, entry: entry + deflater.deflate(delta, thoroughly: true))
  }

  /// Appends changes as they stand in another pack, to an object that this one has already.
  ///
  /// - Parameter size: bytes of the changes when inflated.
  func append(
    _ id: ObjectID, deltaOf size: Int, deflated: ArraySlice<UInt8>, to base: ObjectID
  ) throws(GitError) {
    guard let place = places[base] else { throw .malformed("\(base) is not in the pack yet") }
    try append(id, deltaOf: size, deflated: deflated, toEntryAt: place)
  }

  private func append(
    _ id: ObjectID, deltaOf deltaSize: Int, deflated: ArraySlice<UInt8>, toEntryAt place: Int
  ) throws(GitError) {
    // The distance in groups of seven bits, each but the last one less: no two encodings mean the same.
    var rest = size - place
    var distance = [UInt8(rest & 127)]
    while rest > 127 {
      rest = rest >> 7 - 1
      distance.insert(0x80 | UInt8(rest & 127), at: 0)
    }
    try append(id, entry: Self.header(type: 6, size: deltaSize) + distance + deflated)
  }

  /// Appends an entry as it stands in another pack.
  func append(_ id: ObjectID, entry: [UInt8]) throws(GitError) {
    guard places.updateValue(size, forKey: id) == nil else {
      throw .malformed("\(id) is in a pack twice")
    }
    entries.append(
      PackIndex.Entry(id: id, offset: size, check: CyclicCheck.crc32(entry)))
    try put(entry)
  }

  /// Ends the pack; it is not on the disk yet, and has no name.
  func finish() throws(GitError) -> FinishedPack {
    guard entries.count == announced else {
      throw .malformed("a pack has \(entries.count) objects instead of \(announced)")
    }
    let checksum = checksum.finish()
    try file.append(checksum.bytes)
    try file.flush()
    try index.append(PackIndex(entries, packChecksum: checksum).encoded())
    try index.flush()
    return FinishedPack(
      name: "pack-\(checksum)", size: size + 20, former: start?.pack.name,
      temporaryName: temporaryName, file: file, index: index, folder: folder)
  }

  private func put(_ bytes: [UInt8]) throws(GitError) {
    checksum.update(bytes)
    size += bytes.count
    try file.append(bytes)
  }

  /// An entry's header: three bits for the kind, the size in groups of seven bits after four.
  private static func header(type: UInt8, size: Int) -> [UInt8] {
    var byte = type << 4 | UInt8(size & 15)
    var rest = size >> 4
    var header: [UInt8] = []
    while rest > 0 {
      header.append(byte | 0x80)
      byte = UInt8(rest & 127)
      rest >>= 7
    }
    return header + [byte]
  }
}

/// A pack that is written, and waits for its name.
struct FinishedPack {
  /// The name that it shall have, without an extension.
  let name: String
  /// Bytes of the pack.
  let size: Int
  /// The pack that it begins with.
  fileprivate let former: String?
  /// The name that it has now.
  fileprivate let temporaryName: String
  fileprivate let file: NewFile
  fileprivate let index: NewFile
  fileprivate let folder: RepositoryFolder

  /// The name of the file that it is in now, in the folder of packs; it goes with this value.
  var fileName: String { temporaryName + ".pack" + PackWriter.temporarySuffix }

  /// The bytes to wait for before the pack gets its name.
  var pendingWrites: [PendingWrite] { [file.pendingWrite, index.pendingWrite] }

  /// Waits until the bytes are on the disk, and gives the pack its name.
  func publish(isNew: Bool) throws(GitError) {
    try folder.wait(for: pendingWrites)
    try place(isNew: isNew)
  }

  /// Reads objects back before the pack has its name: packs that it is to replace go only when they are well.
  ///
  /// - Parameters:
  ///   - ids: the objects, each of which must be there.
  ///   - check: what they are checked for.
  ///   - advance: is given every object’s size.
  func readBack(
    _ ids: [ObjectID], checking check: ObjectCheck, advance: (Int) throws -> Void
  ) throws {
    let packs = PackFolder(in: folder)
    guard let pack = try OpenPack(temporaryName, in: packs, suffix: PackWriter.temporarySuffix)
    else { throw GitError.malformed("the new pack went away while it was written") }
    if ids.count >= Self.manyObjects, pack.size <= OpenPack.mostKept {
      // One that is cut short shows below.
      _ = try pack.readWhole()
    }
    let written = PackSet(only: pack, in: packs, checking: check)
    for id in ids {
      guard let object = try written.read(id) else { throw GitError.notFound(id) }
      try advance(object.bytes.count)
    }
  }

  /// From this number on, reading all of a pack is faster than reading entries one by one.
  private static let manyObjects = 256

  /// Gives the pack its name; on return that is on the disk.
  ///
  /// The index comes last: git finds packs by their indexes.
  ///
  /// - Parameter isNew: whether nothing refers to its objects yet. A mark then keeps git from
  ///   repacking it, and so from dropping what is not reachable: `git gc --prune=now` would.
  func place(isNew: Bool) throws(GitError) {
    if isNew { try mark() }
    try file.place(at: path(".pack"))
    try index.place(at: path(".idx"))
    try folder.synchronize("objects/pack")
  }

  private func mark() throws(GitError) {
    // The mark of the pack that this one is to replace is taken over: what that has is reachable by now.
    if let former, former != name, unsafe rename(path(".keep", of: former), path(".keep")) == 0 {
      return
    }
    // The same pack may have been written before, by a process that was killed.
    do { try NewFile(path(".keep"), in: folder).leave() } catch  where error.isLocked {}
  }

  private func path(_ suffix: String) -> [CChar] {
    path(suffix, of: name)
  }

  private func path(_ suffix: String, of name: String) -> [CChar] {
    folder.cPath("objects/pack/\(name)\(suffix)")
  }
}
