internal import CGit2

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The packs of a repository, as files.
struct PackFolder {
  /// A pack with its index.
  struct Pack {
    /// The name without its extension.
    let name: String
    /// Bytes of the pack.
    let size: Int
    /// When it was written, in seconds since 1970.
    let modified: Int

    /// How long ago that was, in seconds.
    var age: Int { time(nil) - modified }
  }

  private let path: [CChar]

  init(of repository: borrowing Repository) {
    self.init(inRepository: repository.path)
  }

  /// - Parameter path: the repository's folder, as a C string.
  init(inRepository path: [CChar]) {
    self.init(path.appending("/objects/pack"))
  }

  /// - Parameter path: a folder of objects, as a C string.
  init(_ path: [CChar]) {
    self.path = path
  }

  /// The packs that have an index.
  func packs() throws(GitError) -> [Pack] {
    // A pack that goes while somebody looks has another one in its place: that shows in the next look.
    for _ in 0..<Self.mostLooks {
      if let packs = try packsWithoutGaps() { return packs }
    }
    throw .packsKeepChanging
  }

  static let mostLooks = 1_000

  /// The same; nil where one has gone since its name was read.
  private func packsWithoutGaps() throws(GitError) -> [Pack]? {
    var packs: [Pack] = []
    for name in try packNames() {
      guard let status = try status(of: name + ".pack") else { return nil }
      packs.append(
        Pack(name: name, size: Int(status.st_size), modified: status.modified))
    }
    return packs
  }

  /// The names of the packs that have an index, in order.
  func packNames() throws(GitError) -> [String] {
    let names = try names()
    let packs = Set(names.compactMap { Self.stem(of: $0, before: ".pack") })
    return names.compactMap { Self.stem(of: $0, before: ".idx") }.filter(packs.contains).sorted()
  }

  /// What stands before an extension; nil for a name that has another one.
  private static func stem(of name: String, before suffix: String) -> String? {
    // By bytes: to find out where a person would see a character end takes a hundred times as long.
    let start = name.utf8.count - suffix.utf8.count
    guard start >= 0, name.utf8.dropFirst(start).elementsEqual(suffix.utf8) else { return nil }
    return String(Substring(name.utf8.prefix(start)))
  }

