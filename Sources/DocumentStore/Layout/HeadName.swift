package import DocumentGit

/// The names of references to heads: stores come from elsewhere, and anything can be named a reference.
package enum HeadName {
  package static let prefix = StoreFile.heads.prefix
  /// The line that the first save began.
  package static let main = prefix + "main"
  /// The target of `HEAD` while the document on disk shows no version yet: no reference has this name.
  static let unshown = prefix + "unshown"

  /// Refuses more heads than a document may have.
  package static func check(count: Int) throws(GitError) {
    guard count <= Record.mostParents else {
      throw .malformed(
        "it has \(count) versions in conflict; a document’s may have \(Record.mostParents)")
    }
  }

  /// Returns whether a reference's name is one of a head: "main", a record's id, or as plain as these.
  ///
  /// docversions makes no others, and passes over them.
  package static func isValid(_ name: String) -> Bool {
    name.hasPrefix(prefix) && isValid(last: Array(name.utf8.dropFirst(prefix.utf8.count)))
  }

  /// Checks what stands behind the last slash.
  package static func isValid(last: [UInt8]) -> Bool {
    !last.isEmpty && last.count <= 100
      && last.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) || $0 == UInt8(ascii: "-")
      }
  }
}
