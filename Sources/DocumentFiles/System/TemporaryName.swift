internal import Synchronization
package import SystemPackage

/// The names of the temporary items beside a document while the document, or one of its members, is replaced.
///
/// | name | contents |
/// | --- | --- |
/// | `.docversions-<mark>-<number>-new.tmp` | a new item while it is built, or a displaced one while it is removed; it can be removed |
/// | `.docversions-<mark>-<number>-old.tmp` | from just before the exchange: still the new item, or the displaced one, perhaps with an edit that was not read |
/// | `.docversions-<mark>-<number>-in-<path>-old.tmp` | the same for the member with that path, in which `%2F` represents a slash |
///
/// So if a killed process leaves an item, its name shows whether it can be removed. The mark identifies the
/// document or the kind of writer that it belongs to.
struct TemporaryName {
  /// The name while the item is built.
  let new: String
  /// The name of the complete item, and then of the item that it displaces.
  let old: String

  /// Creates names that are not taken.
  ///
  /// - Parameters:
  ///   - mark: the mark, in letters and digits; `nil` for items that no recovery removes.
  ///   - path: the names in the member's path; none for the document itself.
  init(mark: String?, member path: [[UInt8]] = []) {
    let stem = Self.stem(mark) + String(UInt64.random(in: .min ... .max))
    new = stem + Self.newSuffix
    old = stem + (path.isEmpty ? "" : Self.inner + Self.encoded(path)) + Self.oldSuffix
  }

  /// True if file systems accept names of this length.
  var isShort: Bool { old.utf8.count <= 255 }

  static func stem(_ mark: String?) -> String {
    start + (mark.map { $0 + "-" } ?? "")
  }

  fileprivate static let start = ".docversions-"

  static let newSuffix = "-new.tmp"
  static let oldSuffix = "-old.tmp"
  private static let inner = "-in-"

  // MARK: The path of a member

  /// Reads the path of the member from a name: none for the document itself; `nil` if the name can't be
  /// parsed.
  ///
  /// - Parameter rest: the name without the stem and ``oldSuffix``.
  static func member(in rest: some StringProtocol) -> [[UInt8]]? {
    let end = rest.firstIndex { !$0.isASCII || !$0.isNumber } ?? rest.endIndex
    if end == rest.endIndex { return [] }
    guard rest[end...].hasPrefix(inner) else { return nil }
    return decoded(rest[end...].dropFirst(inner.count).utf8)
  }

  /// Encodes a path in letters, digits and a few marks that every file system preserves.
  private static func encoded(_ path: [[UInt8]]) -> String {
    path.joined(separator: [UInt8(ascii: "/")]).map { byte in
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
    let path = bytes.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
    return path.contains(where: \.isEmpty) ? nil : path.map { Array($0) }
  }
}

/// The temporary items that killed processes left beside documents.
package enum TemporaryItems {
  /// A displaced item, which may have an edit that was not read.
  package struct Displaced: Equatable {
    /// The item's path.
    package let path: FilePath
    /// The names in the path of the member that it was; none if it was the document.
    package let member: [[UInt8]]
  }

  /// The temporary items of folders, each listed once, for an operation on many documents.
  ///
  /// A later operation removes items that are left after that.
  package final class Listings: Sendable {
    private let folders = Mutex<[FilePath: [[UInt8]]]>([:])

    package init() {}

    fileprivate func names(in folder: FilePath) throws(FileError) -> [[UInt8]] {
      if let known = folders.withLock({ $0[folder] }) { return known }
      let names = try TemporaryItems.names(in: folder)
      folders.withLock { $0[folder] = names }
      return names
    }
  }

  private static func names(in folder: FilePath) throws(FileError) -> [[UInt8]] {
    try Folder.names(in: folder, beginningWith: Array(TemporaryName.start.utf8))
  }

  /// Removes incomplete items.
  ///
  /// Call this only while no other process can be replacing documents with this mark.
  ///
  /// - Parameters:
  ///   - mark: the mark of the items.
  ///   - folder: the folder of the document.
  ///   - listings: folders that were listed before; by default the folder is listed.
  /// - Returns: the displaced items, which stay.
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
