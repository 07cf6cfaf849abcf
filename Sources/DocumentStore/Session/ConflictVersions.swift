internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The versions that were once in an unresolved conflict with the current one, on this device: one identifier a line.
///
/// A version stays a conflict version, regardless of its successors and of removals.
struct ConflictVersions {
  private(set) var identifiers: Set<ObjectID> = []
  private let path: FilePath

  init(in store: FilePath) throws {
    path = StoreFile.conflictVersions.path(in: store)
    guard let bytes = try SmallFile.read(path, limit: Self.mostBytes) else { return }
    // A damaged line names no version.
    identifiers = Set(
      bytes.split(separator: UInt8(ascii: "\n")).compactMap { ObjectID(hexadecimal: $0) })
  }

  /// Adds versions; durable on return.
  mutating func add(_ versions: some Sequence<ObjectID>) throws {
    let all = identifiers.union(versions)
    guard all.count > identifiers.count else { return }
    identifiers = all
    let lines = all.sorted().map { "\($0)\n" }.joined()
    guard lines.utf8.count <= Self.mostBytes else { return }
    try SmallFile.replace(path, Array(lines.utf8))
  }

  /// The greatest size of the file, enough for 400,000 versions; further versions are not recorded.
  private static let mostBytes = 1 << 24
}
