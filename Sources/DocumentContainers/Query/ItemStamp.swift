internal import DocumentFiles
internal import DocumentTypes
internal import Foundation

/// A stamp that shows whether a document changed.
struct ItemStamp: Equatable {
  /// The size of all files, in bytes.
  private(set) var size: Int
  private var inode: UInt64
  private var modified: Int64
  private var members = 1

  /// Creates the stamp of a file.
  init(_ status: FileStatus) {
    (size, inode, modified) = (status.size, status.inode, status.modified)
  }

  /// Creates the stamp of a package and its contents.
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

  /// The date of the last change.
  var date: Date { Date(timeIntervalSince1970: Double(modified) / 1_000_000_000) }
}

/// The types of documents by their names, cached by extension.
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

  /// Returns the type of a document with a name.
  mutating func type(of name: String) -> Found {
    // A type depends only on the part after the first dot that doesn't begin the name.
    let rest = name.drop { $0 == "." }
    let end = rest.firstIndex(of: ".").map { rest[$0...] } ?? ""
    if let known = found[end] { return known }
    let type = types.type(forName: name)
    let new = Found(
      identifier: type?.identifier,
      tree: type.map { [$0.identifier] + types.supertypes(of: $0) } ?? [],
      isPackage: type.map(types.isPackage) ?? false)
    // The cache is limited, because names with many dots vary.
    if found.count < 1_000 { found[end] = new }
    return new
  }
}
