internal import DocumentFiles

/// An answer to a question of a merge, as the record of the resolution keeps it for when the question comes again.
///
/// Only by digests: where the contents of versions are removed, nothing of them stays in a record.
package struct GivenAnswer: Codable, Hashable, Sendable {
  /// The digest of the place, and of what stood there in the version that both sides were made from.
  package let question: String
  /// The digest of what the one side had there.
  package let ours: String
  /// The digest of what the other side had there.
  package let theirs: String
  /// The digest of what stands there now.
  package let answer: String

  package init(question: String, ours: String, theirs: String, answer: String) {
    self.question = question
    self.ours = ours
    self.theirs = theirs
    self.answer = answer
  }

  /// The limit of the answers in one record; those to further questions are not kept.
  static let most = 1_000

  /// The digest of some parts, in an order, of which nil is another one than an empty part.
  ///
  /// With the document's identifier, so that equal values in two documents have nothing in common.
  package static func digest(of parts: [[UInt8]?], in document: String) -> String {
    var bytes = Array(document.utf8)
    for part in parts {
      let count = part.map(\.count) ?? -1
      bytes += Array("\n\(count)\n".utf8) + (part ?? [])
    }
    return String(ContentDigest(of: bytes).description.prefix(32))
  }
}

/// An answer that was given before, and the resolution that it was given in.
package struct EarlierAnswer: Sendable {
  package let given: GivenAnswer
  package let resolution: FileVersion
}
