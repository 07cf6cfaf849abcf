/// The engines that there are, and which of them merges a file.
///
/// A file's name tells: structured documents are merged by their structure, tables by rows and columns, texts for
/// people by words, everything else by lines. An engine looks at the contents itself, and merges what is not of its
/// type by lines; what is not text clashes as a whole.
public struct MergeEngines: Sendable {
  /// A type of document, as settings name it.
  public enum Kind: String, Sendable, CaseIterable {
    /// Lines, and nothing inside them.
    case lines
    /// Text for people, by lines, words and list items.
    case plain
    /// The same, with Markdown's lists and tables.
    case markdown
    /// Comma- and tab-separated values.
    case table
    /// JSON, also with comments: objects by key, lists by what tells their members apart, or by what is in them.
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
  }

  /// Creates the engines.
  public init() {}

  /// The engine for documents of a type.
  public func engine(for kind: Kind) -> any MergeEngine {
    switch kind {
    case .lines: TextMergeEngine(style: .lines)
    case .plain: TextMergeEngine(style: .plain)
    case .markdown: TextMergeEngine(style: .markdown)
    case .table: TableMergeEngine()
    case .json: structured(JSONFormat())
    case .plist: PropertyListMergeEngine() { WordMerge.merged($0) }
    case .toml: structured(TOMLFormat())
    case .xml: structured(XMLFormat())
    case .html: structured(HTMLFormat())
    case .notebook: structured(NotebookFormat())
    case .yaml: structured(YAMLFormat())
    }
  }

  private func structured(_ format: some StructuredFormat) -> any MergeEngine {
    StructuredMergeEngine(format: format) { WordMerge.merged($0) }
  }

  /// The engine for a file.
  /// - Parameter fileName: Its name, or its path.
  public func engine(forFileName fileName: String) -> any MergeEngine {
    if let table = TableMergeEngine(fileName: fileName) { return table }
    return engine(for: Kind(fileName: fileName))
  }
}

extension MergeEngines.Kind {
  /// The type of a file with this name; lines for what is not known.
  /// - Parameter fileName: The name, or a path.
  public init(fileName: String) {
    let name = fileName.split(separator: "/").last.map { $0.lowercased() } ?? ""
    let suffix = name.lastIndex(of: ".").map { String(name[name.index(after: $0)...]) } ?? ""
    switch suffix {
    case "json", "jsonc", "geojson", "resolved", "xcstrings", "webmanifest", "code-workspace",
      "topojson", "har":
      self = .json
    case "plist", "strings", "stringsdict", "entitlements", "pbxproj", "xcprivacy":
      self = .plist
    case "xml", "svg", "xhtml", "storyboard", "xib", "xcscheme", "xliff", "xlf", "kml", "gpx":
      self = .xml
    case "html", "htm":
      self = .html
    case "ipynb":
      self = .notebook
    case "csv", "tsv", "tab":
      self = .table
    case "toml":
      self = .toml
    case _ where ["cargo.lock", "poetry.lock", "uv.lock", "pdm.lock", "pipfile"].contains(name):
      self = .toml
    case "yml", "yaml", "cff", "sublime-syntax", "clang-format", "clang-tidy", "clangd", "eyaml":
      self = .yaml
    case _
    where ["pubspec.lock", "podfile.lock", ".yamllint", ".gemrc", "glide.lock"].contains(name):
      self = .yaml
    default:
      switch TextStyle(fileName: fileName) {
      case .markdown: self = .markdown
      case .plain: self = .plain
      case .lines: self = .lines
      }
    }
  }
}
