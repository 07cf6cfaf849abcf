/// The lines that changed between two texts.
package enum LineDifference {
  /// Returns the changes from one text to another, line by line and in order, as
  /// `git diff --patience` finds them.
  ///
  /// At least one unchanged line is between two changes.
  package static func changes(from old: [UInt8], to new: [UInt8]) -> [LineChange] {
    let numbers = LineNumbers([TextLines(old), TextLines(new)])
    return SequenceDifference.changes(
      from: numbers.texts[0], to: numbers.texts[1], count: numbers.count)
  }
}
