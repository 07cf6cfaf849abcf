/// The lines that changed between two texts.
package enum LineDifference {
  /// The changes that turn one text into the other, line by line, as git finds them, in order; at least one unchanged
  /// line stands between two of them.
  package static func changes(from old: [UInt8], to new: [UInt8]) -> [LineChange] {
    let numbers = LineNumbers([TextLines(old), TextLines(new)])
    return SequenceDifference.changes(
      from: numbers.texts[0], to: numbers.texts[1], count: numbers.count)
  }
}
