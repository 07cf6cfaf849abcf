/// Footnotes and targets with a number, each with what it says.
struct NoteNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.hasPrefix(".. [") ? line.dropFirst(3) : line
    guard text.first == "[", let end = text.firstIndex(of: "]") else { return }
    let rest = text[end...].dropFirst().drop { $0 == ":" }
    guard rest.endIndex != text[end...].dropFirst().startIndex, rest.first == " " else { return }
    let isNote = line.first == "." || text[end...].hasPrefix("]:")
    if isNote { names.say(rest.drop { $0 == " " }, of: text[...end].lowercased()) }
  }
}

/// Commands, environments and theorems that a document in LaTeX defines.
struct CommandNames: NameReader {
  private static let definitions = [
    "\\newcommand", "\\providecommand", "\\DeclareMathOperator", "\\newenvironment", "\\newtheorem",
    "\\def", "\\NewDocumentCommand",
  ]

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    guard line.has("\\"), line.first != "%" else { return }
    var rest = line
    for command in Self.definitions where line.hasPrefix(command) {
      let argument = line.dropFirst(command.count).drop { "*{ ".contains($0) }
      let name = argument.prefix { $0.isLetter || $0 == "\\" || $0 == "@" }
      guard !name.isEmpty else { continue }
      names.define(name.first == "\\" ? String(name) : "{\(name)}")
      rest = argument[name.endIndex...]
    }
    while let start = rest.firstIndex(of: "\\") {
      let name = rest[start...].dropFirst().prefix { $0.isLetter || $0 == "@" }
      rest = rest[start...].dropFirst()[name.endIndex...]
      if name == "begin" {
        names.refer(to: "{\(rest.dropFirst().prefix { $0 != "}" })}")
      } else if !name.isEmpty {
        names.refer(to: "\\" + name)
      }
    }
  }
}

/// Blocks with a name at their end or below them, and headings, in notes that link to them: `[[#^name]]`, `((name))`,
/// `[[#Heading]]`.
struct BlockNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if let start = line.lastIndex(of: "^"), start > line.startIndex,
      line[line.index(before: start)] == " ", line[start...].dropFirst().allSatisfy(\.isNamePart)
    {
      names.define(line[start...])
    }
    let text = line.drop { $0 == " " || $0 == "\t" }
    if text.hasPrefix("id:: ") { names.define("((\(text.dropFirst(5))))") }
    let shown = line.withoutCode
    var rest = shown
    while let start = rest.firstPlace(of: "((") {
      rest = rest[start.upperBound...]
      names.refer(to: "((\(rest.prefix { $0 != ")" })))")
    }
    rest = shown
    while let start = rest.firstPlace(of: "[[#") {
      rest = rest[start.upperBound...]
      let target = rest.prefix { $0 != "]" && $0 != "|" }
      names.refer(
        to: target.first == "^" ? String(target) : "#" + ReferenceNames.anchor(of: target))
    }
  }
}

/// Messages and terms of Fluent, which others take in.
struct MessageNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if line.first == "-" || line.first?.isLetter ?? false,
      let equals = line.firstIndex(of: "=")
    {
      names.define(line[..<equals].trimmingSuffix { $0 == " " })
    }
    var rest = line
    while let start = rest.firstIndex(of: "{") {
      rest = rest[start...].dropFirst().drop { $0 == " " }
      names.refer(to: rest.prefix { $0.isNamePart || $0 == "-" })
    }
  }
}

/// People and families of a family tree.
struct PersonNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    for (place, word) in line.split(separator: " ").enumerated().dropFirst()
    where word.first == "@" && word.last == "@" && word.count > 2 {
      if place == 1, line.first == "0" { names.define(word) } else { names.refer(to: word) }
    }
  }
}

/// Elements of user interfaces that have an `id`, which expressions name.
struct ElementNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    if text.hasPrefix("id:") {
      names.define(text.dropFirst(3).drop { $0 == " " }.prefix(while: \.isNamePart))
    } else {
      for word in text.split(whereSeparator: { !$0.isNamePart }) where word.has(".") {
        names.refer(to: word.prefix { $0 != "." })
      }
    }
  }
}

/// Footnotes of a wiki: `<ref name="…">`, which `<ref name="…" />` shows again.
struct FootnoteNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    var rest = line
    while let start = rest.firstPlace(of: "<ref name=") {
      rest = rest[start.upperBound...]
      let tag = rest.prefix { $0 != ">" }
      let name = tag.filter { !"\"/ ".contains($0) }
      if tag.last == "/" { names.refer(to: name) } else { names.define(name) }
    }
  }
}

/// Accounts of a ledger: opened once, and named by postings.
struct AccountNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if let account = Self.opened(by: line) {
      names.define(account)
    } else if line.first == " " || line.first == "\t" {
      let text = line.drop { $0 == " " || $0 == "\t" }
      let end = text.firstPlace(of: "  ")?.lowerBound ?? text.firstIndex(of: "\t") ?? text.endIndex
      let account = text[..<end].drop { "!* ".contains($0) }
      if account.has(":") { names.refer(to: account) }
    }
  }

  /// The account that a line opens; `nil` for other lines.
  static func opened(by line: Substring) -> Substring? {
    if line.hasPrefix("account ") { return line.dropFirst(8).trimmingSuffix { $0 == " " } }
    let words = line.split(separator: " ")
    guard words.count > 2, words[1] == "open", line.first?.isNumber ?? false else { return nil }
    return words[2]
  }
}

