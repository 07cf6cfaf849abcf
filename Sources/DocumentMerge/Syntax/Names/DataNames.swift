/// The keys and identifiers of YAML and JSON, to which pointers, dependency lists and ends of edges refer.
struct KeyNames: NameReader {
  /// The key whose lines are being read, with its column and that of the lines directly below it.
  private var open: (key: Substring, column: Int, inner: Int?)?

  /// The keys whose values are names.
  private static let referringKeys: Set<Substring> = [
    "needs", "depends_on", "extends", "dependencies", "dependsOn", "requires",
  ]

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard text.first != "#", !text.hasPrefix("//") else { return }
    readPointers(text, &names)
    readAliases(text, &names)
    guard text.first != "{", text.first != "[", text.first != "\"" else {
      return readStrings(text, &names)
    }
    let isItem = text.hasPrefix("- ")
    let column = line.count - text.count
    if let known = open, column < known.column || column == known.column && !isItem { open = nil }
    let item = isItem ? text.dropFirst(2).drop { $0 == " " } : text
    guard let key = item.key else {
      // An item of a list.
      let word = item.drop { $0 == "\"" || $0 == "'" }
      let name = word.prefix(while: \.isNamePart)
      // A named volume has a path after its name.
      let isPlaced = word[name.endIndex...].hasPrefix(":/")
      let isAlone = word[name.endIndex...].allSatisfy { "\"' ,".contains($0) }
      guard isItem, isAlone || isPlaced else { return }
      // Stages are defined where they are listed.
      if open?.key == "stages" { names.define(name) } else { names.refer(to: name) }
      return
    }
    guard let colon = item.firstIndex(of: ":") else { return }
    let value = item[item.index(after: colon)...].drop { $0 == " " }
    if open != nil, column == open?.inner ?? column {
      open?.inner = column
      // The keys below a list of names are these names.
      if let known = open, Self.referringKeys.contains(known.key) { return names.refer(to: key) }
    }
    if open == nil, value.isEmpty, key == "stages" || Self.referringKeys.contains(key) {
      open = (key, column, nil)
    }
    read(key: key, value: value, &names)
  }

  private func read(key: Substring, value: Substring, _ names: inout ReferenceNames) {
    let name = value.drop { $0 == "\"" || $0 == "'" }.prefix(while: \.isNamePart)
    if ReferenceNames.namingKeys.contains(key) {
      names.define(name)
    } else if Self.referringKeys.contains(key) {
      for name in value.split(whereSeparator: { !$0.isNamePart }) { names.refer(to: name) }
    } else {
      // A value that is only a name may refer to an item with that name.
      let rest = value.drop { $0 == "\"" || $0 == "'" }[name.endIndex...]
      let isAlone = rest.allSatisfy { "\"' ,".contains($0) }
      if isAlone, name.contains(where: { !$0.isNumber }) { names.refer(to: name) }
    }
    names.define(key)
  }

  /// Reads the strings in a line of JSON: keys, and the values of keys or lists.
  private func readStrings(_ line: Substring, _ names: inout ReferenceNames) {
    var rest = line
    var key: Substring?
    while let start = rest.firstIndex(of: "\"") {
      let string = rest[start...].dropFirst()
      var isEscaped = false
      let content = string.prefix { character in
        defer { isEscaped = character == "\\" && !isEscaped }
        return character != "\"" || isEscaped
      }
      rest = string[content.endIndex...].dropFirst()
      if rest.drop(while: { $0 == " " }).first == ":" {
        key = content
        names.define(content)
        let value = rest.drop { $0 == " " || $0 == ":" }
        // The strings of a list are read one by one.
        if value.first != "\"" && value.first != "[" { key = nil }
      } else if let known = key, ReferenceNames.namingKeys.contains(known) {
        names.define(content)
        key = nil
      } else if content.allSatisfy(\.isNamePart), content.contains(where: { !$0.isNumber }) {
        names.refer(to: content)
      }
    }
  }

  /// Reads the parts of pointers such as `#/definitions/name`, and the names in expressions such as `needs.name`.
  private func readPointers(_ line: Substring, _ names: inout ReferenceNames) {
    if let start = line.firstPlace(of: "#/"), line.has("ref") {
      let pointer = line[start.upperBound...].prefix { !"\"' ,}".contains($0) }
      for part in Set(pointer.split(separator: "/")) { names.refer(to: part) }
    }
    for prefix in ["needs.", "steps.", "jobs."] {
      for rest in line.pieces(behind: prefix) {
        names.refer(to: rest.prefix { $0.isNamePart && $0 != "." })
      }
    }
  }

  /// Reads the names of YAML's anchors and aliases, which are separate from other names.
  private func readAliases(_ line: Substring, _ names: inout ReferenceNames) {
    for word in line.split(whereSeparator: { " ,[]{}".contains($0) }) where word.count > 1 {
      if word.first == "&" { names.define("&" + word.dropFirst()) }
      if word.first == "*" { names.refer(to: "&" + word.dropFirst()) }
    }
  }
}

