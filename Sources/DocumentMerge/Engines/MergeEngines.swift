internal import Foundation

/// The engines that there are, and which of them merges a file.
///
/// An engine that was put in for a name comes first, then the type that is declared for it, then what the name says,
/// and where it says nothing, the contents. Structured documents are merged by their structure, tables by
/// rows and columns, texts for people by words, everything else by lines. What is not of its type is merged by lines;
/// what is not text clashes as a whole.
public struct MergeEngines: Sendable {
  /// Engines that were put in, by the pattern of the file names that they are for; the last one that fits counts.
  private var rules: [(pattern: String, engine: @Sendable (String) -> any MergeEngine)] = []

  /// The fields that programs write, by the pattern of the files that they are in.
  private var fields: [(pattern: String, fields: RevisedFields)] = []

  /// The type that is declared for files of a name, before the name itself is asked.
  package var declaredKind: @Sendable (_ fileName: String) -> Kind? = { _ in nil }

  /// Creates the engines.
  public init() {}

  /// The engine for documents of a type.
  public func engine(for kind: Kind) -> any MergeEngine {
    switch kind {
    case .lines: TextMergeEngine(style: .lines, asksAboutMoves: true)
    case .plain: TextMergeEngine(style: .plain)
    case .markdown: MarkdownMergeEngine { engine(for: $0) }
    case .latex: TextMergeEngine(style: .latex)
    case .restructuredText: TextMergeEngine(style: .restructuredText)
    case .asciidoc: TextMergeEngine(style: .asciidoc)
    case .org: TextMergeEngine(style: .org)
    case .table: TableMergeEngine()
    case .sql: SQLMergeEngine()
    case .json: structured(JSONFormat())
    case .plist: PropertyListMergeEngine() { WordMerge.mergedValue($0) }
    case .toml: structured(TOMLFormat())
    case .xml: structured(XMLFormat())
    case .html: structured(HTMLFormat())
    case .notebook: structured(NotebookFormat())
    case .yaml: structured(YAMLFormat())
    case .gettext: structured(GettextFormat())
    case .settings: structured(SettingsFormat())
    case .calendar: structured(CalendarFormat())
    case .bibliography: structured(BibliographyFormat())
    case .database: DatabaseMergeEngine()
    case .set: structured(LineSetFormat())
    }
  }

  private func structured(_ format: some StructuredFormat) -> any MergeEngine {
    StructuredMergeEngine(format: format) { WordMerge.mergedValue($0) }
  }

  /// Puts in an engine.
  /// - Parameters:
  ///   - pattern: The names of the files that it merges, as in `*.drawio`: `*` stands for any characters, `?` for
  ///     one, `[…]` for one of some. Without a slash it is compared with the last part of a path; case does not count.
  ///   - engine: Makes the engine for a file's name or path.
  public mutating func use(
    for pattern: String, _ engine: @escaping @Sendable (_ fileName: String) -> any MergeEngine
  ) {
    rules.append((pattern, engine))
  }

  /// Names fields that programs write whenever they save, and of which the newer or higher value is taken.
  /// - Parameters:
  ///   - fields: The names of the fields.
  ///   - pattern: The names of the files that they are in, as for an engine.
  package mutating func use(_ fields: RevisedFields, for pattern: String) {
    self.fields.append((pattern, fields))
  }

  /// The engine for a file.
  /// - Parameter fileName: Its name, or its path.
  public func engine(forFileName fileName: String) -> any MergeEngine {
    let engine = uncheckedEngine(forFileName: fileName)
    let fields = fields.filter { fileName.matches($0.pattern) }.map(\.fields)
    guard let first = fields.first else { return engine }
    return FieldsMergeEngine(
      engine: engine, fields: fields.dropFirst().reduce(first) { $0.adding($1) })
  }

  private func uncheckedEngine(forFileName fileName: String) -> any MergeEngine {
    if let rule = rules.last(where: { fileName.matches($0.pattern) }) {
      return CheckedMergeEngine(engine: rule.engine(fileName))
    }
    let kind = declaredKind(fileName) ?? Kind(fileName: fileName)
    // Of a text for people, only what is in it says whether it is markup or data.
    guard let kind, kind != .plain else {
      return ContentMergeEngine(engines: self, fileName: fileName, fallback: kind ?? .lines)
    }
    let engine = engine(for: kind, fileName: fileName)
    return NamesMergeEngine(engine, fileName: fileName, kind: kind) ?? engine
  }

  private func engine(for kind: Kind, fileName: String) -> any MergeEngine {
    // Its name may say what stands between the cells.
    if kind == .table, let table = TableMergeEngine(fileName: fileName) { return table }
    if kind == .settings, let dialect = SettingsDialect(fileName: fileName) {
      return structured(SettingsFormat(dialect: dialect))
    }
    if kind == .set, let form = LineSetForm(fileName: fileName) {
      return structured(LineSetFormat(form: form))
    }
    return engine(for: kind)
  }
}

extension String {
  /// Returns whether a file's name or path fits a pattern.
  fileprivate func matches(_ pattern: String) -> Bool {
    let last = split(separator: "/").last.map(String.init) ?? self
    let text = pattern.utf8.contains(UInt8(ascii: "/")) ? self : last
    return fnmatch(pattern.lowercased(), text.lowercased(), 0) == 0
  }
}