// MARK: Settings and programs

/// Variables of settings, makefiles, recipes for images and build scripts.
struct VariableNames: NameReader {
  enum Form { case settings, makefile, images, scripts }

  let form: Form

  init(form: Form) { self.form = form }

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    guard line.first != "#" else { return }
    switch form {
    case .settings: break
    case .makefile: readRule(line, &names)
    case .images: readInstruction(line, &names)
    case .scripts: readAssignment(line, &names)
    }
    guard line.has("$") else { return }
    var rest = line
    while let start = rest.firstIndex(of: "$") {
      rest = rest[start...].dropFirst()
      let inner = rest.drop { "({".contains($0) }
      // Settings with braces are read anyway.
      guard form != .settings || inner.startIndex == rest.startIndex else { continue }
      let name = inner.prefix { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "-" }
      names.refer(to: inner.startIndex == rest.startIndex ? name.prefix { $0 != "-" } : name)
    }
  }

  private func readRule(_ line: Substring, _ names: inout ReferenceNames) {
    guard line.first != "\t", let end = line.firstIndex(where: { $0 == "=" || $0 == ":" }) else {
      return
    }
    let head = line[..<end].split { $0 == " " || $0 == "?" || $0 == "+" }
    for name in head where name != "export" { names.define(name) }
    let rest = line[end...].dropFirst()
    guard line[end] == ":", rest.first != "=", !rest.hasPrefix(":=") else { return }
    for name in rest.split(separator: " ") { names.refer(to: name) }
  }

  private func readInstruction(_ line: Substring, _ names: inout ReferenceNames) {
    let words = line.split(separator: " ")
    guard words.count > 1 else { return }
    switch words[0].uppercased() {
    case "ARG", "ENV":
      for word in words.dropFirst() { names.define(word.prefix { $0 != "=" }) }
    case "FROM":
      names.refer(to: words[1])
      if words.count > 3, words[2].uppercased() == "AS" { names.define(words[3]) }
    case "COPY":
      for word in words where word.hasPrefix("--from=") { names.refer(to: word.dropFirst(7)) }
    default: break
    }
  }

  private func readAssignment(_ line: Substring, _ names: inout ReferenceNames) {
    guard let equals = line.firstIndex(of: "="), line[equals...].dropFirst().first != "=" else {
      return
    }
    let head = line[..<equals].split { !($0.isLetter || $0.isNumber || $0 == "_") }
    if let name = head.last, head.count <= 3 { names.define(name) }
  }
}

/// Groups of servers, which others pass requests on to.
struct ServerNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let words = line.split { " \t;{".contains($0) }
    guard words.count > 1 else { return }
    if words[0] == "upstream" {
      names.define(words[1])
    } else if words[0].hasSuffix("_pass") {
      let address = words[1].firstPlace(of: "://").map { words[1][$0.upperBound...] } ?? words[1]
      names.refer(to: address.prefix { $0 != "/" && $0 != ":" })
    }
  }
}

/// Actions of a desktop entry, each with a section of its own.
struct ActionNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if line.hasPrefix("[Desktop Action ") {
      names.define(line.dropFirst(16).prefix { $0 != "]" })
    } else if line.hasPrefix("Actions=") {
      for name in line.dropFirst(8).split(separator: ";") { names.refer(to: name) }
    }
  }
}

/// Columns of tables, local values of configurations, and tables that lines about references name.
struct ColumnNames: NameReader {
  private enum Block { case table, values }

  private var open: Block?
  private let isPartial: Bool

  /// The words that start a line in a table, and that name no column.
  private static let words: Set<String> = [
    "PRIMARY", "FOREIGN", "CONSTRAINT", "UNIQUE", "CHECK", "KEY", "INDEX", "INSERT", "EXCLUDE",
  ]

  init(isPartial: Bool) { self.isPartial = isPartial }

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    guard line.first == " " || line.first == "\t" else {
      if line.hasPrefix("locals {") {
        open = .values
      } else if line.uppercased().hasPrefix("CREATE TABLE"), line.last == "(" {
        open = .table
      } else {
        open = nil
      }
      if line.hasPrefix("Ref"), let colon = line.firstIndex(of: ":") {
        for word in line[colon...].split(whereSeparator: { " <>-:".contains($0) }) {
          names.refer(to: word.prefix { $0 != "." })
        }
      }
      return
    }
    if open == .table || isPartial, let column = Self.column(in: line) { names.define(column) }
    if open == .values || isPartial, let equals = line.firstIndex(of: "=") {
      names.define("local." + line[..<equals].filter { $0 != " " })
    }
  }

  /// The column that a line in the head of a table declares.
  static func column(in line: Substring) -> Substring? {
    let name = line.drop { " \t\"`".contains($0) }.prefix(while: \.isNamePart)
    let isColumn = !name.isEmpty && !words.contains(name.uppercased())
    return isColumn && line.has(" ") ? name : nil
  }
}
