/// Text for people, and lines of which nothing is known.
extension DocumentFormat {
  static let plainText = DocumentFormat(
    "text", ["*.txt", "*.text"], kind: .plain, engine: text(.plain),
    checks: [NamesOnce(OutlineNames(.plain))])

  /// Lines of which nothing is known.
  static let unknown = DocumentFormat("lines", kind: .lines, engine: lines)
}
