internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// An item in the place of a store's part, such as a FIFO, a link, or a folder in place of a file.
///
/// It is never read or followed. `HEAD`, the config and the references are not checked here: a repair
/// recreates them from the rest of the store, whatever is in their place.
struct MisplacedItem {
  /// The item's path in the store.
  let file: FilePath
  /// A description of the item, in words.
  let words: String
  /// True if it only blocks a cache.
  let isHarmless: Bool

  /// Returns all misplaced items in a store.
  static func all(in store: FilePath) throws -> [MisplacedItem] {
    var found = try members(of: store).filter { !repaired.contains($0.name) }.compactMap {
      item($0, mustBe: expectedKind($0.name))
    }
    let objects = store.appending("objects")
    found += try members(of: objects).compactMap {
      let isKnown = ["pack", "info"].contains($0.name)
      return item($0, in: "objects", mustBe: isKnown ? .folder : nil)
    }
    found += try members(of: objects.appending("pack")).compactMap {
      item($0, in: "objects/pack", mustBe: $0.name.hasPrefix("pack-") ? .file : nil)
    }
    // A folder in the place of a reference prevents the reference from being recreated.
    found += try members(of: store.appending("refs").appending("heads")).filter {
      $0.kind == .folder && HeadName.isValid(HeadName.prefix + $0.name)
    }.compactMap { item($0, in: "refs/heads", mustBe: .file) }
    return found
  }

  private typealias Member = (bytes: [UInt8], name: String, kind: FileStatus.Kind)

  private static func members(of folder: FilePath) throws -> [Member] {
    guard try FileStatus.of(folder)?.kind == .folder else { return [] }
    return try Folder.members(of: folder).map {
      ($0.name, String(decoding: $0.name, as: UTF8.self), $0.kind)
    }
  }

  /// Returns nil for an item of the right kind; for parts with arbitrary names, that is a file or a folder.
  private static func item(
    _ member: Member, in folder: String = "", mustBe kind: FileStatus.Kind?
  ) -> MisplacedItem? {
    let isRight =
      kind.map { member.kind == $0 } ?? (member.kind == .file || member.kind == .folder)
    guard !isRight else { return nil }
    let words =
      switch member.kind {
      case .file: "a file"
      case .folder: "a folder"
      case .symbolicLink: "a link"
      case .other(let special): special.rawValue
      }
    return MisplacedItem(
      file: FilePath(folder).appending(bytes: member.bytes), words: words,
      isHarmless: folder.isEmpty && caches.contains(member.name) && member.kind == .folder)
  }

  private static func expectedKind(_ name: String) -> FileStatus.Kind? {
    if files.contains(name) || caches.contains(name) { return .file }
    return name == "objects" ? .folder : nil
  }

  private static let repaired = Set(
    [StoreFile.head, .config, .packedReferences, .references].map(\.name))
  private static let files = Set(
    [
      StoreFile.ledger, .lock, .lostVersions, .conflictVersions, .published, .workingFile,
      .arrivals, .movedTo, .otherPlace,
    ].map(\.name))
  private static let caches = Set(StoreFile.caches.map(\.name))
}
