internal import DocumentFiles
internal import DocumentTypes
internal import Foundation

/// What shows that a document changed.
struct ItemStamp: Equatable {
  /// Bytes of all files.
  private(set) var size: Int
  private var inode: UInt64
  private var modified: Int64
  private var members = 1

  /// Of a file.
  init(_ status: FileStatus) {
    (size, inode, modified) = (status.size, status.inode, status.modified)
  }

  /// Of a package: all that it holds.
  init(_ listing: ItemListing) {
    self.init(listing.status)
    guard let inner = listing.members else { return }
    size = 0
    for stamp in inner.map(ItemStamp.init) {
      size += stamp.size
      modified = max(modified, stamp.modified)
      members += stamp.members
    }
  }

  /// When the contents changed.
  var date: Date { Date(timeIntervalSince1970: Double(modified) / 1_000_000_000) }
}

/// The types of documents by their names; those with the same extension have the same.
struct TypesByName {
  struct Found {
    let identifier: String?
    let tree: [String]
    let isPackage: Bool
  }

  private let types: DocumentTypes
  private var found: [Substring: Found] = [:]

  init(_ types: DocumentTypes) {
    self.types = types
  }

  /// The type of a document with a name.
  mutating func type(of name: String) -> Found {
    // All that a type can depend on: what stands behind the first dot that does not begin the name.
    let rest = name.drop { $0 == "." }
    let end = rest.firstIndex(of: ".").map { rest[$0...] } ?? ""
    if let known = found[end] { return known }
    let type = types.type(forName: name)
    let new = Found(
      identifier: type?.identifier,
      tree: type.map { [$0.identifier] + types.supertypes(of: $0) } ?? [],
      isPackage: type.map(types.isPackage) ?? false)
    // Names with many dots are not all kept.
    if found.count < 1_000 { found[end] = new }
    return new
  }
}
