package import SystemPackage

/// The names of what lies beside a document while it is replaced.
///
/// | name | what it holds |
/// | --- | --- |
/// | `.docversions-<mark>-<number>-new.tmp` | a new item while it is built, or a displaced one while it is removed: nothing that anybody misses |
/// | `.docversions-<mark>-<number>-old.tmp` | from right before the exchange on: the new item still, or what was in its place, perhaps with somebody's last edit |
///
/// So what a killed process leaves tells by its name whether it can go. The mark says whose it is.
struct TemporaryName {
  /// While it is built.
  let new: String
  /// When it is complete, and for what it displaces.
  let old: String

  /// Names that are not taken.
  ///
  /// - Parameter mark: whose they are, in letters and digits; nil when nobody will come for leftovers.
  init(mark: String?) {
    let stem = Self.stem(mark) + String(UInt64.random(in: .min ... .max))
    new = stem + Self.newSuffix
    old = stem + Self.oldSuffix
  }

  static func stem(_ mark: String?) -> String {
    ".docversions-" + (mark.map { $0 + "-" } ?? "")
  }

  static let newSuffix = "-new.tmp"
  static let oldSuffix = "-old.tmp"
}

/// What processes that were killed left beside a document.
package enum Leftovers {
  /// Removes what was never completed.
  ///
  /// Only while no other process can be replacing documents with this mark.
  ///
  /// - Parameters:
  ///   - mark: whose leftovers.
  ///   - folder: where the document is.
  /// - Returns: what else there is: each one may hold somebody's last edit.
  package static func removeUnfinished(mark: String, in folder: FilePath) throws -> [FilePath] {
    var displaced: [FilePath] = []
    for name in try Folder.names(in: folder) {
      guard let text = String(validating: name, as: UTF8.self),
        text.hasPrefix(TemporaryName.stem(mark))
      else { continue }
      let path = folder.appending(bytes: name)
      if text.hasSuffix(TemporaryName.newSuffix) { try Folder.removeTree(path) }
      if text.hasSuffix(TemporaryName.oldSuffix) { displaced.append(path) }
    }
    return displaced
  }
}
