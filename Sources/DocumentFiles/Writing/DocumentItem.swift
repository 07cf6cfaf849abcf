/// A document as the writer puts it on disk.
package indirect enum DocumentItem {
  /// A regular file; its bytes are read when it is written.
  case file(isExecutable: Bool, contents: FileContents)
  /// A symbolic link.
  case symbolicLink(target: [UInt8])
  /// A folder; the members are asked for when it is written.
  case folder(members: () throws -> [(name: [UInt8], item: DocumentItem)])
  /// The same as the item that is at this place now, with all its attributes.
  case unchanged
  /// The same as the item that is at this place now as long as that has this status, and otherwise another one.
  case unchangedIf(FileStatus, otherwise: DocumentItem)
  /// An item that replaces the one of another name in the same folder.
  case replacing([UInt8], DocumentItem)
  /// An item with attributes of its own.
  case attributed(ItemAttributes, DocumentItem)
}

/// The attributes of an item that it does not take over from the item that it replaces.
package struct ItemAttributes: Equatable, Sendable {
  /// The permission bits.
  package var permissions: UInt32?
  /// The permission bits that it has at most, beside those of the item that it replaces: whichever are narrower.
  ///
  /// If it replaces none, the process's umask takes some of them away.
  package var most: UInt32?
  /// The modification time, in nanoseconds since 1970.
  package var modified: Int64?

  /// No attributes of its own.
  package init() {}

  /// These, and others where these leave something open.
  func completed(by other: ItemAttributes) -> ItemAttributes {
    var attributes = self
    attributes.permissions = permissions ?? other.permissions
    attributes.modified = modified ?? other.modified
    attributes.most = most.map { $0 & (other.most ?? $0) } ?? other.most
    return attributes
  }

  /// Whether they only limit or set what the writer may leave as it is where the contents stay.
  var isForNewItems: Bool { permissions == nil }

  /// Returns whether an item with this status has these attributes already.
  func isAll(of status: FileStatus) -> Bool {
    (permissions ?? status.permissions) == status.permissions
      && (modified ?? status.modified) == status.modified
  }
}

extension DocumentItem {
  /// Returns whether the writer puts an item with a name and the target of a link on disk: what it refuses whatever the
  /// file system.
  ///
  /// What comes from another device is checked by this before it is taken in.
  ///
  /// - Parameter target: the target of a link; `nil` for another item.
  package static func isWritable(name: [UInt8], linkTarget target: [UInt8]? = nil) -> Bool {
    PathName.isName(name) && name.count <= 255 && target.map(PathName.isLinkTarget) ?? true
  }

  /// The item without attributes that are only for new items.
  var content: DocumentItem {
    if case .attributed(let attributes, let item) = self, attributes.isForNewItems {
      return item.content
    }
    return self
  }

  /// The item with what is in the folders that it replaces and no member of them.
  ///
  /// A member of the same name goes before it.
  func keepingIgnored(of old: ItemListing) -> DocumentItem {
    guard old.hasIgnored else { return self }
    switch self {
    case .attributed(let attributes, let item):
      return .attributed(attributes, item.keepingIgnored(of: old))
    case .replacing(let name, let item): return .replacing(name, item.keepingIgnored(of: old))
    case .folder(let members):
      let former = Dictionary(
        (old.members ?? []).map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
      return .folder {
        let new = try members()
        let names = Set(new.map(\.name))
        return new.map { name, item in
          let replaced = former[item.replacedName ?? name]
          return (name, replaced.map { item.keepingIgnored(of: $0) } ?? item)
        }
          + (old.ignored ?? []).filter { !names.contains($0.name) }
          .map { ($0.name, DocumentItem.unchanged) }
      }
    case .file, .symbolicLink, .unchanged, .unchangedIf: return self
    }
  }

  /// The name in the old folder of the item that it replaces; `nil` for its own.
  var replacedName: [UInt8]? {
    switch self {
    case .replacing(let name, _): name
    case .attributed(_, let item): item.replacedName
    default: nil
    }
  }
}
