/// Text for people, and lines of unknown formats.
extension DocumentFormat {
  static let plainText = DocumentFormat(
    "text", ["*.txt", "*.text"], kind: .plain, engine: text(.plain),
    checks: [NamesOnce(OutlineNames(.plain))])

  /// Lines of unknown formats.
  static let unknown = DocumentFormat("lines", kind: .lines, engine: lines)
}
