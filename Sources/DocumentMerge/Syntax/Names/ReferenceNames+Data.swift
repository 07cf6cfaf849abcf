/// Names in data and settings.
extension ReferenceNames {
  /// The attributes that do nothing but refer, so that also a number is a reference.
  private static let referringAttributes: Set<Substring> = [
    "ref", "refid", "idref", "source", "target", "parent", "from", "to", "for", "depends", "base",
    "extends", "type", "list", "headers", "form",
  ]

  mutating func readMarkup(_ line: Substring) {
    for (name, value) in line.attributes {
      let local = name.split(separator: ":").last ?? name
      if local == "id" {
        define(Self.withoutPrefix(value))
      } else if name == "name" {
        define(value)
      } else if value.has("url(#") {
        var rest = value
        while let start = rest.firstPlace(of: "url(#") {
          rest = rest[start.upperBound...]
          refer(to: rest.prefix { $0 != ")" })
        }
      } else if value.hasPrefix("#") {
        refer(to: value.dropFirst())
      } else {
        let isReference = Self.referringAttributes.contains(local)
        for word in Set(value.split { $0 == " " || $0 == "," || $0 == ";" }) {
          let word = Self.withoutPrefix(word)
          // Elsewhere, a number may be anything.
          if isReference || word.contains(where: { !$0.isNumber }) && word.count > 1 {
            refer(to: word)
          }
        }
      }
    }
    // The content of an element that is nothing but a name.
    if let start = line.firstIndex(of: ">"), line[start...].has("</") {
      let content = line[line.index(after: start)...].prefix { $0 != "<" }
      let name = content.drop { $0 == "#" }
      if name.count > 1, !name.contains(where: \.isWhitespace),
        name.contains(where: { !$0.isNumber })
      {
        refer(to: name)
      }
    }
  }

  /// The name in a reference of Android's, such as `@+id/name`.
  private static func withoutPrefix(_ value: Substring) -> Substring {
    guard value.first == "@", let slash = value.firstIndex(of: "/") else { return value }
    return value[slash...].dropFirst()
  }

  /// The keys whose values are names.
  private static let referringKeys: Set<Substring> = [
    "needs", "depends_on", "extends", "dependencies", "dependsOn", "requires",
  ]

  /// The keys whose values other things are called by.
  static let namingKeys: Set<Substring> = [
    "id", "uuid", "identifier", "guid", "uid", "_id", "key", "slug",
  ]

