internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The references of a store as its files contain them, including damaged ones.
///
/// libgit2 doesn't read them here, because it skips damaged references, and opens no repository without a
/// `HEAD`.
struct StoredReferences: Equatable {
  struct Reference: Equatable {
    let target: ObjectID
    /// The file that contains the reference, relative to the store.
    let file: String
  }

  struct Damage: Equatable {
    let file: String
    /// The damage, in words that follow the file’s name.
    let words: String
  }

  /// The references, by their full names.
  private(set) var references: [String: Reference] = [:]
  private(set) var damage: [Damage] = []
  /// The target of `HEAD`; `nil` if it is missing or damaged.
  private(set) var head: RepositoryHead?
  /// The locks that guard references while they move.
  private(set) var locks: [String] = []

  init(in store: FilePath) throws {
    try readHead(in: store)
    try readPacked(in: store)
    try readFolder(StoreFile.references.name, in: store, depth: 0)
  }

  /// Returns the references below a prefix.
  func below(_ prefix: String) -> [(name: String, reference: Reference)] {
    references.filter { $0.key.hasPrefix(prefix) }.map { (name: $0.key, reference: $0.value) }
      .sorted { $0.name < $1.name }
  }

  private mutating func readHead(in store: FilePath) throws {
    guard let bytes = try read(StoreFile.head.name, in: store) else { return }
    if let id = Self.identifier(line: bytes) {
      head = .detached(id)
    } else if bytes.starts(with: "ref: \(HeadName.prefix)".utf8), bytes.last == UInt8(ascii: "\n"),
      let text = String(validating: bytes.dropFirst(5).dropLast(), as: UTF8.self)
    {
      head = .attached(text)
    }
  }

  private mutating func readFolder(_ folder: String, in store: FilePath, depth: Int) throws {
    let path = store.pushing(FilePath(folder))
    guard try FileStatus.of(path)?.kind == .folder, depth < 16 else { return }
    for bytes in try Folder.names(in: path) {
      guard let name = String(validating: bytes, as: UTF8.self) else {
        damage.append(Damage(file: folder, words: "has a name in it that is none"))
        continue
      }
      let file = "\(folder)/\(name)"
      if try FileStatus.of(path.appending(bytes: bytes))?.kind == .folder {
        try readFolder(file, in: store, depth: depth + 1)
      } else if name.hasSuffix(StoreFile.lockSuffix) {
        locks.append(file)
      } else if let bytes = try read(file, in: store) {
        references[file] = Self.identifier(line: bytes).map { Reference(target: $0, file: file) }
        if references[file] == nil { damage.append(Damage(file: file, words: "is damaged")) }
      }
    }
  }

  /// Reads `packed-refs`: a line for each reference, and a further line with the target of a tag.
  private mutating func readPacked(in store: FilePath) throws {
    guard let bytes = try read(Self.packed, in: store) else { return }
    var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
    var former = ""
    var isSound = lines.popLast()?.isEmpty == true
    for (number, line) in lines.enumerated() {
      let text = String(decoding: line, as: UTF8.self)
      if number == 0, text.hasPrefix("# pack-refs with: ") { continue }
      if text.hasPrefix("^"), number > 0, ObjectID(hexadecimal: text.dropFirst()) != nil {
        continue
      }
      let name = String(text.dropFirst(41))
      guard let id = ObjectID(hexadecimal: line.prefix(40)), text.dropFirst(40).first == " ",
        name.hasPrefix(StoreFile.references.prefix),
        name.utf8.lexicographicallyPrecedes(former.utf8) == false
      else {
        isSound = false
        continue
      }
      former = name
      references[name] = Reference(target: id, file: Self.packed)
    }
    if !isSound { damage.append(Damage(file: Self.packed, words: "is damaged")) }
  }

  /// Returns the bytes of a file; `nil` if it is missing, or if it is damaged, which is recorded.
  private mutating func read(_ name: String, in store: FilePath) throws -> [UInt8]? {
    do {
      return try SmallFile.read(store.pushing(FilePath(name)), limit: 64 << 20)
    } catch {
      guard [.unsupportedKind, .tooLarge].contains(error.code) else { throw error }
      damage.append(Damage(file: name, words: "is invalid"))
      return nil
    }
  }

  private static let packed = StoreFile.packedReferences.name

  /// Returns the id in a file with a single line.
  private static func identifier(line bytes: [UInt8]) -> ObjectID? {
    bytes.count == 41 && bytes.last == UInt8(ascii: "\n")
      ? ObjectID(hexadecimal: bytes.dropLast()) : nil
  }
}
