internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The versions of which nothing is readable any more, as a repair recorded them in the file `lost-versions`
/// in the store.
///
/// Later versions name them as parents. Without this file, a version that was given up would look like new
/// damage, and no history could be read.
enum LostVersions {
  /// Reads the recorded versions; none if the file is damaged, so that the damage is reported again.
  static func read(in store: FilePath) throws -> Set<ObjectID> {
    guard let bytes = try SmallFile.read(StoreFile.lostVersions.path(in: store)) else { return [] }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), maxSplits: 1)
    guard lines.count == 2, lines[0].elementsEqual(check(of: Array(lines[1])).utf8) else {
      return []
    }
    return Set(
      lines[1].split(separator: UInt8(ascii: "\n")).compactMap { ObjectID(hexadecimal: $0) })
  }

  /// Returns the text of the file.
  static func text(_ ids: Set<ObjectID>) -> String {
    let list = ids.sorted().map { "\($0)\n" }.joined()
    return "\(check(of: Array(list.utf8)))\n\(list)"
  }

  private static func check(of list: [UInt8]) -> String {
    String(CyclicCheck.crc32(list), radix: 16)
  }
}