  mutating func readKeys(_ line: Substring) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard text.first != "#", !text.hasPrefix("//") else { return }
    readPointers(text)
    readAliases(text)
    guard text.first != "{", text.first != "[", text.first != "\"" else { return readStrings(text) }
    let isItem = text.hasPrefix("- ")
    let column = line.count - text.count
    if let known = open, column < known.column || column == known.column && !isItem { open = nil }
    let item = isItem ? text.dropFirst(2).drop { $0 == " " } : text
    guard let key = item.key else {
      // An item of a list.
      let word = item.drop { $0 == "\"" || $0 == "'" }
      let name = word.prefix(while: \.isNamePart)
      // What has a name is put somewhere.
      let isPlaced = word[name.endIndex...].hasPrefix(":/")
      let isAlone = word[name.endIndex...].allSatisfy { "\"' ,".contains($0) }
      guard isItem, isAlone || isPlaced else { return }
      // Stages are where they are listed.
      if open?.key == "stages" { define(name) } else { refer(to: name) }
      return
    }
    guard let colon = item.firstIndex(of: ":") else { return }
    let value = item[item.index(after: colon)...].drop { $0 == " " }
    if open != nil, column == open?.inner ?? column {
      open?.inner = column
      // What stands below a list of names in the form of keys is these names.
      if let known = open, Self.referringKeys.contains(known.key) { return refer(to: key) }
    }
    if open == nil, value.isEmpty, key == "stages" || Self.referringKeys.contains(key) {
      open = (key, column, nil)
    }
    read(key: key, value: value)
  }

  private mutating func read(key: Substring, value: Substring) {
    let name = value.drop { $0 == "\"" || $0 == "'" }.prefix(while: \.isNamePart)
    if Self.namingKeys.contains(key) {
      define(name)
    } else if Self.referringKeys.contains(key) {
      for name in value.split(whereSeparator: { !$0.isNamePart }) { refer(to: name) }
    } else {
      // A value that is nothing but a name may refer to what is called so.
      let rest = value.drop { $0 == "\"" || $0 == "'" }[name.endIndex...]
      let isAlone = rest.allSatisfy { "\"' ,".contains($0) }
      if isAlone, name.contains(where: { !$0.isNumber }) { refer(to: name) }
    }
    define(key)
  }

  /// Reads the strings of a line of JSON: keys, and values of keys or of lists.
  private mutating func readStrings(_ line: Substring) {
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
        define(content)
        let value = rest.drop { $0 == " " || $0 == ":" }
        // A list is read string by string.
        if value.first != "\"" && value.first != "[" { key = nil }
      } else if let known = key, Self.namingKeys.contains(known) {
        define(content)
        key = nil
      } else if content.allSatisfy(\.isNamePart), content.contains(where: { !$0.isNumber }) {
        refer(to: content)
      }
    }
  }

  /// Reads the parts of pointers such as `#/definitions/name`, and the names in expressions such as `needs.name`.
  private mutating func readPointers(_ line: Substring) {
    if let start = line.firstPlace(of: "#/"), line.has("ref") {
      let pointer = line[start.upperBound...].prefix { !"\"' ,}".contains($0) }
      for part in Set(pointer.split(separator: "/")) { refer(to: part) }
    }
    for prefix in ["needs.", "steps.", "jobs."] {
      var rest = line
      while let start = rest.firstPlace(of: prefix) {
        rest = rest[start.upperBound...]
        refer(to: rest.prefix { $0.isNamePart && $0 != "." })
      }
    }
  }

  /// Reads the names of YAML's anchors and aliases, which are names of their own.
  private mutating func readAliases(_ line: Substring) {
    for word in line.split(whereSeparator: { " ,[]{}".contains($0) }) where word.count > 1 {
      if word.first == "&" { define("&" + word.dropFirst()) }
      if word.first == "*" { refer(to: "&" + word.dropFirst()) }
    }
  }

  mutating func readSettings(_ line: Substring) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    guard let first = text.first, !"#;!".contains(first) else { return }
    if first == "[" {
      define(text.dropFirst().prefix { $0 != "]" })
    } else if let end = text.firstIndex(where: { $0 == "=" || $0 == ":" }) {
      define(text[..<end].trimmingSuffix { $0 == " " || $0 == "\t" })
    }
    for (mark, last) in [("${", "}"), ("%(", ")")] as [(String, Character)] {
      var rest = text
      while let start = rest.firstPlace(of: mark) {
        rest = rest[start.upperBound...]
        // A key may be that of a section.
        for name in rest.prefix(while: { $0 != last }).split(separator: ":") { refer(to: name) }
      }
    }
  }
}

extension Character {
  var isNamePart: Bool { isLetter || isNumber || "_-.".contains(self) }
}

extension Substring {
  /// The attributes of the tags in a line.
  fileprivate var attributes: [(name: Substring, value: Substring)] {
    var (found, rest): ([(name: Substring, value: Substring)], Substring) = ([], self)
    while let equals = rest.firstIndex(of: "=") {
      let before = rest[..<equals].trimmingSuffix { $0 == " " }
      let start = before.lastIndex { " \t<\"'".contains($0) }.map { before.index(after: $0) }
      let name = before[(start ?? before.startIndex)...]
      let behind = rest[rest.index(after: equals)...].drop { $0 == " " }
      guard let quote = behind.first, quote == "\"" || quote == "'" else {
        rest = behind
        continue
      }
      let value = behind.dropFirst().prefix { $0 != quote }
      found.append((name, value))
      rest = rest[value.endIndex...].dropFirst()
    }
    return found
  }

  /// The key that a line of YAML starts with.
  fileprivate var key: Substring? {
    let text = drop { "\"'".contains($0) }
    let name = text.prefix(while: \.isNamePart)
    let rest = text[name.endIndex...].drop { "\"'".contains($0) }
    return !name.isEmpty && rest.first == ":" && !rest.hasPrefix(":/") ? name : nil
  }
}
