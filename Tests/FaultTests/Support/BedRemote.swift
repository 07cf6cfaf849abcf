internal import DocumentTestSupport
internal import Foundation

/// A git repository in a folder as a remote; instead of ssh, a script runs git, without faults.
enum BedRemote {
  /// Returns the environment with which the program reaches it; the address of the repository `docs` in the
  /// folder is `ssh://bed/docs`, wherever the folder is.
  static func environment(for folder: URL) throws -> [String: String] {
    ["DOCVERSIONS_SSH": "sh \(try script.get().path) \(folder.path)"]
  }

  static func address(of repository: String) -> String { "ssh://bed/\(repository)" }

  /// Waits until no git is working there any more for a killed program.
  static func settle(in folder: URL) throws {
    let lock = lock(in: folder)
    guard FileManager.default.fileExists(atPath: lock.path) else { return }
    let waited = try Command.run("flock", ["-x", lock.path, "true"])
    guard waited.exitCode == 0 else { throw FaultError(waited.errorOutput) }
  }

  /// Beside the folder, so that it is not in it.
  private static func lock(in folder: URL) -> URL {
    folder.deletingLastPathComponent().appending(path: "served")
  }

  private static let scratch = Result { try ScratchFolder() }

  private static let script = Result {
    try scratch.get().write(
      """
      unset LD_PRELOAD
      cd "$1" || exit 255
      for word; do command=$word; done
      eval "set -- $command"
      exec flock -s ../served git -c safe.directory='*' -c uploadpack.allowReachableSHA1InWant=true \\
        "${1#git-}" ".$2"

      """, to: "serve")
  }
}
