extension StringProtocol {
  /// Returns the sequence without spaces and tabs at the ends.
  package func trimmingBlanks() -> SubSequence {
    let start = drop { $0 == " " || $0 == "\t" }
    return start.lastIndex { $0 != " " && $0 != "\t" }.map { start[...$0] } ?? start.prefix(0)
  }
}