/// The names of a cluster's resources, and of their labels and parts.
struct ClusterNames: NameReader {
  /// The keys above a line, each with its column.
  private var open: [(column: Int, key: Substring)] = []

  /// The lists whose members others refer to by name.
  private static let lists: Set<Substring> = [
    "volumes", "ports", "containers", "initContainers", "volumeClaimTemplates", "handlers",
    "configMapGenerator", "secretGenerator",
  ]

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " }
    guard let first = text.first, first != "#", first != "{", first != "\"" else { return }
    if line.hasPrefix("---") {
      open = []
      return
    }
    let column = line.count - text.count
    let isItem = text.hasPrefix("- ")
    open.removeAll { $0.column > column || $0.column == column && !isItem }
    guard let (key, value) = text.entry else { return }
    let parent = open.last
    if value.isEmpty || isItem {
      let item = isItem ? text.dropFirst(2).drop { $0 == " " } : text
      open.append((column + text.count - item.count, key))
    }
    if isItem, parent?.key == "security" { names.refer(to: key) }
    guard !value.isEmpty, let parent else { return }
    switch parent.key {
    case _ where isItem && ["job", "stage", "deployment"].contains(key): names.define(value)
    case "metadata" where parent.column == 0 && key == "name": names.define(value)
    case "labels": names.define("\(key)=\(value)")
    case "selector", "matchLabels": names.refer(to: "\(key)=\(value)")
    case _ where key == "name" && Self.lists.contains(parent.key): names.define(value)
    default:
      // The keys of an item are below its first one.
      if key == "name", open.count > 1, let list = open.dropLast(isItem ? 1 : 0).last,
        Self.lists.contains(list.key)
      {
        names.define(value)
      }
    }
  }
}

/// The names in expressions, commands and references that tools write into values.
struct ExpressionNames: NameReader {
  /// The words before the names of their contents.
  private static let holders: Set<Substring> = [
    "env", "matrix", "inputs", "vars", "secrets", "needs", "steps", "jobs", "outputs",
  ]

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    if line.has("{{") { readExpressions(line, &names) }
    for mark in ["!Ref ", "!GetAtt ", "${"] where line.has(mark) {
      for rest in line.pieces(behind: mark) {
        names.refer(to: rest.prefix { $0.isNamePart && $0 != "." })
      }
    }
    if let start = line.firstPlace(of: "!reference [") {
      for name in line[start.upperBound...].split(whereSeparator: { !$0.isNamePart }) {
        names.refer(to: name)
      }
    }
    for tool in ["npm run ", "yarn run ", "pnpm run ", "bun run ", "yarn ", "pnpm "] {
      for rest in line.pieces(behind: tool) {
        names.refer(to: rest.prefix { $0.isNamePart || $0 == ":" })
      }
    }
  }

  private func readExpressions(_ line: Substring, _ names: inout ReferenceNames) {
    var rest = line
    while let start = rest.firstPlace(of: "{{") {
      rest = rest[start.upperBound...]
      let end = rest.firstPlace(of: "}}")?.lowerBound ?? rest.endIndex
      for word in rest[..<end].split(whereSeparator: { !$0.isNamePart }) {
        let parts = word.split(separator: ".")
        guard let first = parts.first else { continue }
        if first == "Values" {
          names.refer(to: parts[parts.count - 1])
        } else if Self.holders.contains(first) {
          if parts.count > 1 { names.refer(to: parts[1]) }
        } else {
          names.refer(to: first)
        }
      }
      rest = rest[end...]
    }
  }
}

/// Names with several words, which whole values refer to.
struct TitleNames: NameReader {
  private static let keys: Set<Substring> = ["name", "label", "title", "alert"]
  /// The maximum length of a name, in characters.
  private static let size = 60

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard text.first != "#" else { return }
    let entry = text.entry
    let value = entry?.value ?? (text.hasPrefix("- ") ? text.dropFirst(2) : text).scalar
    guard value.has(" "), value.count <= Self.size else { return }
    if let key = entry?.key, Self.keys.contains(key) {
      names.define(value)
    } else {
      names.refer(to: value)
    }
  }
}

extension Substring {
  /// The key at the start of a line of YAML.
  fileprivate var key: Substring? {
    let text = drop { "\"'".contains($0) }
    let name = text.prefix(while: \.isNamePart)
    let rest = text[name.endIndex...].drop { "\"'".contains($0) }
    return !name.isEmpty && rest.first == ":" && !rest.hasPrefix(":/") ? name : nil
  }
}
