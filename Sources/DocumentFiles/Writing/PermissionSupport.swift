internal import CFileSystem
internal import Synchronization
package import SystemPackage

/// Reports whether file systems keep the permission bits of each file.
///
/// On exFAT and FAT, and on NTFS mounted without them, all files have the same bits, which have no meaning
/// for a document.
package struct PermissionSupport: Sendable {
  private let isKept: @Sendable (FilePath) throws(FileError) -> Bool

  private init(_ isKept: @escaping @Sendable (FilePath) throws(FileError) -> Bool) {
    self.isKept = isKept
  }

  /// The support by the actual file systems.
  package static let system = PermissionSupport { folder throws(FileError) in
    try TriedDevices.shared.areBitsKept(in: folder)
  }

  /// A system without permission bits.
  package static let none = PermissionSupport { _ in false }

  /// Returns whether the file system of a folder keeps permission bits.
  ///
  /// If the system doesn't know, this tests it with a temporary file, once for each device.
  ///
  /// - Parameters:
  ///   - folder: the folder of a document.
  ///   - other: a folder for the temporary file, if it exists and is on the same device.
  package func areBitsKept(in folder: FilePath, trying other: FilePath) throws(FileError) -> Bool {
    let device = try FileStatus.of(folder)?.device
    let otherDevice = try FileStatus.of(other)?.device
    return try isKept(device != nil && otherDevice == device ? other : folder)
  }
}

/// The devices on which permission bits were tested.
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

  /// Changes the bits of a temporary file, as git does when it creates a repository.
  private func tryOut(in folder: FilePath) throws(FileError) -> Bool {
    let path = folder.appending(TemporaryName(mark: nil).new)
    let result: Bool
    do {
      let file = try Descriptor.create(path, permissions: 0o600)
      let before = try file.status().permissions
      // Some file systems reject the bits that they can't keep, others ignore them.
      do { try file.setPermissions(before ^ 0o100) } catch {}
      result = try file.status().permissions == before ^ 0o100
    } catch {
      // If nothing can be written, the displayed bits are trusted.
      return true
    }
    try Folder.removeTree(path)
    return result
  }
}
