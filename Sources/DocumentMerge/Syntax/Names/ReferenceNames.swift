/// The names that a text defines, and those that it refers to, each with how often.
///
/// Lines are read one by one, and by their form only: a name that something else has, too, or that a program makes of
/// parts, is not seen, nor is a reference to another document.
struct ReferenceNames {
  enum Form: Equatable {
    /// LaTeX: labels and works cited.
    case labels
    /// XML and HTML: ids and names.
    case markup
    /// YAML and JSON: keys and ids, which pointers, lists of dependencies and ends of edges name.
    case keys
    /// Markdown: headings, footnotes and targets of links.
    case markdown
    /// reStructuredText: targets, footnotes and substitutions.
    case targets
    /// AsciiDoc: anchors and attributes.
    case anchors
    /// Settings: keys that values take in.
    case settings
    /// Works that others are parts of, and strings.
    case bibliography
    /// Calendars: appointments and time zones.
    case components
    /// Org: headings, identifiers and footnotes.
    case outline
    /// TOML: keys and tables, which strings name.
    case tables
    /// Property lists: identifiers, which other strings name.
    case propertyLists
    /// Schemas and configurations: what they declare.
    case declarations
    /// Style sheets: variables and animations.
    case styles
    /// Tables: the rows that the cells of some columns name.
    case rows
    /// Makefiles: variables and targets.
    case makefile
    /// Recipes for images: variables and stages.
    case images
    /// Build scripts: variables.
    case scripts
    /// Graphs and diagrams: nodes, which edges name.
    case graph
    /// Ledgers: accounts, which postings name.
    case accounts
    /// Wikis: footnotes.
    case wiki
    /// Messages of Fluent.
    case messages
    /// Family trees: people and families.
    case people
    /// User interfaces in QML: elements.
    case elements
    /// Objects of programs, in a format that is described.
    case objects(ObjectFormat)
  }

  private(set) var definitions: [Substring: Int] = [:]
  private(set) var references: [Substring: Int] = [:]
  /// The names of texts that may be named anew, such as numbered footnotes, by what they say.
  private var texts: [Substring: Substring] = [:]
  /// The key of YAML whose lines are read: its name, its column, and that of the lines right below it.
  var open: (key: Substring, column: Int, inner: Int?)?
  /// The key of a property list whose value is read.
  var propertyKey: Substring = ""
  /// The columns of a table whose cells name rows.
  var referringColumns: [Int]?

  /// Reads a text.
  /// - Parameter lines: The lines to read; all of them, if not given.
  init(_ text: TextLines, _ form: Form, lines: [Int]? = nil) {
    // Where only some lines are read, the head of a table may not be one of them.
    if lines != nil { referringColumns = [] }
    var readers = form.readers(isPartial: lines != nil)
    for number in lines ?? Array(0..<text.count) {
      let line = Substring(decoding: text[number..<number + 1], as: UTF8.self)
        .trimmingSuffix(while: \.isNewline)
      guard !line.isEmpty else { continue }
      for index in readers.indices { readers[index].read(line, into: &self) }
      switch form {
      case .labels: readLabels(line)
      case .markup: readMarkup(line)
      case .keys: readKeys(line)
      case .markdown: readMarkdown(line)
      case .targets: readTargets(line)
      case .anchors: readAnchors(line)
      case .settings: readSettings(line)
      case .bibliography: readBibliography(line)
      case .components: readComponents(line)
      case .tables: readTables(line)
      case .propertyLists: readPropertyList(line)
      case .rows: readRow(line)
      case .outline, .declarations, .styles, .makefile, .images, .scripts, .graph, .accounts, .wiki,
        .messages, .people, .elements, .objects:
        break
      }
    }
  }

  mutating func define(_ name: some StringProtocol) {
    if !name.isEmpty { definitions[Substring(name), default: 0] += 1 }
  }

  mutating func refer(to name: some StringProtocol) {
    if !name.isEmpty { references[Substring(name), default: 0] += 1 }
  }

  /// Notes what a name is of.
  mutating func say(_ text: Substring, of name: some StringProtocol) {
    texts[text] = Substring(name)
  }
}

extension ReferenceNames {
  /// The names that one side took away from a base, while the other one began to refer to them.
  /// - Parameters:
  ///   - side: The names of the side that took some away.
  ///   - other: Those of the other one, which still has them.
  func lost(by side: ReferenceNames, usedBy other: ReferenceNames) -> [Substring] {
    let renamed = renamed(by: side)
    return other.references.compactMap { name, count -> Substring? in
      let known = references[name, default: 0]
      guard definitions[name] != nil, count > known, other.definitions[name] != nil else {
        return nil
      }
      if renamed.contains(name) { return name }
      guard side.definitions[name] == nil else { return nil }
      // A side that removes something and keeps all references to it means something else by them.
      return known > 0 && side.references[name, default: 0] >= known ? nil : name
    }
    .sorted()
  }

  /// The names that stand for something else on a side, which gave another name to what they were of.
  func renamed(by side: ReferenceNames) -> Set<Substring> {
    guard !texts.isEmpty else { return [] }
    return Set(
      texts.compactMap { text, name in
        side.texts[text].map { $0 != name } ?? false ? name : nil
      })
  }
}
