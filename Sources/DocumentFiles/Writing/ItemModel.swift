internal import CFileSystem

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The item that a new one replaces, with the attributes that the new one takes over.
final class ItemModel: Sendable {
  let status: FileStatus
  /// True if the new item has the same kind, and so takes over more.
  private let isSameKind: Bool
  /// The open item, if its attributes are taken over and can be read.
  private let item: OpenItem?

  /// Creates the model of a new item; `nil` if it replaces nothing, or nothing with its own attributes.
  ///
  /// - Parameter kind: the kind of the new item.
  init?(_ old: ItemBuilder.Old?, for kind: FileStatus.Kind) throws(FileError) {
    guard let old, old.status.kind == .file || old.status.kind == .folder else { return nil }
    status = old.status
    isSameKind = status.kind == kind
    item = isSameKind ? try Self.open(old) : nil
  }

  /// Opens the old item to read its attributes.
  ///
  /// - Returns: `nil` if it can't be read; if it is another item by now, displacing it will detect that.
  private static func open(_ old: ItemBuilder.Old) throws(FileError) -> OpenItem? {
    do {
      return OpenItem(try old.folder.open(reading: old.name))
    } catch  where [.notPermitted, .unsupportedKind, .notFound].contains(error.code) {
      return nil
    }
  }

  /// The permission bits for a new item of this kind.
  private var permissions: UInt32 {
    if isSameKind { return status.permissions }
    let bits = status.permissions
    return status.kind == .file ? bits | (bits & 0o444) >> 2 : bits & 0o666
  }

  /// Copies attributes to the new item; those for access may change its permission bits.
  func handOverAttributes(to new: borrowing Descriptor) {
    if let item { docversions_copy_attributes(item.descriptor.number, new.number) }
  }

  /// Copies the owner and the group to the new item, as far as the system allows.
  ///
  /// - Returns: the permission bits for the new item, which allow nothing that the old ones didn't allow.
  func handOverOwner(
    to new: borrowing Descriptor, _ present: FileStatus
  ) throws(FileError) -> UInt32 {
    var bits = permissions
    guard (present.owner, present.group) != (status.owner, status.group) else { return bits }
    if fchown(new.number, status.owner, status.group) != 0 {
      bits &= ~0o4000
      // If the group differs, it gets the permissions of all others.
      if fchown(new.number, .max, status.group) != 0 { bits &= 0o1707 | (bits & 0o7) << 3 }
    }
    return bits
  }
}
