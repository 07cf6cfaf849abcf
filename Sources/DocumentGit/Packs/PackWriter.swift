internal import DocumentFiles
internal import SystemPackage

/// Writes a pack of objects with its index, in git's format, version 2 (`gitformat-pack`).
///
/// A pack and its index are two files, regardless of the number of objects, so a save of a thousand objects needs as
/// many waits for the disk as a save of one.
final class PackWriter {
  private let file: UnplacedFile
  private let index: UnplacedFile
  private let deflater: Deflater
  private let checksum = Checksum()
  private var entries: [PackIndex.Entry] = []
  /// The positions of the entries.
  private var places: [ObjectID: Int] = [:]
  private var size = 0
  private let announced: Int
  private let temporaryName: String
  private let folder: RepositoryFolder
  private let start: PackStart?

  /// Starts a pack.
  ///
  /// - Parameters:
  ///   - folder: the repository of the pack.
  ///   - count: the number of objects, which comes first in the format.
  ///   - start: additional entries at the beginning.
  init(
    in folder: RepositoryFolder, count: Int, startingWith start: PackStart? = nil
  ) throws(GitError) {
    self.folder = folder
    self.start = start
    // Not git's “tmp_”, because `git prune --expire=now` would remove the file while it is written.
    let name = "\(Self.temporaryPrefix)\(UInt64.random(in: .min ... .max))"
    temporaryName = name
    let path = "objects/pack/\(name)"
    file = try UnplacedFile(folder.path("\(path).pack\(Self.temporarySuffix)"), in: folder)
    index = try UnplacedFile(folder.path("\(path).idx\(Self.temporarySuffix)"), in: folder)
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

  /// Prevents other processes from removing the files while they are written.
  private func hold() {
    file.hold()
    index.hold()
  }

  /// The position of the first entry in bytes, after "PACK", the version, and the number of objects.
  static var firstEntry: Int { 12 }

  /// The prefix of the names of incomplete packs.
  static var temporaryPrefix: String { "docversions-" }
  /// The suffix of their extensions.
  static var temporarySuffix: String { "-new" }

  /// Appends an object.
  ///
  /// - Parameter thoroughly: whether to prefer size over speed.
  func append(
    _ id: ObjectID, _ kind: ObjectKind, _ bytes: [UInt8], thoroughly: Bool = false
  ) throws(GitError) {
    var entry = Self.header(type: kind.number, size: bytes.count)
    entry += try deflater.deflate(bytes, thoroughly: thoroughly)
    try append(id, entry: entry)
  }

  /// Appends an object; one that comes from another pack is copied unchanged.
  func append(_ object: GitObject) throws {
    if let entry = object.entry {
      try append(object.id, entry: entry)
    } else {
      try append(object.id, object.kind, object.bytes())
    }
  }

  /// Appends an object as a delta of an object in the pack.
  func append(_ id: ObjectID, delta: [UInt8], to base: ObjectID) throws(GitError) {
    try append(
      id, deltaOf: delta.count, deflated: deflater.deflate(delta, thoroughly: true)[...], to: base)
  }

  /// Appends an object as a delta of the object at a position in the pack.
  func append(_ id: ObjectID, delta: [UInt8], toEntryAt place: Int) throws(GitError) {
    try append(
      id, deltaOf: delta.count, deflated: deflater.deflate(delta, thoroughly: true)[...],
      toEntryAt: place)
  }

  /// Appends an object as a delta of an object outside the pack, which is needed to read it.
  func append(_ id: ObjectID, delta: [UInt8], toOther base: ObjectID) throws(GitError) {
    let entry = Self.header(type: 7, size: delta.count) + base.bytes
    try append(id, entry: entry + deflater.deflate(delta, thoroughly: true))
  }

  /// Appends a delta from another pack, unchanged, of an object in this pack.
  ///
  /// - Parameter size: the size of the inflated delta in bytes.
  func append(
    _ id: ObjectID, deltaOf size: Int, deflated: ArraySlice<UInt8>, to base: ObjectID
  ) throws(GitError) {
    guard let place = places[base] else { throw .malformed("\(base) is not in the pack yet") }
    try append(id, deltaOf: size, deflated: deflated, toEntryAt: place)
  }

  private func append(
    _ id: ObjectID, deltaOf deltaSize: Int, deflated: ArraySlice<UInt8>, toEntryAt place: Int
  ) throws(GitError) {
    // The distance in groups of seven bits, each except the last reduced by one, so that encodings are unique.
    var rest = size - place
    var distance = [UInt8(rest & 127)]
    while rest > 127 {
      rest = rest >> 7 - 1
      distance.insert(0x80 | UInt8(rest & 127), at: 0)
    }
    try append(id, entry: Self.header(type: 6, size: deltaSize) + distance + deflated)
  }

  /// Appends an entry from another pack, unchanged.
  func append(_ id: ObjectID, entry: [UInt8]) throws(GitError) {
    guard places.updateValue(size, forKey: id) == nil else {
      throw .malformed("\(id) is in a pack twice")
    }
    entries.append(
      PackIndex.Entry(id: id, offset: size, check: CyclicCheck.crc32(entry)))
    try put(entry)
  }

  /// Completes the pack, which isn't on disk yet, and has no final name.
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

  /// Encodes an entry's header: three bits for the kind, then the size in four bits and groups of seven bits.
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

/// A written pack without its final name.
struct FinishedPack {
  /// The final name, without an extension.
  let name: String
  /// The size of the pack in bytes.
  let size: Int
  /// The pack whose entries it begins with.
  fileprivate let former: String?
  /// The temporary name.
  fileprivate let temporaryName: String
  fileprivate let file: UnplacedFile
  fileprivate let index: UnplacedFile
  fileprivate let folder: RepositoryFolder

  /// The name of the temporary file in the folder of packs, which is removed with this value.
  var fileName: String { temporaryName + ".pack" + PackWriter.temporarySuffix }

  /// The files to wait for before the pack gets its final name.
  var files: [UnplacedFile] { [file, index] }

  /// Waits until the bytes are on disk, and gives the pack its final name.
  func publish() throws(GitError) {
    try folder.wait(for: files)
    try place(isNew: true)
  }

  /// Reads objects back before the pack gets its final name, so that packs are replaced only by a sound one.
  ///
  /// - Parameters:
  ///   - ids: the objects, each of which must exist.
  ///   - check: the checks of the objects.
  ///   - advance: receives every object’s size.
  func readBack(
    _ ids: [ObjectID], checking check: ObjectCheck, advance: (Int) throws -> Void
  ) throws {
    let packs = PackFolder(in: folder)
    guard let pack = try OpenPack(temporaryName, in: packs, suffix: PackWriter.temporarySuffix)
    else { throw GitError.malformed("the new pack went away while it was written") }
    if ids.count >= Self.manyObjects, pack.size <= OpenPack.mostKept {
      // A truncated pack is detected below.
      _ = try pack.readWhole()
    }
    let written = PackSet(only: pack, in: packs, checking: check)
    for id in ids {
      guard let object = try written.read(id) else { throw GitError.notFound(id) }
      try advance(object.bytes.count)
    }
  }

  /// From this number of objects, reading a whole pack is faster than reading individual entries.
  private static let manyObjects = 256

  /// Gives the pack its final name; on return, the name is on disk.
  ///
  /// The index comes last, because git finds packs by their indexes.
  ///
  /// - Parameter isNew: whether nothing refers to its objects yet. A mark then prevents git from repacking it and
  ///   dropping unreachable objects, as `git gc --prune=now` would.
  func place(isNew: Bool) throws(GitError) {
    if isNew { try mark() }
    try file.place(at: path(".pack"))
    try index.place(at: path(".idx"))
    try folder.synchronize("objects/pack")
  }

  private func mark() throws(GitError) {
    // The mark of the replaced pack is reused, because that pack's objects are reachable by now.
    if let former, former != name {
      do { return try path(".keep", of: former).move(over: path(".keep")) } catch {}
    }
    // A killed process may have written the same pack before.
    do { try UnplacedFile(path(".keep"), in: folder).leave() } catch  where error.isLocked {}
  }

  private func path(_ suffix: String) -> FilePath {
    path(suffix, of: name)
  }

  private func path(_ suffix: String, of name: String) -> FilePath {
    folder.path("objects/pack/\(name)\(suffix)")
  }
}
