/// A document in the form in which the writer puts it on disk.
package indirect enum DocumentItem {
  /// A regular file; its bytes are read when it is written.
  case file(isExecutable: Bool, contents: FileContents)
  /// A symbolic link.
  case symbolicLink(target: [UInt8])
  /// A folder; the members are requested when it is written.
  case folder(members: () throws -> [(name: [UInt8], item: DocumentItem)])
  /// The item that is now at this place, with all its attributes.
  case unchanged
  /// The item that is now at this place, as long as it has this status; otherwise another one.
  case unchangedIf(FileStatus, otherwise: DocumentItem)
  /// An item that replaces the one with another name in the same folder.
  case replacing([UInt8], DocumentItem)
  /// An item with its own attributes.
  case attributed(ItemAttributes, DocumentItem)
}

/// The attributes of an item that are not taken over from the item that it replaces.
package struct ItemAttributes: Equatable, Sendable {
  /// The permission bits.
  package var permissions: UInt32?
  /// The greatest permission bits; the item that it replaces limits them further.
  ///
  /// If it replaces none, the process's umask removes some of them.
  package var most: UInt32?
  /// The modification time, in nanoseconds since 1970.
  package var modified: Int64?

  /// Creates no attributes.
  package init() {}

  /// Returns these attributes, completed by others.
  func completed(by other: ItemAttributes) -> ItemAttributes {
    var attributes = self
    attributes.permissions = permissions ?? other.permissions
    attributes.modified = modified ?? other.modified
    attributes.most = most.map { $0 & (other.most ?? $0) } ?? other.most
    return attributes
  }

  /// True if the attributes only limit or set values that the writer may leave unchanged if the contents stay
  /// the same.
  var isForNewItems: Bool { permissions == nil }

  /// Returns whether an item with this status already has these attributes.
  func isAll(of status: FileStatus) -> Bool {
    (permissions ?? status.permissions) == status.permissions
      && (modified ?? status.modified) == status.modified
  }
}

extension DocumentItem {
  /// Returns whether the writer accepts a name and the target of a link on any file system.
  ///
  /// Items from other devices are checked with this before they are received.
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

  /// Returns the item with the ignored items of the folders that it replaces.
  ///
  /// A member with the same name takes precedence.
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

  /// The name of the item that it replaces in the old folder; `nil` for its own name.
  var replacedName: [UInt8]? {
    switch self {
    case .replacing(let name, _): name
    case .attributed(_, let item): item.replacedName
    default: nil
    }
  }
}
