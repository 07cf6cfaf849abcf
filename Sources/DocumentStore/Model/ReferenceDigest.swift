internal import DocumentGit

/// The targets of all references of a document as one number, which differs once one of them has moved.
struct ReferenceDigest: Equatable {
  let number: UInt64

  init(number: UInt64) {
    self.number = number
  }

  /// - Parameter references: full names, and their targets.
  init(_ references: [String: ObjectID]) {
    let lines = references.map { "\($0.key) \($0.value)\n" }.sorted().joined()
    number = ContentDigest(of: Array(lines.utf8)).prefix
  }
}
