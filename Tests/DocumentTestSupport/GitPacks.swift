public import Foundation

/// The packs of a store, rearranged by stock git.
public enum GitPacks {
  /// Puts every object of a store in a separate pack.
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

  /// Flips a bit in each pack below a folder.
  ///
  /// - Parameter place: the position, from 0 at the beginning to 1 at the end.
  public static func flipBits(below folder: URL, at place: Double = 0.5) throws {
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    where name.hasSuffix(".pack") {
      let pack = folder.appending(path: name)
      var bytes = try Data(contentsOf: pack)
      // Neither the header nor the checksum.
      bytes[12 + Int(Double(bytes.count - 33) * place)] ^= 1
      try FileManager.default.removeItem(at: pack)
      try bytes.write(to: pack)
    }
  }

  private struct ScatterError: Error {
    let output: String
  }
}
