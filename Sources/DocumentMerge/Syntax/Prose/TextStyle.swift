/// The extent to which a text may be merged inside its lines.
enum TextStyle: String, Sendable, CaseIterable {
  /// Only line by line, as git does, for programs, settings and everything unknown.
  case lines
  /// Text for people, with merging of words in a line or paragraph, and of items added to one list.
  case plain
  /// Like plain, but with code and front matter line by line, and tables by cells.
  case markdown
  /// Like plain, but with commands, formulas, tables and listings line by line.
  case latex
  /// Like plain, but with directives, literal blocks, tables and titles line by line.
  case restructuredText
  /// Like plain, but with delimited blocks, macros and tables line by line.
  case asciidoc
  /// Like plain, but with blocks, drawers, keywords and tables line by line.
  case org
}
