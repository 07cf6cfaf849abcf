public import Foundation

/// Shell scripts that tests run, or let a server run as a hook.
public enum Script {
  /// Writes a script, with its folders, and makes it executable.
  ///
  /// Another process writes it, because a file that this one has open for writing stays open in every child
  /// that is being started at the same time, and then can't be run (`ETXTBSY`).
  public static func write(_ lines: String, to file: URL) throws {
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    let written = try Command.run(
      "sh", ["-c", "cat >\"$1\" && chmod 755 \"$1\"", "sh", file.path],
      input: "#!/bin/sh\n" + lines)
    guard written.exitCode == 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}
