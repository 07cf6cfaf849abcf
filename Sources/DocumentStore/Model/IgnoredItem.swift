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
    /// A folder that keeps the versions of the documents in it.
    case ownVersions
    /// A folder that a repository of another program is in.
    case repository
    /// A folder that programs fill, and say so in it.
    case madeByPrograms
  }

  package init(url: URL, rule: IgnoreRules.Rule? = nil, reason: Reason? = nil) {
    (self.url, self.rule, self.reason) = (url, rule, reason)
  }
}
