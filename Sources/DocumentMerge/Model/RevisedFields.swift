/// The fields that programs write at every save, such as dates and counters, of which the newer or higher value is
/// taken without a question.
///
/// Names are compared by their letters only: `lastOpened` equals `last_opened` and `LAST-OPENED`. Values that can't be
/// compared, such as two texts, become questions.
package struct RevisedFields: Sendable, Equatable {
  /// The names of additional fields; others, such as `modified`, are known.
  package var newer: Set<String>
  /// The names of known fields that become questions anyway.
  package var asked: Set<String>

  /// Creates the names of fields, beside the known ones.
  package init(newer: Set<String> = [], asked: Set<String> = []) {
    self.newer = newer
    self.asked = asked
  }

  /// The known names, in lowercase and without marks.
  private static let known: Set<String> = [
    "updated", "modified", "updatedat", "modifiedat", "lastmodified", "lastupdated", "lastedited",
    "lasteditedat", "dateupdated", "datemodified", "mtime", "lastsaved", "savedat", "modifieddate",
    "updateddate", "modificationdate", "lastmodificationdate", "lastopened", "dcmodified",
    "lastsave",
  ]

  /// Returns whether the newer value of a field is taken.
  func areNewer(_ name: some StringProtocol) -> Bool {
    guard !areAsked(name) else { return false }
    let letters = Self.letters(of: name)
    return Self.known.contains(letters) || newer.contains { Self.letters(of: $0) == letters }
  }

  /// Returns whether a known field becomes a question.
  func areAsked(_ name: some StringProtocol) -> Bool {
    guard !asked.isEmpty else { return false }
    let letters = Self.letters(of: name)
    return asked.contains { Self.letters(of: $0) == letters }
  }

  private static func letters(of name: some StringProtocol) -> String {
    name.lowercased().filter(\.isLetter)
  }

  /// Returns the fields with more names.
  func adding(_ other: RevisedFields) -> RevisedFields {
    RevisedFields(newer: newer.union(other.newer), asked: asked.union(other.asked))
  }
}
