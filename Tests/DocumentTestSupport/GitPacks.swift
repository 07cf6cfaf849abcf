public import Foundation

/// The packs of a store, as stock git makes them.
public enum GitPacks {
  /// Puts every object of a store in a pack of its own.
  public static func scatter(_ store: URL) throws {
    let script = """
      set -e
      ids=$(git cat-file --batch-all-objects --batch-check='%(objectname)')
      mkdir scattered
      mv objects/pack/* scattered/
      for pack in scattered/*.pack; do git unpack-objects -q < "$pack"; done
      for id in $ids; do echo "$id" | git pack-objects -q objects/pack/pack > /dev/null; done
      git prune-packed -q
      rm -r scattered
      """
    let result = try Command.run("sh", ["-c", script], in: store)
    guard result.exitCode == 0 else { throw ScatterError(output: result.errorOutput) }
  }

  /// The names of the packs.
  public static func names(in store: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: store.appending(path: "objects/pack").path
    ).filter { $0.hasSuffix(".pack") }
  }

  private struct ScatterError: Error {
    let output: String
  }
}
