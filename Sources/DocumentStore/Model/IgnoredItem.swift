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
  }

  package init(url: URL, rule: IgnoreRules.Rule? = nil, reason: Reason? = nil) {
    (self.url, self.rule, self.reason) = (url, rule, reason)
  }
}
