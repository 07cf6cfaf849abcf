internal import CFileSystem

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The item that a new one replaces, and what that takes over from it.
final class ItemModel: Sendable {
  let status: FileStatus
  /// Whether the new item is of its kind, and so takes over more.
  private let isSameKind: Bool
  /// The item, where its attributes are taken over and can be read.
  private let item: OpenItem?

  /// Nil where nothing is replaced, or nothing that has attributes of its own.
  ///
  /// - Parameter kind: what the new item is.
  init?(_ old: ItemBuilder.Old?, for kind: FileStatus.Kind) throws(FileError) {
    guard let old, old.status.kind == .file || old.status.kind == .folder else { return nil }
    status = old.status
    isSameKind = status.kind == kind
    item = isSameKind ? try Self.open(old) : nil
  }

  /// - Returns: nil for what cannot be read, and so cannot be handed over. That the item is another one now is seen
  ///   when it is displaced.
  private static func open(_ old: ItemBuilder.Old) throws(FileError) -> OpenItem? {
    do {
      return OpenItem(try old.folder.open(reading: old.name))
    } catch  where [.notPermitted, .unsupportedKind, .notFound].contains(error.code) {
      return nil
    }
  }

  /// The permission bits for a new item of the kind.
  private var permissions: UInt32 {
    if isSameKind { return status.permissions }
    let bits = status.permissions
    return status.kind == .file ? bits | (bits & 0o444) >> 2 : bits & 0o666
  }

  /// Hands attributes over; those of access may change the new item's permission bits.
  func handOverAttributes(to new: borrowing Descriptor) {
    if let item { docversions_copy_attributes(item.descriptor.number, new.number) }
  }

  /// Hands owner and group over, as far as the system allows.
  ///
  /// - Returns: the permission bits for the new item: they allow nobody what the old ones did not.
  func handOverOwner(
    to new: borrowing Descriptor, _ present: FileStatus
  ) throws(FileError) -> UInt32 {
    var bits = permissions
    guard (present.owner, present.group) != (status.owner, status.group) else { return bits }
    if fchown(new.number, status.owner, status.group) != 0 {
      bits &= ~0o4000
      // Another group: it may do what everybody may.
      if fchown(new.number, .max, status.group) != 0 { bits &= 0o1707 | (bits & 0o7) << 3 }
    }
    return bits
  }
}
