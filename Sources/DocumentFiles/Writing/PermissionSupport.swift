internal import CFileSystem
internal import Synchronization
package import SystemPackage

/// Says whether file systems keep the permission bits of each file: on exFAT and FAT, and where NTFS is mounted without
/// them, all files have the same ones.
///
/// There the bits say nothing about a document.
package struct PermissionSupport: Sendable {
  private let isKept: @Sendable (FilePath) throws(FileError) -> Bool

  private init(_ isKept: @escaping @Sendable (FilePath) throws(FileError) -> Bool) {
    self.isKept = isKept
  }

  /// The support that file systems have.
  package static let system = PermissionSupport { folder throws(FileError) in
    try TriedDevices.shared.areBitsKept(in: folder)
  }

  /// A system without permission bits.
  package static let none = PermissionSupport { _ in false }

  /// Returns whether the file system of a folder keeps them.
  ///
  /// If the system does not say, it is tried out with a temporary file, once for each device.
  ///
  /// - Parameters:
  ///   - folder: the folder of a document.
  ///   - other: a folder in which the temporary file is made, if it is there and on the same device.
  package func areBitsKept(in folder: FilePath, trying other: FilePath) throws(FileError) -> Bool {
    let device = try FileStatus.of(folder)?.device
    let otherDevice = try FileStatus.of(other)?.device
    return try isKept(device != nil && otherDevice == device ? other : folder)
  }
}

/// The devices on which it was tried whether permission bits are kept.
private final class TriedDevices: Sendable {
  static let shared = TriedDevices()

  private let results = Mutex<[UInt64: Bool]>([:])

  func areBitsKept(in folder: FilePath) throws(FileError) -> Bool {
    let file = try Descriptor.open(folder: folder)
    let known = docversions_keeps_permission_bits(file.number)
    if known >= 0 { return known == 1 }
    let device = try file.status().device
    if let result = results.withLock({ $0[device] }) { return result }
    let result = try tryOut(in: folder)
    results.withLock { $0[device] = result }
    return result
  }

  /// Changes the bits of a temporary file, as git does when it makes a repository.
  private func tryOut(in folder: FilePath) throws(FileError) -> Bool {
    let path = folder.appending(TemporaryName(mark: nil).new)
    let result: Bool
    do {
      let file = try Descriptor.create(path, permissions: 0o600)
      let before = try file.status().permissions
      // Some file systems refuse what they can't keep, others ignore it.
      do { try file.setPermissions(before ^ 0o100) } catch {}
      result = try file.status().permissions == before ^ 0o100
    } catch {
      // Where nothing can be written, what is shown is taken as it is.
      return true
    }
    try Folder.removeTree(path)
    return result
  }
}
