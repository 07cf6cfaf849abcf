package import DocumentGit

/// The names of references to heads.
///
/// Stores may come from elsewhere, and their references may have any name.
package enum HeadName {
  package static let prefix = StoreFile.heads.prefix
  /// The line that the first save began.
  package static let main = prefix + "main"
  /// The target of `HEAD` while the document on disk shows no version yet; no reference has this name.
  static let unshown = prefix + "unshown"

  /// Throws an error for more heads than a document may have.
  package static func check(count: Int) throws(GitError) {
    guard count <= Record.mostParents else {
      throw .malformed(
        "it has \(count) versions in conflict; a document’s may have \(Record.mostParents)")
    }
  }

  /// Returns whether a reference's name is valid for a head: "main", a record's id, or a similarly plain
  /// name.
  ///
  /// docversions creates no other references, and ignores them.
  package static func isValid(_ name: String) -> Bool {
    name.hasPrefix(prefix) && isValid(last: Array(name.utf8.dropFirst(prefix.utf8.count)))
  }

  /// Checks the part of a name after the last slash.
  package static func isValid(last: [UInt8]) -> Bool {
    !last.isEmpty && last.count <= 100
      && last.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-")
      }
  }
}
