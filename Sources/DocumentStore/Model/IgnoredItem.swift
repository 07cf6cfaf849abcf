package import DocumentFiles
package import Foundation

/// A file or folder that is ignored, as a member of a package or as a document.
package struct IgnoredItem: Sendable {
  package let url: URL
  /// The rule that excludes the item; `nil` if the item itself is the reason.
  package let rule: IgnoreRules.Rule?
  /// The reason that the item itself shows.
  package let reason: Reason?

  /// The reason why an item is ignored that no rule names.
  package enum Reason: Sendable {
    /// A copy of a document that a sync tool created.
    case conflictedCopy
    /// A nested container.
    case ownVersions
    /// A folder with a repository of another program.
    case repository
    /// A folder with generated contents, marked as such by its program.
    case madeByPrograms
    /// A file that is a part of a database, and saved with it.
    case databasePart
    /// An item whose name is not valid UTF-8; its URL has the name in the displayed form.
    case invalidName
    /// A folder that the user can't read.
    case unreadable

    /// Finds the reason why a folder with certain members has no documents of the container around it; `nil`
    /// if it may have some.
    package init?(ofFolderWith names: Set<[UInt8]>) {
      func has(_ name: String) -> Bool { names.contains(Array(name.utf8)) }
      if has(StoresFolder.name) {
        self = .ownVersions
      } else if has(".git") || has("HEAD") && has("objects") && has("refs") {
        self = .repository
      } else if ["CACHEDIR.TAG", "CMakeCache.txt", "pyvenv.cfg"].contains(where: has) {
        self = .madeByPrograms
      } else {
        return nil
      }
    }
  }

  package init(url: URL, rule: IgnoreRules.Rule? = nil, reason: Reason? = nil) {
    (self.url, self.rule, self.reason) = (url, rule, reason)
  }
}
