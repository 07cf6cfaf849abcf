/// The entries of a text that have a name which must be there once, such as the keys of a section.
struct EntryNames {
  /// The formats whose names are known.
  enum Form {
    /// Keys with values, in sections that must be there once, too: settings, environments, desktop entries.
    case keys
    /// The same, with sections that may be in parts: units of systemd.
    case units
    /// Keys with values, as Java writes them.
    case properties
    /// Translations by their source text.
    case translations
    /// Entries of a bibliography, and its strings.
    case bibliography
    /// Components of calendars and address books.
    case components
    /// The keys of a front matter, footnotes and targets of links.
    case markdown
    /// Labels, works cited and commands of LaTeX.
    case labels
    /// Targets, footnotes and substitutions of reStructuredText.
    case targets
    /// Anchors and attributes of AsciiDoc.
    case anchors
    /// Identifiers, names and footnotes of Org.
    case outline
    /// Variables in lists such as `- LOG=debug`.
    case variables
    /// Packages with their versions, each on a line.
    case packages
    /// Numbers of subtitles.
    case subtitles
    /// What schemas and configurations declare.
    case declarations
    /// Properties of rules, and variables.
    case styles
    /// Variables and stages of recipes for images.
    case images
    /// Targets of makefiles.
    case makefile
    /// Names behind a mark at the start of a line.
    case marked(String)
    /// Headings of LaTeX beside its labels.
    case article
    /// Keys by the columns that they start in, of documents that cannot be read.
    case columns
    /// Keys with values, and blocks of servers.
    case servers
    /// Tables whose rows are lines of words.
    case lines(LineTable)
    /// Packages in a form of their own.
    case needs(PackageNames.Form)
    /// Names that statements and records give.
    case statements(StatementNames.Form)
    /// Names in data that are there once in the whole document.
    case data
    /// Text with numbers for what it says.
    case plain
    /// Objects of programs, in a format that is described.
    case objects(ObjectFormat)
  }

  struct Entry {
    let name: String
    /// The lines of the entry.
    let lines: Range<Int>
    /// Indicates whether these lines are all that the entry is.
    var isWhole = true
  }

  private(set) var entries: [Entry] = []

  /// The number of entries of each name.
  var counts: [String: Int] { entries.reduce(into: [:]) { $0[$1.name, default: 0] += 1 } }

  /// Reads a text.
  init(_ text: TextLines, _ form: Form) {
    if case .data = form, !DataNames.mayStand(in: text) { return }
    let lines = (0..<text.count).map { number in
      let line = text[number..<number + 1]
      return String(decoding: line, as: UTF8.self)
        .trimmingSuffix { $0.isNewline || $0 == " " || $0 == "\t" }
    }
    switch form {
    case .keys: readKeys(lines, sectionsAreOnce: true)
    case .units: readKeys(lines, sectionsAreOnce: false)
    case .properties: readProperties(lines)
    case .translations: readTranslations(lines)
    case .bibliography: readBibliography(lines)
    case .components:
      readComponents(lines)
      add(StatementNames.fields(in: lines))
    case .markdown:
      readMarkdown(lines)
      add(OutlineNames(lines, .markdown).names)
    case .labels: readLabels(lines)
    case .targets:
      readTargets(lines)
      add(OutlineNames(lines, .restructured).names)
    case .anchors:
      readAnchors(lines)
      add(OutlineNames(lines, .asciidoc).names)
    case .outline:
      readOutline(lines)
      add(OutlineNames(lines, .org).names)
    case .variables:
      add(ColumnKeys(lines, .variables).names)
      if DataNames.mayStand(in: text) { add(DataNames.names(in: lines)) }
    case .packages: readPackages(lines)
    case .subtitles: readSubtitles(lines)
    case .declarations:
      add(DeclaredNames(lines, .declarations).names)
      add(StatementNames.names(in: lines, .queries))
      add(StatementNames.members(in: lines))
    case .styles: add(DeclaredNames(lines, .styles).names)
    case .images:
      add(DeclaredNames(lines, .images).names)
      add(StatementNames.commands(in: lines))
    case .makefile: add(DeclaredNames(lines, .makefile).names)
    case .marked(let mark): readMarked(lines, by: mark)
    case .article:
      readLabels(lines)
      add(OutlineNames(lines, .latex).names)
    case .columns: add(ColumnKeys(lines, .paths).names)
    case .servers:
      if NestedNames.mayStand(in: lines) {
        add(NestedNames.names(in: lines))
      } else {
        readKeys(lines, sectionsAreOnce: true)
      }
    case .lines(let table): add(table.names(in: lines))
    case .needs(let form): add(PackageNames.names(in: lines, form))
    case .statements(let form):
      add(StatementNames.names(in: lines, form))
      if form == .choices { add(OutlineNames(lines, .html).names) }
    case .plain: add(OutlineNames(lines, .plain).names)
    case .data: add(DataNames.names(in: lines))
    case .objects(let format):
      for (number, line) in lines.enumerated() {
        add(format.definitions(in: line).map { ($0, number) })
      }
    }
  }

  mutating func add(_ name: some StringProtocol, _ line: Int) {
    add(name, line..<line + 1)
  }

  mutating func add(_ name: some StringProtocol, _ lines: Range<Int>) {
    entries.append(Entry(name: String(name), lines: lines))
  }

  /// Adds names, whose entries mostly are more than the lines that give them.
  mutating func add(_ names: [(name: String, line: Int)], areWhole: Bool = false) {
    for (name, line) in names {
      entries.append(Entry(name: name, lines: line..<line + 1, isWhole: areWhole))
    }
  }

  /// Makes a line part of the last entry, if it stands right below it.
  mutating func extendLast(to line: Int) {
    guard let last = entries.last, last.lines.upperBound == line else { return }
    entries[entries.count - 1] = Entry(name: last.name, lines: last.lines.lowerBound..<line + 1)
  }
}

