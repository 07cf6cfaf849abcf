/// A document as it shall be on disk: what the writer makes of it.
package indirect enum DocumentItem {
  /// A regular file; the bytes are asked for when it is written.
  case file(isExecutable: Bool, contents: FileContents)
  /// A symbolic link.
  case symbolicLink(target: [UInt8])
  /// A folder; the members are asked for when it is written.
  case folder(members: () throws -> [(name: [UInt8], item: DocumentItem)])
  /// The same as the item that is at this place now, with all its attributes.
  case unchanged
  /// The same as the item that is at this place now as long as that has this status, and otherwise another one.
  case unchangedIf(FileStatus, otherwise: DocumentItem)
  /// What replaces the item of another name in the same folder.
  case replacing([UInt8], DocumentItem)
  /// An item with attributes of its own.
  case attributed(ItemAttributes, DocumentItem)
}

/// What an item has beside its contents, where it does not come from the item that it replaces.
package struct ItemAttributes: Equatable, Sendable {
  /// The permission bits.
  package var permissions: UInt32?
  /// When it was modified, in nanoseconds since 1970.
  package var modified: Int64?

  /// Nothing of its own.
  package init() {}

  /// Whether an item with this status needs nothing else.
  func isAll(of status: FileStatus) -> Bool {
    (permissions ?? status.permissions) == status.permissions
      && (modified ?? status.modified) == status.modified
  }
}

extension DocumentItem {
  /// The name in the old folder of what it replaces; nil for its own.
  var replacedName: [UInt8]? {
    switch self {
    case .replacing(let name, _): name
    case .attributed(_, let item): item.replacedName
    default: nil
    }
  }
}
