internal import DocumentFiles
internal import DocumentStore
internal import DocumentTypes
internal import Foundation
internal import SystemPackage

/// The state of a presented item on disk: its status and, for a package, the status of each member.
struct ItemSight: Sendable {
  private let url: URL
  private let status: FileStatus
  private let mark: ItemMark
  /// The members; `nil` unless it is a package.
  private let listing: ItemListing?

  /// A difference from an earlier state.
  enum Change: Equatable {
    /// The item as a whole.
    case item
    case newMember(URL)
    /// A member that changed or was removed.
    case member(URL)
  }

  /// Reads the state of an item; `nil` if it doesn't exist; blocks.
  init?(_ url: URL) throws {
    let path = try url.filePath
    guard let status = try FileStatus.of(path) else { return nil }
    self.url = url
    self.status = status
    mark = ItemMark(status, at: path)
    listing = try Self.isPackage(url) ? ItemListing(path, limits: nil) : nil
  }

  /// Returns whether an item is a folder that counts as one item; blocks.
  static func isPackage(_ url: URL) throws -> Bool {
    try FileStatus.of(url.filePath)?.kind == .folder
      && DocumentTypes().isSavedAsPackage(named: url.lastPathComponent)
  }

  var isPackage: Bool { listing != nil }

  /// Finds the item under another name in its folder; `nil` if it isn't there; blocks.
  func newPlace(of url: URL) throws -> URL? {
    try mark.newPlace(of: url.filePath).map { URL(filePath: $0.string) }
  }

  /// Returns the differences from an earlier state: the item, or members of a package that wasn't replaced.
  func changes(since former: ItemSight) -> [Change] {
    guard status.isSameItem(as: former.status) else { return [.item] }
    guard let listing, let formerListing = former.listing else {
      return status.isSameContent(as: former.status) ? [] : [.item]
    }
    var changes: [Change] = []
    Self.compare(listing, formerListing, at: url, &changes)
    return changes
  }

  private static func compare(
    _ folder: ItemListing, _ former: ItemListing, at url: URL, _ changes: inout [Change]
  ) {
    var rest = Dictionary(
      (former.members ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    for member in folder.members ?? [] {
      let place = url.appending(path: String(decoding: member.name, as: UTF8.self))
      guard let before = rest.removeValue(forKey: member.name) else {
        changes.append(.newMember(place))
        continue
      }
      if member.isPackage && before.isPackage {
        compare(member, before, at: place, &changes)
      } else if member.status.kind != before.status.kind
        || !member.status.isSameContent(as: before.status)
      {
        changes.append(.member(place))
      }
    }
    changes += rest.keys.sorted { $0.lexicographicallyPrecedes($1) }.map {
      .member(url.appending(path: String(decoding: $0, as: UTF8.self)))
    }
  }
}
