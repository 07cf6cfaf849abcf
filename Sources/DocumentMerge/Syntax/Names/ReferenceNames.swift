/// The names that a text defines, and those that it refers to, each with how often.
///
/// Lines are read one by one, and by their form only: a name that something else has, too, or that a program makes of
/// parts, is not seen, nor is a reference to another document.
struct ReferenceNames {
  enum Form {
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
  }

  private(set) var definitions: [Substring: Int] = [:]
  private(set) var references: [Substring: Int] = [:]
  /// The key of YAML whose lines are read: its name, its column, and that of the lines right below it.
  var open: (key: Substring, column: Int, inner: Int?)?
  /// The key of a property list whose value is read.
  var propertyKey: Substring = ""

  /// Reads a text.
  /// - Parameter lines: The lines to read; all of them, if not given.
  init(_ text: TextLines, _ form: Form, lines: [Int]? = nil) {
    for number in lines ?? Array(0..<text.count) {
      let line = Substring(decoding: text[number..<number + 1], as: UTF8.self)
        .trimmingSuffix(while: \.isNewline)
      guard !line.isEmpty else { continue }
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
      case .outline: readOutline(line)
      case .tables: readTables(line)
      case .propertyLists: readPropertyList(line)
      case .declarations: readDeclaration(line)
      case .styles: readStyle(line)
      }
    }
  }

  mutating func define(_ name: some StringProtocol) {
    if !name.isEmpty { definitions[Substring(name), default: 0] += 1 }
  }

  mutating func refer(to name: some StringProtocol) {
    if !name.isEmpty { references[Substring(name), default: 0] += 1 }
  }
}

extension ReferenceNames {
  /// The names that one side took away from a base, while the other one began to refer to them.
  /// - Parameters:
  ///   - side: The names of the side that took some away.
  ///   - other: Those of the other one, which still has them.
  func lost(by side: ReferenceNames, usedBy other: ReferenceNames) -> [Substring] {
    other.references.compactMap { name, count -> Substring? in
      let known = references[name, default: 0]
      guard definitions[name] != nil, count > known, side.definitions[name] == nil,
        other.definitions[name] != nil
      else { return nil }
      // Who takes something away, and leaves all references to it, says that they mean something else.
      return known > 0 && side.references[name, default: 0] >= known ? nil : name
    }
    .sorted()
  }
}

extension ReferenceNames {
  /// Returns whether one side may have taken a name away that is in what the other one changed.
  ///
  /// Only lines that were changed are read, so that the whole documents need to be read where there is something to find.
  static func mayBeLost(_ texts: MergeSides<TextLines>, _ form: Form) -> Bool {
    guard let base = texts.base else { return false }
    let (ours, theirs) = (texts.ours, texts.theirs)
    return mayBeLost(base, by: ours, usedBy: theirs, form)
      || mayBeLost(base, by: theirs, usedBy: ours, form)
  }

  private static func mayBeLost(
    _ base: TextLines, by side: TextLines, usedBy other: TextLines, _ form: Form
  ) -> Bool {
    let (old, new) = (Set(base.lines), Set(side.lines))
    let removed = (0..<base.count).filter { !new.contains(base[$0..<$0 + 1]) }
    guard !removed.isEmpty else { return false }
    let added = (0..<side.count).filter { !old.contains(side[$0..<$0 + 1]) }
    let used = Set(
      (0..<other.count).filter { !old.contains(other[$0..<$0 + 1]) }
        .flatMap { words(of: other[$0..<$0 + 1]) })
    guard !used.isEmpty else { return false }
    let gone = ReferenceNames(base, form, lines: removed)
    let kept = ReferenceNames(side, form, lines: added).definitions
    // Which of them are definitions is seen only where all lines are read.
    return [gone.definitions, gone.references].contains { names in
      names.keys.contains { name in
        kept[name] == nil && words(of: Array(name.utf8)[...]).allSatisfy(used.contains)
      }
    }
  }

  /// The words of a line, in small letters.
  private static func words(of line: ArraySlice<UInt8>) -> [[UInt8]] {
    line.split { byte in
      let isLetter = (byte | 0x20) >= 0x61 && (byte | 0x20) <= 0x7A
      return !isLetter && byte < 0x80 && byte != UInt8(ascii: "_") && !(0x30...0x39).contains(byte)
    }
    .map { $0.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 } }
  }
}

extension TextLines {
  fileprivate var lines: [ArraySlice<UInt8>] { (0..<count).map { self[$0..<$0 + 1] } }
}
