internal import DocumentGit

/// The targets of all references of a document as one number, which changes when one of them moves.
struct ReferenceDigest: Equatable {
  let number: UInt64
}

extension ReferenceDigest {
  /// - Parameter references: the targets by their full names.
  init(_ references: [String: ObjectID]) {
    let lines = references.map { "\($0.key) \($0.value)\n" }.sorted().joined()
    number = ContentDigest(of: Array(lines.utf8)).prefix
  }
}
