internal import CFileSystem
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The item that a new one replaces, and what that takes over from it.
struct ItemModel {
  let status: FileStatus
  private let folder: OpenFolder
  private let name: [UInt8]

  /// Nil where nothing is replaced, or nothing that has attributes of its own.
  init?(_ old: ItemBuilder.Old) throws {
    guard let status = try old.folder.status(of: old.name),
      status.kind == .file || status.kind == .folder
    else { return nil }
    self.status = status
    folder = old.folder
    name = old.name
  }

  /// Hands owner and group over, as far as the system allows, and attributes to an item of the same kind.
  ///
  /// - Returns: the permission bits for the new item: they allow nobody what the old ones did not.
  func handOver(
    to item: borrowing Descriptor, _ kind: FileStatus.Kind
  ) throws(FileError) -> UInt32 {
    if status.kind == kind { try handOverAttributes(to: item) }
    var bits = status.permissions
    if fchown(item.number, status.owner, status.group) != 0 {
      bits &= ~0o4000
      // Another group: it may do what everybody may.
      if fchown(item.number, .max, status.group) != 0 { bits &= 0o1707 | (bits & 0o7) << 3 }
    }
    if status.kind == kind { return bits }
    return kind == .folder ? bits | (bits & 0o444) >> 2 : bits & 0o666
  }

  private func handOverAttributes(to item: borrowing Descriptor) throws(FileError) {
    do {
      let old = try folder.open(reading: name)
      docversions_copy_attributes(old.number, item.number)
    } catch  where [.notPermitted, .unsupportedKind, .notFound].contains(error.code) {
      // What cannot be read cannot be handed over. That the item is another one now is seen when it is
      // displaced.
    }
  }
}
