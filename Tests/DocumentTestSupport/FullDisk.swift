package import Foundation

/// A small disk, mounted over a folder, which a test fills.
package struct FullDisk: Sendable {
  private struct Failure: Error { let message: String }

  private let folder: URL
  private var filler: URL { folder.appending(path: "filler") }

  /// True if disks can be mounted, which is tried once.
  package static let isPossible: Bool = {
    do {
      let scratch = try ScratchFolder()
      let disk = try FullDisk(at: scratch.url)
      disk.unmount()
      return true
    } catch {
      return false
    }
  }()

  /// Mounts a disk over a folder.
  ///
  /// - Parameter size: in bytes.
  package init(at folder: URL, size: Int = 512 << 10) throws {
    self.folder = folder
    try Self.run("mount", ["-t", "tmpfs", "-o", "size=\(size)", "tmpfs", folder.path])
  }

  /// Fills all remaining space except for some bytes.
  package func fill(leaving free: Int = 0) throws {
    let result = try Command.run("dd", ["if=/dev/zero", "of=\(filler.path)", "bs=1k"])
    guard result.exitCode != 0 else { throw Failure(message: "the disk has no end") }
    guard free > 0 else { return }
    let file = try FileHandle(forUpdating: filler)
    let end = Int(try file.seekToEnd())
    try file.truncate(atOffset: UInt64(max(0, end - free)))
    try file.close()
  }

  package func makeSpace() throws {
    try FileManager.default.removeItem(at: filler)
  }

  package func makeReadOnly() throws { try remount("ro") }

  package func makeWritable() throws { try remount("rw") }

  private func remount(_ option: String) throws {
    try Self.run("mount", ["-o", "remount,\(option)", folder.path])
  }

  package func unmount() {
    // A disk that stays mounted shows at the end of the test, because its folder can't be removed.
    do { try Self.run("umount", ["-l", folder.path]) } catch {}
  }

  private static func run(_ program: String, _ arguments: [String]) throws {
    let result = try Command.run(
      program, arguments, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    guard result.exitCode == 0 else { throw Failure(message: result.errorOutput) }
  }
}
