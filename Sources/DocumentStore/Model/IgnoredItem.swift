package import DocumentFiles
package import Foundation

/// A file or folder that is left out: no member of a package, or no document by itself.
package struct IgnoredItem: Sendable {
  package let url: URL
  /// The rule that says so; `nil` if the item itself shows it.
  package let rule: IgnoreRules.Rule?
  /// What the item shows.
  package let reason: Reason?

  /// What an item that no rule names shows it to be.
  package enum Reason: Sendable {
    /// A copy that a sync tool made of a document.
    case conflictedCopy
    /// A nested container.
    case ownVersions
    /// A folder with a repository of another program.
    case repository
    /// A folder with generated contents, marked as such by its program.
    case madeByPrograms
    /// A file that is a part of a database, and saved with it.
    case databasePart
    /// An item whose name is not valid UTF-8; its URL has the name as it is shown.
    case invalidName
    /// A folder that the user may not read.
    case unreadable
  }

  package init(url: URL, rule: IgnoreRules.Rule? = nil, reason: Reason? = nil) {
    (self.url, self.rule, self.reason) = (url, rule, reason)
  }
}
