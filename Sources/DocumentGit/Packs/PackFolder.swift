internal import DocumentFiles
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The pack files of a repository.
struct PackFolder {
  /// A pack with its index.
  struct Pack {
    /// The name without its extension.
    let name: String
    let status: FileStatus
  }

  let files: FileFolder

  init(in folder: RepositoryFolder) {
    files = folder.files(in: "objects/pack")
  }

  /// - Parameter path: a folder of packs.
  init(_ path: FilePath) {
    files = FileFolder(path)
  }

  /// Lists the packs that have an index.
  func packs() throws(GitError) -> [Pack] {
    // A pack that is removed in the meantime has a replacement, which the next listing shows.
    for _ in 0..<Self.mostLists {
      if let packs = try packsWithoutGaps() { return packs }
    }
    throw .packsKeepChanging
  }

  static let mostLists = 1_000

  /// Lists the packs; `nil` if one was removed since its name was read.
  private func packsWithoutGaps() throws(GitError) -> [Pack]? {
    var packs: [Pack] = []
    for name in try packNames() {
      guard let status = try files.status(of: name + ".pack") else { return nil }
      packs.append(Pack(name: name, status: status))
    }
    return packs
  }

  /// Lists the names of the packs that have an index, in order.
  func packNames() throws(GitError) -> [String] {
    let names = try files.names()
    let packs = Set(names.compactMap { Self.stem(of: $0, before: ".pack") })
    return names.compactMap { Self.stem(of: $0, before: ".idx") }.filter(packs.contains)
  }

  /// Returns the name without an extension; `nil` for a name with another extension.
  private static func stem(of name: String, before suffix: String) -> String? {
    // In bytes, because finding the boundaries of characters takes a hundred times as long.
    let start = name.utf8.count - suffix.utf8.count
    guard start >= 0, name.utf8.dropFirst(start).elementsEqual(suffix.utf8) else { return nil }
    return String(Substring(name.utf8.prefix(start)))
  }

  /// Removes a multi-pack index, in which git would miss the pack, then the pack's index, by which git finds it, and
  /// then the pack.
  func removePack(_ name: String) throws(GitError) {
    try files.remove("multi-pack-index")
    for suffix in [".idx", ".pack", ".keep"] { try files.remove(name + suffix) }
  }
}

extension GitError {
  static let packsKeepChanging = GitError.malformed("the packs keep changing")
}

extension PackFolder {
  /// Removes temporary files of processes that were killed while writing or compacting packs.
  ///
  /// The caller holds the store's lock, so only a ``PackCompaction`` still uses such files.
  func removeTemporaryFiles() throws(GitError) {
    let names = try files.names()
    for name in names where Self.isTemporary(name) {
      if !files.isHeld(name) { try files.remove(name) }
    }
    let orphans = Self.orphans(among: names)
    guard !orphans.isEmpty else { return }
    // Git names a pack an instant before its index.
    usleep(200_000)
    let now = Set(try files.names())
    for name in orphans where !now.contains(name.prefix { $0 != "." } + ".idx") {
      try files.remove(name)
    }
  }

  /// Removes temporary files of incomplete packs that no process is writing, in a folder that other devices write, too.
  ///
  /// A sync tool delivers files in any order, so a pack without an index may still get one. A pack whose process was
  /// killed before the index had its name gets it.
  func removeUnfinishedPacks(olderThan age: Int) throws(GitError) {
    for name in try files.names() where Self.isTemporary(name) {
      guard let status = try files.status(of: name), status.age >= age, !files.isHeld(name) else {
        continue
      }
      if let pack = try packLackingIndex(name) {
        try files.move(name, over: pack + ".idx")
      } else {
        try files.remove(name)
      }
    }
  }

  /// Returns the name of the pack to which a temporary file belongs as its index; `nil` if it isn't the complete index of
  /// a pack without one.
  private func packLackingIndex(_ name: String) throws(GitError) -> String? {
    guard name.hasSuffix(".idx" + PackWriter.temporarySuffix),
      let bytes = try files.readIfThere(name, upTo: .max),
      Checksum.of(bytes.dropLast(20)) == ObjectID(raw: bytes.suffix(20)),
      let checksum = ObjectID(raw: bytes.dropLast(20).suffix(20))
    else { return nil }
    let pack = "pack-\(checksum)"
    guard try files.status(of: pack + ".pack") != nil, try files.status(of: pack + ".idx") == nil
    else { return nil }
    return pack
  }

  /// Returns whether a file is a temporary file of a killed process, of docversions or git.
  func isAbandoned(_ name: String) -> Bool {
    Self.isTemporary(name) ? !files.isHeld(name) : name.hasPrefix("tmp_")
  }

  /// Returns whether ``removeTemporaryFiles()`` has files with these names to remove or to check.
  static func hasTemporaryFiles(among names: [String]) -> Bool {
    names.contains(where: isTemporary) || !orphans(among: names).isEmpty
  }

  /// Returns the sizes of packs in bytes by their names without an extension, including packs without an index.
  ///
  /// - Parameter isIndexCounted: whether the size includes the index.
  func sizes(countingIndexes isIndexCounted: Bool) throws(GitError) -> [String: Int] {
    var sizes: [String: Int] = [:]
    for name in try files.names() where name.hasSuffix(".pack") || name.hasSuffix(".idx") {
      let stem = String(name.prefix { $0 != "." })
      guard !Self.isTemporary(stem) else { continue }
      let isCounted = isIndexCounted || name.hasSuffix(".pack")
      sizes[stem, default: 0] += isCounted ? try files.status(of: name)?.size ?? 0 : 0
    }
    return sizes
  }

  /// Returns whether a file with a name is an incomplete pack.
  private static func isTemporary(_ name: String) -> Bool {
    name.hasPrefix(PackWriter.temporaryPrefix)
  }

  /// Returns the files that belong to a missing index.
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
