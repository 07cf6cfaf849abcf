internal import Synchronization
package import SystemPackage

/// The names of what lies beside a document while it is replaced, or one member of it.
///
/// | name | what it holds |
/// | --- | --- |
/// | `.docversions-<mark>-<number>-new.tmp` | a new item while it is built, or a displaced one while it is removed: nothing that anybody misses |
/// | `.docversions-<mark>-<number>-old.tmp` | from right before the exchange on: the new item still, or what was in its place, perhaps with somebody's last edit |
/// | `.docversions-<mark>-<number>-in-<path>-old.tmp` | the same of the member with that path, in which `%2F` stands for a slash |
///
/// So what a killed process leaves tells by its name whether it can go. The mark says whose it is.
struct TemporaryName {
  /// While it is built.
  let new: String
  /// When it is complete, and for what it displaces.
  let old: String

  /// Names that are not taken.
  ///
  /// - Parameters:
  ///   - mark: whose they are, in letters and digits; nil when nobody will come for leftovers.
  ///   - way: the names that lead to the member; none for the document itself.
  init(mark: String?, member way: [[UInt8]] = []) {
    let stem = Self.stem(mark) + String(UInt64.random(in: .min ... .max))
    new = stem + Self.newSuffix
    old = stem + (way.isEmpty ? "" : Self.inner + Self.encoded(way)) + Self.oldSuffix
  }

  /// Whether file systems take names of this length.
  var isShort: Bool { old.utf8.count <= 255 }

  static func stem(_ mark: String?) -> String {
    start + (mark.map { $0 + "-" } ?? "")
  }

  fileprivate static let start = ".docversions-"

  static let newSuffix = "-new.tmp"
  static let oldSuffix = "-old.tmp"
  private static let inner = "-in-"

  // MARK: The path of a member

  /// The names that lead to the member which a name tells, none where it tells of none; nil where it tells nothing
  /// that can be understood.
  ///
  /// - Parameter rest: the name without the stem and ``oldSuffix``.
  static func member(in rest: some StringProtocol) -> [[UInt8]]? {
    let end = rest.firstIndex { !$0.isASCII || !$0.isNumber } ?? rest.endIndex
    if end == rest.endIndex { return [] }
    guard rest[end...].hasPrefix(inner) else { return nil }
    return decoded(rest[end...].dropFirst(inner.count).utf8)
  }

  /// A path in letters, digits and a few marks, which every file system takes for what they are.
  private static func encoded(_ way: [[UInt8]]) -> String {
    way.joined(separator: [UInt8(ascii: "/")]).map { byte in
      let character = Character(Unicode.Scalar(byte))
      let isPlain = character.isASCII && (character.isLetter || character.isNumber)
      if isPlain || "._-".contains(character) { return String(character) }
      let digits = String(byte, radix: 16, uppercase: true)
      return digits.count == 1 ? "%0" + digits : "%" + digits
    }.joined()
  }

  private static func decoded(_ text: some Collection<UInt8>) -> [[UInt8]]? {
    var bytes: [UInt8] = []
    var rest = Array(text)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let decoded = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(decoded)
      rest = rest.dropFirst(2)
    }
    let way = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return way.contains(where: \.isEmpty) ? nil : way.map { Array($0) }
  }
}

/// What processes that were killed left beside a document.
package enum Leftovers {
  /// What may hold somebody's last edit.
  package struct Displaced: Equatable {
    /// Where it is.
    package let path: FilePath
    /// The names that lead to the member that it was; none where it was the document.
    package let member: [[UInt8]]
  }

  /// What was left in folders, each listed once, for whoever asks for many documents.
  ///
  /// What is left after that is for whoever comes later.
  package final class Listings: Sendable {
    private let folders = Mutex<[FilePath: [[UInt8]]]>([:])

    package init() {}

    fileprivate func names(in folder: FilePath) throws(FileError) -> [[UInt8]] {
      if let known = folders.withLock({ $0[folder] }) { return known }
      let names = try Leftovers.names(in: folder)
      folders.withLock { $0[folder] = names }
      return names
    }
  }

  private static func names(in folder: FilePath) throws(FileError) -> [[UInt8]] {
    try Folder.names(in: folder, beginningWith: Array(TemporaryName.start.utf8))
  }

  /// Removes what was never completed.
  ///
  /// Only while no other process can be replacing documents with this mark.
  ///
  /// - Parameters:
  ///   - mark: whose leftovers.
  ///   - folder: where the document is.
  ///   - listings: what is known of folders; by default they are listed.
  /// - Returns: what else there is.
  package static func removeUnfinished(
    mark: String, in folder: FilePath, knowing listings: Listings? = nil
  ) throws -> [Displaced] {
    var displaced: [Displaced] = []
    let stem = TemporaryName.stem(mark)
    for name in try listings?.names(in: folder) ?? names(in: folder) {
      guard let text = String(validating: name, as: UTF8.self), text.hasPrefix(stem) else {
        continue
      }
      let path = folder.appending(bytes: name)
      if text.hasSuffix(TemporaryName.newSuffix) { try Folder.removeTree(path) }
      let rest = text.dropFirst(stem.count)
      if rest.hasSuffix(TemporaryName.oldSuffix),
        let member = TemporaryName.member(in: rest.dropLast(TemporaryName.oldSuffix.count))
      {
        displaced.append(Displaced(path: path, member: member))
      }
    }
    return displaced
  }
}
