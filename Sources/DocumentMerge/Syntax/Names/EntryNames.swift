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
    /// Works of a catalogue in the RIS format.
    case citations
    /// Hosts of a configuration of ssh.
    case hosts
    /// Keys by the columns that they start in, of documents that cannot be read.
    case columns
  }

  struct Entry {
    let name: String
    /// The lines of the entry.
    let lines: Range<Int>
  }

  private(set) var entries: [Entry] = []

  /// The number of entries of each name.
  var counts: [String: Int] { entries.reduce(into: [:]) { $0[$1.name, default: 0] += 1 } }

  /// Reads a text.
  init(_ text: TextLines, _ form: Form) {
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
    case .components: readComponents(lines)
    case .markdown: readMarkdown(lines)
    case .labels: readLabels(lines)
    case .targets: readTargets(lines)
    case .anchors: readAnchors(lines)
    case .outline: readOutline(lines)
    case .variables: readVariables(lines)
    case .packages: readPackages(lines)
    case .subtitles: readSubtitles(lines)
    case .declarations: readDeclarations(lines)
    case .styles: readStyles(lines)
    case .images: readImages(lines)
    case .makefile: readTargets(ofMakefile: lines)
    case .citations: readMarked(lines, by: "ID  - ")
    case .hosts: readMarked(lines, by: "Host ")
    case .columns: readColumns(lines)
    }
  }

  mutating func add(_ name: some StringProtocol, _ line: Int) {
    add(name, line..<line + 1)
  }

  mutating func add(_ name: some StringProtocol, _ lines: Range<Int>) {
    entries.append(Entry(name: String(name), lines: lines))
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
    case .keys, .units, .properties, .markdown, .translations, .bibliography, .packages, .targets:
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
    case "env", "desktop", "directory", "ini", "cfg", "conf", "cnf", "inf", "editorconfig", "url",
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
    case "tex", "latex", "ltx", "sty", "cls": self = .labels
    case "rst", "rest": self = .targets
    case "adoc", "asciidoc", "asc": self = .anchors
    case "org": self = .outline
    case "yml", "yaml": self = .variables
    case "json5", "hjson": self = .columns
    case "srt", "vtt": self = .subtitles
    case "tf", "hcl", "graphql", "graphqls", "gql", "proto", "sql", "dtd", "ent":
      self = .declarations
    case "css", "scss", "less": self = .styles
    case "ris": self = .citations
    case "dockerfile", "containerfile": self = .images
    case "mk": self = .makefile
    case "mod" where name == "go.mod": self = .packages
    case "txt" where name.contains("requirements") || name.contains("constraints"):
      self = .packages
    case _ where name.hasPrefix(".env"): self = .keys
    case _ where name == "dockerfile" || name == "containerfile": self = .images
    case _ where name == "ssh_config" || fileName.hasSuffix(".ssh/config"): self = .hosts
    case _ where name == "makefile" || name == "gnumakefile": self = .makefile
    case _ where ["gemfile", "podfile", "cartfile", "brewfile"].contains(name): self = .packages
    default: return nil
    }
  }
}
