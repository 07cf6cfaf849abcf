/// How far a text may be merged inside its lines.
enum TextStyle: String, Sendable, CaseIterable {
  /// Line by line only, as git does: for programs, settings and everything unknown.
  case lines
  /// Text for people: words of one line or paragraph are merged, and items added to one list.
  case plain
  /// As plain, but code and front matter line by line, and tables by cells.
  case markdown
  /// As plain, but commands, formulas, tables and listings line by line.
  case latex
  /// As plain, but directives, literal blocks, tables and titles line by line.
  case restructuredText
  /// As plain, but delimited blocks, macros and tables line by line.
  case asciidoc
  /// As plain, but blocks, drawers, keywords and tables line by line.
  case org
}
