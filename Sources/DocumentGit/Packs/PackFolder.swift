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

    /// The time since then, in seconds.
    var age: Int { time(nil) - modified }
  }

  let files: FileFolder

  init(in folder: RepositoryFolder) {
    files = folder.files(in: "objects/pack")
  }

  /// - Parameter path: a folder of packs, as a C string.
  init(_ path: [CChar]) {
    files = FileFolder(path)
  }

  /// The packs that have an index.
  func packs() throws(GitError) -> [Pack] {
    // A pack that goes meanwhile has another one in its place: the next listing shows that.
    for _ in 0..<Self.mostLists {
      if let packs = try packsWithoutGaps() { return packs }
    }
    throw .packsKeepChanging
  }

  static let mostLists = 1_000

  /// The same; nil where one has gone since its name was read.
  private func packsWithoutGaps() throws(GitError) -> [Pack]? {
    var packs: [Pack] = []
    for name in try packNames() {
      guard let status = try files.status(of: name + ".pack") else { return nil }
      packs.append(
        Pack(name: name, size: Int(status.st_size), modified: status.modified))
    }
    return packs
  }

  /// The names of the packs that have an index, in order.
  func packNames() throws(GitError) -> [String] {
    let names = try files.names()
    let packs = Set(names.compactMap { Self.stem(of: $0, before: ".pack") })
    return names.compactMap { Self.stem(of: $0, before: ".idx") }.filter(packs.contains).sorted()
  }

  /// The part before an extension; nil for a name that has another one.
  private static func stem(of name: String, before suffix: String) -> String? {
    // By bytes: to find out where a person would see a character end takes a hundred times as long.
    let start = name.utf8.count - suffix.utf8.count
    guard start >= 0, name.utf8.dropFirst(start).elementsEqual(suffix.utf8) else { return nil }
    return String(Substring(name.utf8.prefix(start)))
  }

  /// Removes a pack: its index first, because git finds packs by it; and before it an index of several packs, in which
  /// git would miss it.
  func removePack(_ name: String) throws(GitError) {
    try files.remove("multi-pack-index")
    for suffix in [".idx", ".pack", ".keep"] { try files.remove(name + suffix) }
  }
}

extension GitError {
  static let packsKeepChanging = GitError.malformed("the packs keep changing")
}

extension PackFolder {
  /// Removes temporary files of processes that were killed while they wrote or compacted packs.
  ///
  /// The caller holds the store's lock, so only a ``PackCompaction`` still uses such files.
  func removeTemporaryFiles() throws(GitError) {
    let names = try files.names()
    for name in names where Self.isTemporary(name) {
      if !files.isHeld(name) { try files.remove(name) }
    }
    let orphans = Self.orphans(among: names)
    guard !orphans.isEmpty else { return }
    // Git gives a pack its name an instant before it gives the index one.
    usleep(200_000)
    let now = Set(try files.names())
    for name in orphans where !now.contains(name.prefix { $0 != "." } + ".idx") {
      try files.remove(name)
    }
  }

  /// Removes temporary files in a folder to which other devices write too: only those of incomplete packs that no process is writing.
  ///
  /// A syncing tool brings files in any order: a pack without an index may still get it.
  func removeUnfinishedPacks(olderThan age: Int) throws(GitError) {
    for name in try files.names() where Self.isTemporary(name) {
      guard let status = try files.status(of: name), time(nil) - status.modified >= age
      else {
        continue
      }
      if !files.isHeld(name) { try files.remove(name) }
    }
  }

  /// Returns whether a file is a temporary one of a process that was killed, ours or git's.
  func isAbandoned(_ name: String) -> Bool {
    Self.isTemporary(name) ? !files.isHeld(name) : name.hasPrefix("tmp_")
  }

  /// Returns whether ``removeTemporaryFiles()`` has something to remove, or to check, among the files of these names.
  static func hasTemporaryFiles(among names: [String]) -> Bool {
    names.contains(where: isTemporary) || !orphans(among: names).isEmpty
  }

  /// Lists the packs by their names without an extension, whole or half, each with its size in bytes.
  ///
  /// - Parameter isIndexCounted: whether the bytes of its index count, too.
  func sizes(countingIndexes isIndexCounted: Bool) throws(GitError) -> [String: Int] {
    var sizes: [String: Int] = [:]
    for name in try files.names() where name.hasSuffix(".pack") || name.hasSuffix(".idx") {
      let stem = String(name.prefix { $0 != "." })
      guard !Self.isTemporary(stem) else { continue }
      let isCounted = isIndexCounted || name.hasSuffix(".pack")
      sizes[stem, default: 0] += isCounted ? try files.size(of: name) ?? 0 : 0
    }
    return sizes
  }

  /// Returns whether a file of that name is a pack that is not complete.
  private static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(PackWriter.temporaryPrefix)
  }

  /// The files that belong to an index which is not there.
  private static func orphans(among names: [String]) -> [String] {
    let indexes = Set(names.compactMap { stem(of: $0, before: ".idx") })
    return names.filter { name in
      guard let stem = stem(of: name, before: ".pack") ?? stem(of: name, before: ".keep") else {
        return false
      }
      return !stem.utf8.contains(UInt8(ascii: ".")) && !indexes.contains(stem)
    }
  }
}
