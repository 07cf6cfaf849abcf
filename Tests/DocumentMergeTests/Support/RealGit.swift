import Foundation

/// The git program, as an oracle.
enum RealGit {
  struct MergedFile: Equatable {
    let text: String
    let isClean: Bool
  }

  /// Returns the result of `git merge-file --diff3` for three texts.
  static func mergeFile(
    base: String, ours: String, theirs: String, markerLength: Int
  ) throws -> MergedFile {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("merge-oracle-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for (name, text) in [("base", base), ("ours", ours), ("theirs", theirs)] {
      try Data(text.utf8).write(to: folder.appendingPathComponent(name))
    }
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = [
      "git", "merge-file", "-p", "--diff3", "--marker-size=\(markerLength)",
      "ours", "base", "theirs",
    ]
    process.currentDirectoryURL = folder
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "GIT_CONFIG_NOSYSTEM": "1", "HOME": folder.path,
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    try FileManager.default.removeItem(at: folder)
    // The status is the number of conflicts, or negative.
    guard process.terminationStatus < 128 else { throw CocoaError(.featureUnsupported) }
    return MergedFile(
      text: String(decoding: bytes, as: UTF8.self), isClean: process.terminationStatus == 0)
  }
}
