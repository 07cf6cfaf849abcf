extension MergeEngines {
  /// A type of document, as settings name it.
  public enum Kind: String, Sendable, CaseIterable {
    /// Lines, and nothing inside them.
    case lines
    /// Text for people, by lines, words and list items.
    case plain
    /// The same, with Markdown's lists and tables; settings before it as YAML or TOML.
    case markdown
    /// Text for people in LaTeX: commands, formulas, tables and listings by lines.
    case latex
    /// Text for people in reStructuredText: directives, literal blocks, tables and titles by lines.
    case restructuredText = "restructured-text"
    /// Text for people in AsciiDoc: delimited blocks, macros and tables by lines.
    case asciidoc
    /// Text for people in Org: blocks, drawers, keywords and tables by lines.
    case org
    /// Comma- and tab-separated values.
    case table
    /// SQL: rows of values by their keys, all else by lines.
    case sql
    /// JSON, also with comments: objects by key, lists by identifying fields, or by the contents of their members.
    case json
    /// Property lists in XML, binary and as text, among them localised strings.
    case plist
    /// TOML, among it the lock files of package managers: tables by key, also where they stand in parts.
    case toml
    /// Well-formed XML of any kind: attributes by name, elements by `id` and the like, or by their place. An
    /// element that has text besides elements is one value. What declares entities of its own is merged as text.
    case xml
    /// HTML, also with end tags left out.
    case html
    /// Jupyter notebooks.
    case notebook
    /// YAML, by its blocks.
    case yaml
    /// Catalogues of gettext: entries by their text and context, the head by its fields.
    case gettext
    /// Settings whose lines are keys with values: by section and key.
    case settings
    /// Calendars and address books: components by their identifiers, properties by their names.
    case calendar
    /// Bibliographies of BibTeX: entries by their keys, fields by their names.
    case bibliography
    /// SQLite databases: tables by name, rows by key, values by column.
    case database
    /// Sets of lines, such as patterns of files to leave out, and required packages.
    case set
  }
}

extension MergeEngines.Kind {
  /// The type of a file with this name; `nil` for a name that says nothing.
  /// - Parameter fileName: The name, or a path.
  package init?(fileName: String) {
    let name = fileName.split(separator: "/").last.map { $0.lowercased() } ?? ""
    let suffix = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
    switch suffix {
    case "json", "jsonc", "geojson", "resolved", "xcstrings", "webmanifest", "code-workspace",
      "topojson", "har":
      self = .json
    case "plist", "strings", "stringsdict", "entitlements", "pbxproj", "xcprivacy":
      self = .plist
    case "xml", "svg", "xhtml", "storyboard", "xib", "xcscheme", "xliff", "xlf", "kml", "gpx",
      "xsd", "xsl", "xslt", "wsdl", "xaml", "resx", "nuspec", "props", "targets", "csproj",
      "fsproj", "vbproj", "vcxproj", "filters", "xcworkspacedata", "rss", "atom", "opml", "tmx",
      "ui", "qrc":
      self = .xml
    case "html", "htm":
      self = .html
    case "ipynb":
      self = .notebook
    case "po", "pot":
      self = .gettext
    case "ics", "ical", "ifb", "vcf", "vcard":
      self = .calendar
    case "bib", "bibtex":
      self = .bibliography
    case "csv", "tsv", "tab":
      self = .table
    case "sql":
      self = .sql
    case "toml":
      self = .toml
    case _ where ["cargo.lock", "poetry.lock", "uv.lock", "pdm.lock", "pipfile"].contains(name):
      self = .toml
    case "yml", "yaml", "cff", "sublime-syntax", "clang-format", "clang-tidy", "clangd", "eyaml":
      self = .yaml
    case _
    where ["pubspec.lock", "podfile.lock", ".yamllint", ".gemrc", "glide.lock"].contains(name):
      self = .yaml
    case _ where SettingsDialect(fileName: name) != nil: self = .settings
    case _ where LineSetForm(fileName: name) != nil: self = .set
    default:
      switch TextStyle(fileName: fileName) {
      case .markdown: self = .markdown
      case .plain: self = .plain
      case .latex: self = .latex
      case .restructuredText: self = .restructuredText
      case .asciidoc: self = .asciidoc
      case .org: self = .org
      case .lines: return nil
      }
    }
  }

  /// The type of files of a declared type.
  /// - Parameter identifiers: The uniform type identifier, and those of all that it is a kind of, nearest first.
  /// - Returns: `nil` if none of them says how such files are merged.
  package init?(conformingTo identifiers: [String]) {
    let known = identifiers.lazy.compactMap { Self.byIdentifier[$0.lowercased()] }
    guard let kind = known.first else { return nil }
    self = kind
  }

  private static let byIdentifier: [String: MergeEngines.Kind] = [
    "org.jupyter.notebook": .notebook, "public.json": .json, "public.geojson": .json,
    "com.apple.property-list": .plist, "com.apple.xml-property-list": .plist,
    "com.apple.binary-property-list": .plist, "public.yaml": .yaml, "public.toml": .toml,
    "public.html": .html, "public.xml": .xml, "public.svg-image": .xml,
    "public.comma-separated-values-text": .table, "public.tab-separated-values-text": .table,
    "public.delimited-values-text": .table, "net.daringfireball.markdown": .markdown,
  ]
}
