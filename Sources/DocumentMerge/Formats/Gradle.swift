/// Gradle build scripts, by lines.
extension DocumentFormat {
  static let gradle = DocumentFormat(
    "gradle", ["*.gradle"],
    checks: [NamesOnce(LineEntries { dependency(in: $0) }), LostNames(ScriptNames())])
}

/// Returns the package that a text such as `'group:name:version'` requires.
private func dependency(in line: Substring) -> String? {
  let text = line.drop { $0 == " " || $0 == "\t" }
  let word = text.prefix(while: \.isLetter)
  guard !word.isEmpty, let quote = text.firstIndex(where: { $0 == "'" || $0 == "\"" }),
    text[word.endIndex..<quote].allSatisfy({ " (".contains($0) })
  else { return nil }
  let parts = text[quote...].dropFirst().prefix { $0 != text[quote] }.split(separator: ":")
  guard parts.count == 3, parts.allSatisfy({ !$0.contains(" ") }) else { return nil }
  return "\(word) \(parts[0]):\(parts[1])"
}

/// The variables of scripts.
private struct ScriptNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    guard line.first != "#" else { return }
    if let equals = line.firstIndex(of: "="), line[equals...].dropFirst().first != "=" {
      let head = line[..<equals].split { !($0.isLetter || $0.isNumber || $0 == "_") }
      if let name = head.last, head.count <= 3 { names.define(name) }
    }
    names.referToVariables(in: line)
  }
}

extension ReferenceNames {
  /// Reads variables such as `$name` and `${name}`.
  /// - Parameter inBraces: Whether variables in braces are also read.
  mutating func referToVariables(in line: Substring, inBraces: Bool = true) {
    var rest = line
    while let start = rest.firstIndex(of: "$") {
      rest = rest[start...].dropFirst()
      let inner = rest.drop { "({".contains($0) }
      let isPlain = inner.startIndex == rest.startIndex
      guard inBraces || isPlain else { continue }
      let name = inner.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      refer(to: isPlain ? name.prefix { $0 != "-" } : name)
    }
  }
}
