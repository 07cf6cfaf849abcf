import Foundation

/// The project's own files, read as text.
enum Project {
  /// The folder of `Package.swift`.
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Every Swift file under `Sources` with the target that it belongs to.
  static func swiftFiles() throws -> [(file: URL, target: String)] {
    let sources = root.appending(path: "Sources").resolvingSymlinksInPath()
    return try FileManager.default.subpathsOfDirectory(atPath: sources.path)
      .filter { $0.hasSuffix(".swift") }
      .map { (sources.appending(path: $0), String($0.prefix { $0 != "/" })) }
  }

  /// The modules that a file imports.
  static func imports(of file: URL) throws -> [String] {
    imports(inText: try String(contentsOf: file, encoding: .utf8))
  }

  /// The modules that a text imports: the first name behind `import` and the kind that may follow it.
  static func imports(inText text: String) -> [String] {
    let kinds: Set<Substring> = [
      "struct", "class", "enum", "protocol", "func", "var", "let", "typealias",
    ]
    return text.split(separator: "\n").compactMap { line in
      var words = line.split(separator: " ")
      guard let index = words.firstIndex(of: "import"),
        words[..<index].allSatisfy({ $0.hasPrefix("@") || accessLevels.contains($0) })
      else { return nil }
      words.removeFirst(index + 1)
      if let kind = words.first, kinds.contains(kind) { words.removeFirst() }
      return words.first.flatMap { $0.split(separator: ".").first }.map(String.init)
    }
  }

  private static let accessLevels: Set<Substring> = [
    "public", "package", "internal", "private", "fileprivate",
  ]
}
