internal import DocumentVersions

extension MarkReport {
  /// The lines for a person.
  func lines(for file: DocumentArgument, isDryRun: Bool) -> [String] {
    guard !versions.isEmpty else { return ["Nothing to mark: not in an unresolved conflict."] }
    let names = Wording.list(versions.map(\.shown))
    let line = """
      \(isDryRun ? "Would mark" : "Marked") \(names) of \(file.shown) as resolved; \
      current is \(version.version.shown).
      """
    return isDryRun ? [line] : [line, file.undoLine]
  }
}
