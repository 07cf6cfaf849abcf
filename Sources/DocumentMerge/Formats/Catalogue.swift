internal import Foundation

/// The list of all known formats.
enum Catalogue {
  /// The formats.
  ///
  /// The first format of a type is used if only the type is known, and the first matching format if contents match
  /// several.
  static let all: [DocumentFormat] =
    [
      .json, .jsonLock, .json5, .jsonLines, .javaScriptPackage, .excalidraw, .stringCatalog,
      .applicationResources, .jsonChangeLog, .toml, .tomlLock, .yaml, .yamlLock, .pub,
      .yamlChangeLog, .notebook, .html, .propertyList, .appleStrings, .xcodeProject, .xml,
      .androidStrings, .dotNetResources, .xliff, .qtLinguist, .translationMemory, .feed, .maven,
      .msBuild, .xmlChangeLog, .component, .template, .gettext, .fluent, .calendar, .addressBook,
      .bibTeX, .ris, .csv, .tsv,
      .database, .sql, .schema, .documentType, .server, .webServer, .sshConfig, .gradle, .makefile,
      .dockerfile, .markdown, .markdownWithElements, .latex, .latexPackage, .restructuredText,
      .asciiDoc, .org, .plainText, .styleSheet, .graph, .qml, .godot, .unity, .kiCad, .beancount,
      .ledger, .unknown,
    ] + settings + lineSets + lineTables + records

  /// Returns the format for a file name or a path; `nil` if it doesn't determine one.
  static func format(ofFileName fileName: String) -> DocumentFormat? {
    let path = fileName.lowercased()
    let name = path.split(separator: "/").last.map(String.init) ?? ""
    if let format = index.names[name] { return format }
    func fits(_ pattern: String) -> Bool {
      pattern.utf8.contains(UInt8(ascii: "/"))
        ? ("/" + path).hasSuffix("/" + pattern) : fnmatch(pattern, name, 0) == 0
    }
    if let found = index.patterns.first(where: { fits($0.pattern) }) { return found.format }
    guard let dot = name.lastIndex(of: ".") else { return nil }
    return index.suffixes[String(name[dot...])] ?? index.starts.first { fits($0.pattern) }?.format
  }

  /// Returns the format for documents of which only the type is known.
  static func standard(_ kind: MergeEngines.Kind) -> DocumentFormat {
    all.first { $0.kind == kind && $0.engine != nil } ?? .unknown
  }

  /// Returns the format for documents of a type, which their name may make more specific.
  static func format(of kind: MergeEngines.Kind, named: DocumentFormat?) -> DocumentFormat {
    let standard = standard(kind)
    switch named?.kind {
    case kind: return named ?? standard
    // The name may be more specific than the type.
    case nil, .plain, .lines: return named.map { standard.adding(checksOf: $0) } ?? standard
    default:
      // The type for lines doesn't determine the contents.
      let isText = kind == .lines || kind == .plain
      return isText ? named.map { standard.adding(checksOf: $0) } ?? standard : standard
    }
  }

  /// Returns the document type for a uniform type identifier in lowercase; `nil` if it isn't known.
  static func kind(ofIdentifier identifier: String) -> MergeEngines.Kind? {
    all.first { $0.identifiers.contains(identifier) }?.kind
  }

  private static let index = Index()

  /// The formats by the names of their files.
  private struct Index {
    private(set) var names: [String: DocumentFormat] = [:]
    private(set) var suffixes: [String: DocumentFormat] = [:]
    /// Patterns for the ends of names, which take precedence over suffixes.
    private(set) var patterns: [(pattern: String, format: DocumentFormat)] = []
    /// Patterns for the starts of names.
    private(set) var starts: [(pattern: String, format: DocumentFormat)] = []

    init() {
      for format in all {
        for file in format.files {
          let inner = file.dropFirst()
          if file.hasPrefix("*."), !inner.utf8.contains(UInt8(ascii: "*")),
            !inner.dropFirst().utf8.contains(UInt8(ascii: "."))
          {
            suffixes[String(inner)] = format
          } else if file.hasSuffix("*") {
            starts.append((file, format))
          } else if file.utf8.contains(UInt8(ascii: "*")) || file.utf8.contains(UInt8(ascii: "/")) {
            patterns.append((file, format))
          } else {
            names[file] = format
          }
        }
      }
    }
  }
}
