internal import DocumentFiles

/// An answer to a merge question, kept in the record of the resolution for when the question comes up again.
///
/// It contains only digests: after the contents of versions are removed, nothing of them stays in a record.
package struct GivenAnswer: Codable, Hashable, Sendable {
  /// The digest of the place and of its value in the common base of both sides.
  package let question: String
  /// The digest of one side's value.
  package let ours: String
  /// The digest of the other side's value.
  package let theirs: String
  /// The digest of the resulting value.
  package let answer: String

  package init(question: String, ours: String, theirs: String, answer: String) {
    self.question = question
    self.ours = ours
    self.theirs = theirs
    self.answer = answer
  }

  /// The greatest number of answers in one record; further answers are not kept.
  static let most = 1_000

  /// Returns the digest of a sequence of parts, in which nil differs from an empty part.
  ///
  /// It includes the document's identifier, so that equal values in two documents have different digests.
  package static func digest(of parts: [[UInt8]?], in document: String) -> String {
    var bytes = Array(document.utf8)
    for part in parts {
      let count = part.map(\.count) ?? -1
      bytes += Array("\n\(count)\n".utf8) + (part ?? [])
    }
    return String(ContentDigest(of: bytes).description.prefix(32))
  }
}

/// An earlier answer, and the resolution that it belongs to.
package struct EarlierAnswer: Sendable {
  package let given: GivenAnswer
  package let resolution: FileVersion
}