  /// The names in the folder.
  func names() throws(GitError) -> [String] {
    guard let stream = unsafe opendir(path) else {
      if errno == ENOENT { return [] }
      throw .fromSystem("list packs", errno)
    }
    defer { unsafe closedir(stream) }
    var names: [String] = []
    while true {
      errno = 0
      guard let entry = unsafe readdir(stream) else { break }
      let name = unsafe withUnsafeBytes(of: &entry.pointee.d_name) {
        unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    // A list that was cut short would make what is missing look as if nobody needed the rest.
    guard errno == 0 else { throw .fromSystem("list packs", errno) }
    return names
  }

  /// Reads a file of the folder; nil when it is not there.
  ///
  /// - Parameter most: a larger one is refused.
  func readIfThere(_ name: String, upTo most: Int) throws(GitError) -> [UInt8]? {
    guard let file = try openIfThere(name) else { return nil }
    defer { close(file.descriptor) }
    guard file.size <= most else {
      throw .malformed("“\(name)” has \(file.size) bytes, more than it may have")
    }
    let bytes = try readPart(0..<file.size, of: file.descriptor, "read \(name)")
    guard bytes.count == file.size else { throw .malformed("“\(name)” was cut while it was read") }
    return bytes
  }

  /// A file that was opened, for whoever closes it.
  struct File {
    let descriptor: Int32
    /// Its bytes.
    let size: Int
    /// When it was written, in nanoseconds since 1970.
    let modified: Int
  }

  /// Opens a file of the folder; nil when it is not there.
  func openIfThere(_ name: String) throws(GitError) -> File? {
    let descriptor = unsafe open(file(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    if descriptor < 0, errno == ENOENT { return nil }
    guard descriptor >= 0 else { throw .fromSystem("read \(name)", errno) }
    var status = stat()
    let cause = unsafe fstat(descriptor, &status) == 0 ? 0 : errno
    guard cause == 0, status.st_mode & S_IFMT == S_IFREG else {
      close(descriptor)
      throw cause == 0 ? .malformed("“\(name)” is not a file") : .fromSystem("read \(name)", cause)
    }
    return File(
      descriptor: descriptor, size: Int(status.st_size), modified: status.modifiedNanoseconds)
  }

  /// Removes a file of the folder, if it is there.
  func remove(_ name: String) throws(GitError) {
    guard unsafe unlink(file(name)) != 0, errno != ENOENT else { return }
    throw .fromSystem("remove \(name)", errno)
  }

  /// Removes a pack: its index first, for that is what git looks for; and before it an index of several packs, in which
  /// git would miss it.
  func removePack(_ name: String) throws(GitError) {
    try remove("multi-pack-index")
    for suffix in [".idx", ".pack", ".keep"] { try remove(name + suffix) }
  }

  /// The size of a file of the folder; nil when it is not there.
  func size(of name: String) throws(GitError) -> Int? {
    try status(of: name).map { Int($0.st_size) }
  }

  private func status(of name: String) throws(GitError) -> stat? {
    var status = stat()
    if unsafe lstat(file(name), &status) == 0 { return status }
    if errno == ENOENT { return nil }
    throw .fromSystem("look at \(name)", errno)
  }

  private func file(_ name: String) -> [CChar] {
    path.appending("/\(name)")
  }
}

extension GitError {
  static let packsKeepChanging = GitError.malformed("the packs keep changing")
}

extension PackFolder {
  /// What a process leaves that is killed while it writes or folds packs.
  ///
  /// The caller holds the store's lock, so nothing of ours is in use but by a ``PackFold``.
  func removeLeftovers() throws(GitError) {
    let names = try names()
    for name in names where Self.isPassing(name) {
      if !isInUse(name) { try remove(name) }
    }
    let orphans = Self.orphans(among: names)
    guard !orphans.isEmpty else { return }
    // Git gives a pack its name an instant before it gives the index one.
    usleep(200_000)
    let now = Set(try self.names())
    for name in orphans where !now.contains(name.prefix { $0 != "." } + ".idx") { try remove(name) }
  }

  /// The same in a folder to which other devices write too: only what was never complete, and is old.
  ///
  /// What carries their files brings them in any order: a pack without an index may still get it.
  func removeOldLeftovers() throws(GitError) {
    for name in try names() where Self.isPassing(name) {
      guard let status = try status(of: name), time(nil) - status.modified >= Self.oldAge else {
        continue
      }
      if !isInUse(name) { try remove(name) }
    }
  }

  /// Nobody writes a pack for longer, in seconds.
  private static var oldAge: Int { 24 * 60 * 60 }

  /// Whether somebody writes a file of the folder just now, and holds it meanwhile, or has given it another name.
  fileprivate func isInUse(_ name: String) -> Bool {
    let descriptor = unsafe open(file(name), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return errno == ENOENT }
    defer { close(descriptor) }
    return flock(descriptor, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK
  }

  /// Whether a file of that name is a pack that is not complete.
  fileprivate static func isPassing(_ name: String) -> Bool {
    name.hasPrefix(PackWriter.passingPrefix)
  }

  /// The files that belong to an index which is not there.
  fileprivate static func orphans(among names: [String]) -> [String] {
    let indexes = Set(names.compactMap { stem(of: $0, before: ".idx") })
    return names.filter { name in
      guard let stem = stem(of: name, before: ".pack") ?? stem(of: name, before: ".keep") else {
        return false
      }
      return !stem.utf8.contains(UInt8(ascii: ".")) && !indexes.contains(stem)
    }
  }
}

extension Repository {
  /// Removes what a process left that was killed while it wrote or folded packs.
  ///
  /// The caller holds the store's lock.
  package func removeLeftovers() throws(GitError) {
    try PackFolder(of: self).removeLeftovers()
  }

  /// The same where other devices write, too, whose files arrive in any order: only what was never complete, and
  /// is a day old, goes.
  ///
  /// The caller holds the repository's lock.
  package func removeOldLeftovers() throws(GitError) {
    try PackFolder(of: self).removeOldLeftovers()
  }

  /// Whether a file in the folder of packs is one that a process left which was killed.
  package func isLeftover(pack name: String) -> Bool {
    PackFolder.isPassing(name)
      ? !PackFolder(of: self).isInUse(name) : name.hasPrefix("tmp_")
  }

  /// Whether something is among the files in the folder of packs for ``removeLeftovers()`` to remove, or to look at.
  package static func hasLeftovers(amongPacks names: [String]) -> Bool {
    names.contains(where: PackFolder.isPassing) || !PackFolder.orphans(among: names).isEmpty
  }
}

extension stat {
  /// When the file was modified, in seconds since 1970.
  var modified: Int { modificationTime.tv_sec }

  /// The same in nanoseconds; whatever a damaged disk says, it is a number.
  fileprivate var modifiedNanoseconds: Int {
    modificationTime.tv_sec &* 1_000_000_000 &+ modificationTime.tv_nsec
  }

  private var modificationTime: timespec {
    #if canImport(Darwin)
    st_mtimespec
    #else
    st_mtim
    #endif
  }
}
