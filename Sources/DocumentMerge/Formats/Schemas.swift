/// Schemas and configurations, with the names that they declare.
extension DocumentFormat {
  static let schema = DocumentFormat(
    "schema", ["*.tf", "*.hcl", "*.graphql", "*.graphqls", "*.gql", "*.proto", "*.dbml"],
    checks: sql.checks)

  /// SQL: rows of values by their keys, everything else by lines.
  static let sql = DocumentFormat(
    "sql", ["*.sql"], kind: .sql, engine: { _ in SQLMergeEngine() },
    checks: [
      NamesOnce(DeclarationEntries(), QueryEntries(), BlockEntries()),
      LostNames(DeclarationNames(), ColumnNames()),
    ])

  /// SGML document types and entities.
  static let documentType = DocumentFormat(
    "dtd", ["*.dtd", "*.ent"],
    checks: [NamesOnce(DeclarationEntries(), QueryEntries(), BlockEntries())])
}

/// The names after a declaring word at the start of a line, and the numbers of fields in the declarations.
private struct DeclarationEntries: EntryReader {
  /// The words at the start of a line that declare the following name.
  private static let declarators: Set<Substring> = [
    "variable", "output", "module", "resource", "data", "type", "input", "enum", "interface",
    "union", "scalar", "message", "service", "CREATE", "create", "<!ENTITY", "<!ELEMENT",
  ]

  func read(_ lines: [Substring], into names: inout EntryNames) {
    var open: Substring = ""
    for (number, line) in lines.enumerated() {
      if line.first != " ", line.first != "\t" {
        let words = line.prefix { !"{(=;>".contains($0) }.split(separator: " ")
        guard let first = words.first, Self.declarators.contains(first), words.count > 1 else {
          if line.first == "}" { open = "" }
          continue
        }
        let isMarkup = first.hasPrefix("<!")
        let count = isMarkup ? (words[1] == "%" ? 3 : 2) : words.count
        open = Substring(words.prefix(count).joined(separator: " "))
        names.add([(String(open), number)])
      } else if open.hasPrefix("message") || open.hasPrefix("enum"), line.contains(";"),
        let equals = line.firstIndex(of: "=")
      {
        let field = line[..<equals].split(separator: " ").last ?? ""
        let tag = line[equals...].dropFirst().drop { $0 == " " }.prefix(while: \.isNumber)
        guard !tag.isEmpty else { continue }
        names.add([("\(open): \(field)", number)])
        names.add([("\(open): \(tag)", number)])
      }
    }
  }
}

/// The rows inserted into tables of a database, by their first values, and the columns of tables.
private struct QueryEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var open: Substring?
    for (number, line) in lines.enumerated() {
      let words = line.split(separator: " ")
      guard words.count > 1 else {
        if line.first == ")" { open = nil }
        continue
      }
      let upper = words[0].uppercased()
      if upper == "INSERT", words.count > 3, words[1].uppercased() == "INTO",
        let start = line.firstPlace(of: "VALUES") ?? line.firstPlace(of: "values"),
        let bracket = line[start.upperBound...].firstIndex(of: "(")
      {
        let value = line[bracket...].dropFirst().prefix { $0 != "," && $0 != ")" }
        if value.allSatisfy(\.isNumber), !value.isEmpty {
          names.add([("row \(value) of \(words[2].prefix { $0 != "(" })", number)])
        }
      } else if upper == "ALTER", words.count > 5,
        let place = words.firstIndex(where: { $0.uppercased() == "ADD" }), place + 2 < words.count
      {
        let column = words[place + (words[place + 1].uppercased() == "COLUMN" ? 2 : 1)]
        names.add([("column \(column) of \(words[2])", number)])
      } else if upper == "CREATE", line.last == "(" {
        open = words.last == "(" ? words[words.count - 2] : words.last
      } else if let table = open, line.first == " " || line.first == "\t",
        let column = ColumnNames.column(in: line)
      {
        names.add([("column \(column) of \(table.filter { $0 != "(" })", number)])
      } else if line.first == ")" {
        open = nil
      }
    }
  }
}

/// The members of declared blocks: arguments of configurations, and fields of types.
private struct BlockEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var block: (name: Substring, column: Int?)?
    for (number, line) in lines.enumerated() {
      guard line.first == " " || line.first == "\t" else {
        block = line.last == "{" ? (line, nil) : nil
        continue
      }
      guard let (name, known) = block else { continue }
      let text = line.drop { $0 == " " || $0 == "\t" }
      let column = line.count - text.count
      block = (name, known ?? column)
      let member = text.prefix { $0.isNamePart && $0 != "." }
      let sign = text[member.endIndex...].drop { $0 == " " }
      guard column == known ?? column, !member.isEmpty else { continue }
      let isArgument = sign.first == "=" && !name.hasPrefix("enum") && !name.hasPrefix("message")
      let isField = sign.first == ":" || sign.first == "(" && !name.has("TABLE")
      let isValue = name.hasPrefix("enum") && (sign.isEmpty || sign.first == "@")
      if isArgument || isField || isValue { names.add([("\(name) \(member)", number)]) }
    }
  }
}

/// The names that schemas and configurations declare.
private struct DeclarationNames: NameReader {
  /// The words that declare a name by which it is used.
  private static let declarators: Set<Substring> = [
    "type", "input", "enum", "interface", "union", "scalar", "message", "service", "TABLE", "VIEW",
    "table", "view", "Table", "Enum",
  ]

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let words = line.split { !($0.isNamePart || $0 == "\"") }
    let own = words.map { word in word.filter { $0 != "\"" } }
    var declared = 0
    if line.first != " ", line.first != "\t", let keyword = words.first, own.count > 1 {
      switch keyword {
      case "variable": names.define("var." + own[1])
      case "module": names.define("module." + own[1])
      case "resource" where own.count > 2: names.define(own[1] + "." + own[2])
      case "data" where own.count > 2: names.define("data." + own[1] + "." + own[2])
      default:
        let place = words.firstIndex { Self.declarators.contains($0) }
        guard let place, place < 2, place + 1 < own.count else { break }
        names.define(own[place + 1])
        declared = place + 2
      }
    }
    for name in own.dropFirst(declared) {
      let parts = name.split(separator: ".")
      names.refer(to: parts.prefix(parts.first == "data" ? 3 : 2).joined(separator: "."))
    }
  }
}

/// The columns of tables, the local values of configurations, and the tables in lines about references.
private struct ColumnNames: NameReader {
  private enum Block { case table, values }

  private var open: Block?
  private var isPartial = false

  /// The words that start a line in a table but don't name a column.
  private static let words: Set<String> = [
    "PRIMARY", "FOREIGN", "CONSTRAINT", "UNIQUE", "CHECK", "KEY", "INDEX", "INSERT", "EXCLUDE",
  ]

  mutating func begin(isPartial: Bool) { self.isPartial = isPartial }

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

  /// Returns the column that a line of a table's definition declares.
  static func column(in line: Substring) -> Substring? {
    let name = line.drop { " \t\"`".contains($0) }.prefix(while: \.isNamePart)
    let isColumn = !name.isEmpty && !words.contains(name.uppercased())
    return isColumn && line.has(" ") ? name : nil
  }
}
