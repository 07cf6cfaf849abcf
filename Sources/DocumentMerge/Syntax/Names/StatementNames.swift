/// Names that a statement, a record or a tag gives, in formats that are read line by line.
enum StatementNames {
  enum Form {
    /// Rows that are inserted into tables of a database, and columns of tables.
    case queries
    /// Accounts of a ledger.
    case accounts
    /// Scenarios of a specification.
    case scenarios
    /// Programs that a site addresses.
    case robots
    /// Things that triples are about.
    case triples
    /// Footnotes of a wiki.
    case footnotes
    /// Choices of forms, and what a page is about.
    case choices
    /// Nodes of a graph.
    case nodes
    /// Pages of a site, and entries of a feed.
    case addresses
    /// Objects with an identifier, each on a line.
    case records
    /// People and families of a family tree.
    case people
    /// Targets of builds with CMake.
    case builds
    /// Other names of hosts in zones.
    case aliases
  }

  static func names(in lines: [Substring], _ form: Form) -> [(name: String, line: Int)] {
    if form == .queries { return queries(lines) }
    var menu = 0
    return lines.enumerated().compactMap { number, line in
      if form == .choices, line.has("<select") { menu += 1 }
      return name(in: line, form, menu).map { ($0, number) }
    }
  }

  private static func name(in line: Substring, _ form: Form, _ menu: Int) -> String? {
    let text = line.drop { $0 == " " || $0 == "\t" }
    switch form {
    case .queries: return nil
    case .accounts: return AccountNames.opened(by: line).map { "account " + $0 }
    case .scenarios:
      let isScenario = text.hasPrefix("Scenario:") || text.hasPrefix("Scenario Outline:")
      return isScenario ? String(text) : nil
    case .robots:
      return line.lowercased().hasPrefix("user-agent:") ? line.lowercased() : nil
    case .triples:
      guard let first = line.first, first == "<" || first == ":" || first.isLetter else {
        return nil
      }
      let subject = line.prefix { $0 != " " && $0 != "\t" }
      return subject.contains(":") ? String(subject) : nil
    case .footnotes:
      guard let start = text.firstPlace(of: "<ref name=") else { return nil }
      let tag = text[start.upperBound...].prefix { $0 != ">" }
      return tag.last == "/" ? nil : "<ref \(tag.filter { $0 != "\"" })>"
    case .choices:
      if text.hasPrefix("<option value=\"") {
        return "option \(menu): \(text.dropFirst(15).prefix { $0 != "\"" })"
      }
      if text.hasPrefix("<meta name=\"") { return String(text.upToSecondQuote) }
      return nil
    case .addresses:
      guard let start = text.firstPlace(of: "<loc>") ?? text.firstPlace(of: "<guid") else {
        return nil
      }
      return text[start.lowerBound...].drop { $0 != ">" }.prefix { $0 != "<" }.lowercased()
    case .records:
      guard line.first == "{", let start = line.firstPlace(of: "\"id\":") else { return nil }
      return String(line[start.upperBound...].drop { $0 == " " }.prefix { $0 != "," && $0 != "}" })
    case .people:
      let words = line.split(separator: " ")
      return words.count > 2 && words[0] == "0" && words[1].first == "@" ? String(words[1]) : nil
    case .builds:
      let command = text.prefix { $0 != "(" }.lowercased()
      guard ["add_library", "add_executable", "add_custom_target"].contains(command) else {
        return nil
      }
      return "target " + text.dropFirst(command.count + 1).prefix { $0 != " " && $0 != ")" }
    case .aliases:
      let words = line.split { $0 == " " || $0 == "\t" }
      return words.dropFirst().contains("CNAME") ? "alias \(words[0])" : nil
    case .nodes: return GraphNames.declaration(in: text).map { "node \($0)" }
    }
  }

  /// Reads rows by their first values, and columns by the tables that they are in.
  private static func queries(_ lines: [Substring]) -> [(name: String, line: Int)] {
    var (names, open): ([(name: String, line: Int)], Substring?) = ([], nil)
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
          names.append(("row \(value) of \(words[2].prefix { $0 != "(" })", number))
        }
      } else if upper == "ALTER", words.count > 5,
        let place = words.firstIndex(where: { $0.uppercased() == "ADD" }), place + 2 < words.count
      {
        let column = words[place + (words[place + 1].uppercased() == "COLUMN" ? 2 : 1)]
        names.append(("column \(column) of \(words[2])", number))
      } else if upper == "CREATE", line.last == "(" {
        open = words.last == "(" ? words[words.count - 2] : words.last
      } else if let table = open, line.first == " " || line.first == "\t",
        let column = ColumnNames.column(in: line)
      {
        names.append(("column \(column) of \(table.filter { $0 != "(" })", number))
      } else if line.first == ")" {
        open = nil
      }
    }
    return names
  }
}

// MARK: Parts

extension StatementNames {
  /// The fields that an appointment or a person has once.
  private static let singles: Set<Substring> = [
    "SUMMARY", "DTSTART", "DTEND", "DUE", "DURATION", "LOCATION", "DESCRIPTION", "STATUS", "CLASS",
    "TRANSP", "PRIORITY", "ORGANIZER", "GEO", "BDAY", "ANNIVERSARY", "GENDER", "N", "KIND",
  ]

  /// The commands that an image has once in each stage, as the last one counts.
  static func commands(in lines: [Substring]) -> [(name: String, line: Int)] {
    var stage = 0
    return lines.enumerated().compactMap { number, line in
      let word = line.prefix { $0 != " " }.uppercased()
      if word == "FROM" { stage += 1 }
      let isOnce = ["CMD", "ENTRYPOINT", "HEALTHCHECK"].contains(word)
      return isOnce ? ("\(word) of stage \(stage)", number) : nil
    }
  }

  /// The fields of components that stand once in each.
  static func fields(in lines: [Substring]) -> [(name: String, line: Int)] {
    var (names, open): ([(name: String, line: Int)], [Int]) = ([], [])
    var components = 0
    for (number, line) in lines.enumerated() {
      let key = line.prefix { $0 != ":" && $0 != ";" }
      switch key {
      case "BEGIN":
        components += 1
        open.append(components)
      case "END": _ = open.popLast()
      default:
        // In other languages, a field may be there again.
        guard singles.contains(key), let component = open.last, !line.has(";LANGUAGE=") else {
          continue
        }
        names.append(("\(key) of component \(component)", number))
      }
    }
    return names
  }

  /// The members of blocks that are declared: arguments of configurations, and fields of types.
  static func members(in lines: [Substring]) -> [(name: String, line: Int)] {
    var names: [(name: String, line: Int)] = []
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
      if isArgument || isField || isValue { names.append(("\(name) \(member)", number)) }
    }
    return names
  }
}

extension Substring {
  /// The start of a tag up to the end of its first value.
  fileprivate var upToSecondQuote: Substring {
    var quotes = 0
    return prefix { character in
      if character == "\"" { quotes += 1 }
      return quotes < 2
    }
  }
}
