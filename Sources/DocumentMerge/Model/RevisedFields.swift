/// The fields that programs write whenever they save a document, such as dates and counters: where both sides have another
/// value, the newer or higher one is taken, and nothing is asked.
///
/// Names are compared by their letters alone: `lastOpened` is `last_opened` and `LAST-OPENED`. What cannot be compared,
/// as two texts, is asked about all the same.
package struct RevisedFields: Sendable, Equatable {
  /// The names of additional fields; others, such as `modified`, are known.
  package var newer: Set<String>
  /// The names of known fields that become questions anyway.
  package var asked: Set<String>

  /// Creates the names of fields.
  /// - Parameters:
  ///   - newer: The additional fields of which the newer or higher value is taken.
  ///   - asked: The known fields that become questions anyway.
  package init(newer: Set<String> = [], asked: Set<String> = []) {
    self.newer = newer
    self.asked = asked
  }

  /// The names that are known, in small letters and without marks.
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

  /// Returns whether a field is asked about, though it is known.
  func areAsked(_ name: some StringProtocol) -> Bool {
    guard !asked.isEmpty else { return false }
    let letters = Self.letters(of: name)
    return asked.contains { Self.letters(of: $0) == letters }
  }

  private static func letters(of name: some StringProtocol) -> String {
    name.lowercased().filter(\.isLetter)
  }

  /// The same with more names.
  func adding(_ other: RevisedFields) -> RevisedFields {
    RevisedFields(newer: newer.union(other.newer), asked: asked.union(other.asked))
  }
}