extension EntryNames {
  /// The names that a merged document has more than once, and no side has.
  static func doubled(
    in document: [UInt8], of sides: MergeSides<[UInt8]>, _ form: Form
  ) -> [String] {
    func counts(_ document: [UInt8]) -> [String: Int] {
      EntryNames(TextLines(DecodedText(document)?.text ?? []), form).counts
    }
    let names = counts(document).filter { $0.value > 1 }.keys
    guard !names.isEmpty else { return [] }
    let known = sides.all.map(counts)
    return names.filter { name in known.allSatisfy { $0[name, default: 0] < 2 } }.sorted()
  }
}

extension StringProtocol where SubSequence == Substring {
  /// The text without the last characters that satisfy a condition.
  func trimmingSuffix(while isPart: (Character) -> Bool) -> Substring {
    var rest = self[...]
    while let last = rest.last, isPart(last) { rest.removeLast() }
    return rest
  }
}

extension EntryNames.Form {
  /// Indicates whether an entry is nothing but its lines, which may be taken out.
  var areLines: Bool {
    switch self {
    case .keys, .units, .properties, .markdown, .translations, .bibliography, .packages, .targets,
      .servers:
      true
    default: false
    }
  }

  /// The form of files of a name; `nil` if nothing is known to be there once.
  init?(fileName: String) {
    let name = fileName.split(separator: "/").last.map { $0.lowercased() } ?? ""
    let parts = name.split(separator: ".", omittingEmptySubsequences: false)
    switch parts.count > 1 ? parts.last.map(String.init) ?? "" : "" {
    case "properties": self = .properties
    case "env", "desktop", "directory", "ini", "cfg", "cnf", "inf", "editorconfig", "url",
      "xcconfig",
      "gitconfig", "gitmodules", "npmrc", "pylintrc", "flake8", "coveragerc", "hgrc", "prefs",
      "theme", "lang", "ftl", "repo", "reg":
      self = .keys
    case "service", "socket", "timer", "target", "mount", "automount", "path", "slice", "scope",
      "network", "netdev", "link", "container", "pod", "volume", "swap", "nspawn":
      self = .units
    case "po", "pot": self = .translations
    case "bib", "bibtex": self = .bibliography
    case "ics", "ical", "ifb", "vcf", "vcard": self = .components
    case "md", "markdown", "mdown", "mkd", "mkdn", "mdx", "qmd", "rmd": self = .markdown
    case "tex", "latex", "ltx": self = .article
    case "sty", "cls": self = .labels
    case "rst", "rest": self = .targets
    case "adoc", "asciidoc", "asc": self = .anchors
    case "org": self = .outline
    case "yaml" where name == "pubspec.yaml": self = .needs(.sections)
    case "yml", "yaml": self = .variables
    case "json5", "hjson": self = .columns
    case "conf" where name == "redis.conf" || name == "sshd.conf":
      self = LineTable(fileName: "sshd_config").map { .lines($0) } ?? .servers
    case "conf", "nginx", "vhost": self = .servers
    case "json" where name == "package.json" || name == "composer.json": self = .needs(.objects)
    case "json": self = .data
    case "xml" where name == "pom.xml": self = .needs(.elements)
    case "pom": self = .needs(.elements)
    case "gradle": self = .needs(.scripts)
    case "toml": self = .needs(.texts)
    case "beancount", "bean", "ledger", "journal", "hledger": self = .statements(.accounts)
    case "feature": self = .statements(.scenarios)
    case "ttl", "n3": self = .statements(.triples)
    case "wiki", "mediawiki", "wikitext": self = .statements(.footnotes)
    case "html", "htm": self = .statements(.choices)
    case "dot", "gv", "mmd", "mermaid", "puml", "plantuml": self = .statements(.nodes)
    case "rss", "atom": self = .statements(.addresses)
    case "xml" where ["sitemap", "feed", "rss"].contains { name.firstPlace(of: $0) != nil }:
      self = .statements(.addresses)
    case "jsonl", "ndjson": self = .statements(.records)
    case "ged", "gedcom": self = .statements(.people)
    case "abc": self = .marked("X:")
    case "ldif": self = .marked("dn: ")
    case "txt" where name == "cmakelists.txt": self = .statements(.builds)
    case "cmake": self = .statements(.builds)
    case "zone": self = .statements(.aliases)
    case "txt" where name == "robots.txt": self = .statements(.robots)
    case "srt", "vtt": self = .subtitles
    case "tf", "hcl", "graphql", "graphqls", "gql", "proto", "sql", "dtd", "ent":
      self = .declarations
    case "css", "scss", "less": self = .styles
    case "ris": self = .marked("ID  - ")
    case "dockerfile", "containerfile": self = .images
    case "mk": self = .makefile
    case "mod" where name == "go.mod": self = .packages
    case "txt" where name.has("requirements") || name.has("constraints"):
      self = .packages
    case "txt", "text": self = .plain
    case _ where name.hasPrefix(".env"): self = .keys
    case _ where name == "caddyfile": self = .servers
    case _ where name == "procfile": self = .keys
    case _ where name == "dockerfile" || name == "containerfile": self = .images
    case _ where name == "ssh_config" || fileName.hasSuffix(".ssh/config"): self = .marked("Host ")
    case _ where name == "makefile" || name == "gnumakefile": self = .makefile
    case _ where ["gemfile", "podfile", "cartfile", "brewfile"].contains(name): self = .packages
    default:
      if let format = ObjectFormat(fileName: fileName) {
        self = .objects(format)
      } else if let table = LineTable(fileName: fileName) {
        self = .lines(table)
      } else {
        return nil
      }
    }
  }
}
