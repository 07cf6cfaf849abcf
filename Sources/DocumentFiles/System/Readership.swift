package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The classes of users who can read an item: always its owner, and possibly its group and all others.
package struct Readership: Equatable, Sendable {
  /// The permission bits of the classes; a new item that only they may read has no other bits.
  package let mask: UInt32

  /// The owner, the group and all others.
  package static let everyone = Readership(mask: 0o777)

  private init(mask: UInt32) {
    self.mask = mask
  }

  /// Creates the classes that can read an item or, for a folder, that can list and enter it.
  package init(of status: FileStatus) {
    self.init(permissions: status.permissions, isFolder: status.kind == .folder)
  }

  /// Creates the classes that permission bits allow to read an item.
  package init(permissions: UInt32, isFolder: Bool) {
    let needed: UInt32 = isFolder ? 5 : 4
    let classes = [(bits: UInt32(0o070), shift: UInt32(3)), (bits: 0o007, shift: 0)]
    mask = classes.reduce(0o700) { mask, readers in
      permissions >> readers.shift & needed == needed ? mask | readers.bits : mask
    }
  }

  /// Creates the classes that can pass through a folder to items whose names they know.
  package init(passing folder: FileStatus) {
    self.init(permissions: folder.permissions << 2, isFolder: false)
  }

  /// Returns the classes that can read both items.
  package func intersection(_ other: Readership) -> Readership {
    Readership(mask: mask & other.mask)
  }

  /// Returns whether these classes don't include all of the others.
  package func isNarrower(than other: Readership) -> Bool { other.mask & ~mask != 0 }

  /// Returns the classes for an item of another group, whose members count among this item's other users.
  package func forAnotherGroup() -> Readership {
    mask == 0o777 ? self : Readership(mask: 0o700)
  }

  /// Returns the classes for new items in a folder: those that can read the folder.
  package static func inside(_ folder: FilePath) throws(FileError) -> Readership {
    try FileStatus.of(folder).map { Readership(of: $0) } ?? .everyone
  }
}

extension Folder {
  /// Removes the permission bits of other classes of users from an item and everything in it; links are never
  /// followed.
  ///
  /// A folder is closed before its items.
  ///
  /// - Parameter readership: the classes that keep their bits.
  package static func narrow(_ path: FilePath, to readership: Readership) throws(FileError) {
    guard let status = try FileStatus.of(path), status.kind != .symbolicLink else { return }
    let bits = status.permissions & (readership.mask | 0o7000)
    if bits != status.permissions {
      guard path.withPlatformString({ chmod($0, mode_t(bits)) }) == 0 else {
        let cause = Errno.current
        // An item that disappears in the meantime needs no protection.
        if cause == .noSuchFileOrDirectory { return }
        throw .failed(to: "set the permissions of", path, cause)
      }
    }
    guard status.kind == .folder else { return }
    for name in try names(in: path) { try narrow(path.appending(bytes: name), to: readership) }
  }

  /// Finds an item in a folder, or the folder itself, that other classes of users can read; `nil` if there is none.
  package static func firstItem(
    in path: FilePath, readableBeyond readership: Readership
  ) throws(FileError) -> FilePath? {
    guard let status = try FileStatus.of(path), status.kind != .symbolicLink else { return nil }
    if readership.isNarrower(than: Readership(of: status)) { return path }
    guard status.kind == .folder else { return nil }
    for name in try names(in: path) {
      let found = try firstItem(in: path.appending(bytes: name), readableBeyond: readership)
      if let found { return found }
    }
    return nil
  }
}
