/// Keys by their columns, in the usual form of YAML and JSON.
struct ColumnKeys: EntryReader {
  enum Form {
    /// Variables in lists such as `- LOG=debug`.
    case variables
    /// All keys, with their paths.
    case paths
  }

  private let form: Form

  init(_ form: Form) { self.form = form }

  func read(_ lines: [Substring], into names: inout EntryNames) {
    switch form {
    case .variables: readVariables(lines, &names)
    case .paths: readColumns(lines, &names)
    }
  }

  /// Reads the variables in lists, each with the keys above it.
  private func readVariables(_ lines: [Substring], _ names: inout EntryNames) {
    var open: [(indent: Int, key: Substring)] = []
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " }
      let indent = line.count - text.count
      guard !text.isEmpty, text.first != "#" else { continue }
      if text.hasPrefix("- ") {
        let item = text.dropFirst(2).drop { $0 == " " || $0 == "\"" || $0 == "'" }
        let name = item.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
        guard !name.isEmpty, item[name.endIndex...].first == "=" else { continue }
        let path = open.filter { $0.indent <= indent }.map(\.key).joined(separator: "/")
        names.add([(path + "/" + name, number)])
      } else if let end = text.firstIndex(of: ":") {
        open.removeAll { $0.indent >= indent }
        open.append((indent, text[..<end]))
      }
    }
  }

  /// Reads keys by their columns, in the usual form of YAML and JSON.
  private func readColumns(_ lines: [Substring], _ names: inout EntryNames) {
    var open: [(indent: Int, path: String)] = []
    var items: [String: Int] = [:]
    func parent() -> String { open.last?.path ?? "" }
    for (number, line) in lines.enumerated() {
      var text = line.drop { $0 == " " || $0 == "\t" }
      var indent = line.count - text.count
      guard let first = text.first, first != "#", !text.hasPrefix("//") else { continue }
      open.removeAll { $0.indent >= indent }
      // A record is named by its first field, regardless of its place, unless that is a translation.
      func openItem(_ field: Substring) {
        let key = field.last == ":" ? nil : Self.keyBeforeColon(field)
        let isNamed = key.map { TextsByLanguage.language($0) == nil } ?? false
        var path = parent() + "/" + (isNamed ? field.filter { $0 != "/" } : "")
        let count = items[path, default: 0] + 1
        items[path] = count
        if !isNamed || count > 1 { path += "\(count)" }
        open.append((indent, path))
      }
      if text.hasPrefix("- ") {
        let rest = text.dropFirst().drop { $0 == " " }
        openItem(rest)
        indent += text.count - rest.count
        text = rest
      } else if first == "{" || first == "[" || first == "-" {
        openItem("")
        continue
      }
      guard let key = Self.keyBeforeColon(text) else { continue }
      let path = "\(parent())/\(key)"
      open.append((indent, path))
      names.add([(path, number)])
    }
  }

  private static func keyBeforeColon(_ text: Substring) -> Substring? {
    let key: Substring
    if let quote = text.first, quote == "\"" || quote == "'" {
      key = text.dropFirst().prefix { $0 != quote }
      guard text[key.endIndex...].dropFirst().drop(while: { $0 == " " }).first == ":" else {
        return nil
      }
    } else {
      key = text.prefix { $0 != ":" }
      guard !key.isEmpty, key.endIndex < text.endIndex, !key.contains(" "),
        text[key.endIndex...].dropFirst().first.map({ $0 == " " }) ?? true
      else { return nil }
    }
    return key
  }
}
