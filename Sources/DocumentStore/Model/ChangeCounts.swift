/// The size of a version's changes since its parent, in numbers.
package struct ChangeCounts: Hashable, Sendable {
  /// The unit that is counted.
  package enum Unit: UInt64, Sendable {
    /// The lines of a text; files that aren't text have none.
    case lines = 1
    /// The members of a package.
    case members
  }

  package let unit: Unit
  package let added: Int
  package let removed: Int
  /// The number of changed members, including renamed ones; lines have none.
  package let changed: Int
  package let renamed: Int

  package init(linesAdded added: Int, removed: Int) {
    unit = .lines
    self.added = added
    self.removed = removed
    changed = 0
    renamed = 0
  }

  init(membersAdded added: Int, removed: Int, changed: Int, renamed: Int) {
    unit = .members
    self.added = added
    self.removed = removed
    self.changed = changed
    self.renamed = renamed
  }
}
