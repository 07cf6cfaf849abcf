public import Foundation

/// Checks stores with stock git.
public enum GitCheck {
  /// Returns the output of `git fsck --full --strict` for every store of a container; empty if there are no
  /// problems.
  public static func problems(inContainer container: URL) throws -> [String] {
    let documents = container.appending(path: ".docversions/documents")
    guard let names = FileManager.default.enumerator(atPath: documents.path) else { return [] }
    var stores: [URL] = []
    for case let name as String in names where name.hasSuffix(".git") {
      stores.append(documents.appending(path: name))
      names.skipDescendants()
    }
    return try stores.flatMap(problems(inStore:))
  }

  /// Returns the output of `git fsck --full --strict` for a repository.
  public static func problems(inStore store: URL) throws -> [String] {
    let result = try Command.run(
      "git", ["-C", store.path, "fsck", "--full", "--strict", "--no-dangling"],
      environment: [
        "GIT_CONFIG_COUNT": "3", "GIT_CONFIG_KEY_0": "safe.directory", "GIT_CONFIG_VALUE_0": "*",
        // Stores have neither, and git would start two more programs to find that out.
        "GIT_CONFIG_KEY_1": "core.commitGraph", "GIT_CONFIG_VALUE_1": "false",
        "GIT_CONFIG_KEY_2": "core.multiPackIndex", "GIT_CONFIG_VALUE_2": "false",
      ])
    let lines = (result.output + result.errorOutput).split(separator: "\n").map(String.init)
      .filter { !$0.hasPrefix("Checking ") && !$0.hasPrefix("notice: ") }
    return result.exitCode == 0 ? lines : lines + ["git fsck left with \(result.exitCode)"]
  }
}
