import DocumentMerge
import Testing

/// A merge of a file by the engine for its name, and its result.
struct FileMerge: Sendable, CustomTestStringConvertible {
  let fileName: String
  let sides: MergeSides<String>
  /// The result; `nil` if a person has to decide.
  let expected: String?
  private let note: String

  var testDescription: String { note.isEmpty ? fileName : "\(fileName): \(note)" }

  init(
    _ fileName: String, _ base: String, _ ours: String, _ theirs: String,
    gives expected: String? = nil
  ) {
    self.init(fileName, "", base, ours, theirs, gives: expected)
  }

  init(
    _ fileName: String, _ note: String, _ base: String, _ ours: String, _ theirs: String,
    gives expected: String? = nil
  ) {
    (self.fileName, self.note, self.expected) = (fileName, note, expected)
    sides = MergeSides(base: base, ours: ours, theirs: theirs)
  }

  /// Creates a merge in which each side adds something to a text: after the first part, and before the last
  /// one.
  init(
    _ fileName: String, _ note: String = "", parts: [String], adding ours: String,
    and theirs: String,
    gives expected: String? = nil
  ) {
    self.init(
      fileName, note, parts.joined(), parts[0] + ours + parts.dropFirst().joined(),
      parts.dropLast().joined() + theirs + (parts.last ?? ""), gives: expected)
  }

  /// Expects the result or a question, in both directions.
  /// - Parameter otherName: The document's name, if it is to be another one.
  func check(by engines: MergeEngines = MergeEngines(), named otherName: String? = nil) throws {
    let engine = engines.engine(forFileName: otherName ?? fileName)
    let sides = sides.map { Array($0.utf8) }
    for sides in [sides, sides.swapped] {
      let outcome = try engine.merge(sides, options: MergeOptions())
      #expect(outcome.isComplete == (expected != nil), "\(outcome.text)")
    }
    guard let expected else { return }
    #expect(try engine.merge(sides, options: MergeOptions()).text == expected)
  }
}
