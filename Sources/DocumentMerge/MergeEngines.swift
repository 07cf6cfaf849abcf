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
    /// JSON, also with comments.
    case json
    /// Property lists in XML and as text, among them localised strings.
    case plist
    /// TOML, among it the lock files of package managers.
    case toml
    /// Well-formed XML of any kind.
    case xml
    /// YAML, by its blocks.
    case yaml
  }

  private let lineTools: any LineTools

  /// Creates the engines.
  /// - Parameter lineTools: What compares lines.
  public init(lineTools: any LineTools) {
    self.lineTools = lineTools
  }

  /// The engine for documents of a type.
  public func engine(for kind: Kind) -> any MergeEngine {
    switch kind {
    case .lines: TextMergeEngine(lineTools: lineTools, style: .lines)
    case .plain: TextMergeEngine(lineTools: lineTools, style: .plain)
    case .markdown: TextMergeEngine(lineTools: lineTools, style: .markdown)
    case .table: TableMergeEngine(lineTools: lineTools)
    case .json: JSONMergeEngine(lineTools: lineTools) { WordMerge.merged($0) }
    case .plist: PropertyListMergeEngine(lineTools: lineTools) { WordMerge.merged($0) }
    case .toml: TOMLMergeEngine(lineTools: lineTools) { WordMerge.merged($0) }
    case .xml: XMLMergeEngine(lineTools: lineTools) { WordMerge.merged($0) }
    case .yaml:
      StructuredMergeEngine(format: YAMLFormat(), lineTools: lineTools) { WordMerge.merged($0) }
    }
  }

  /// The engine for a file.
  /// - Parameter fileName: Its name, or its path.
  public func engine(forFileName fileName: String) -> any MergeEngine {
    if let table = TableMergeEngine(lineTools: lineTools, fileName: fileName) { return table }
    return engine(for: Kind(fileName: fileName))
  }

  /// The engine by which a text is asked about, clash by clash.
  /// - Parameter fileName: The name of the file, or its path.
  public func textEngine(forFileName fileName: String) -> TextMergeEngine {
    TextMergeEngine(lineTools: lineTools, style: TextStyle(fileName: fileName))
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
