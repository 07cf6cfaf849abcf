/// The names that lines of a text define, and those that they refer to.
///
/// Lines are read one by one: it only is to be seen whether one side took a name away and the other one begins to use it.
struct ReferenceNames {
  enum Form {
    /// LaTeX: labels.
    case labels
    /// XML and HTML: ids.
    case markup
    /// YAML and JSON: keys that pointers and lists of dependencies name.
    case keys
  }

  let form: Form

  /// The names that a line defines.
  func definitions(in line: Substring) -> [Substring] {
    switch form {
    case .labels: line.arguments(of: ["label"])
    case .markup: line.attributes.filter { Self.isID($0.name) }.map(\.value)
    case .keys: line.key.map { [$0] } ?? []
    }
  }

  /// The names that a line refers to.
  func references(in line: Substring) -> [Substring] {
    switch form {
    case .labels:
      line.arguments(of: ["ref", "eqref", "pageref", "autoref", "cref", "Cref", "nameref"])
        .flatMap { $0.split(separator: ",") }
    case .markup:
      line.attributes.filter { !Self.isID($0.name) }.flatMap { attribute -> [Substring] in
        let value = attribute.value
        if let start = value.firstRange(of: "url(#") {
          return [value[start.upperBound...].prefix { $0 != ")" }]
        }
        if value.hasPrefix("#") { return [value.dropFirst()] }
        // A number may be anything.
        return value.contains { !$0.isNumber } && value.count > 1 ? [value] : []
      }
    case .keys: keyReferences(in: line)
    }
  }

  private static func isID(_ name: Substring) -> Bool { name == "id" || name == "xml:id" }

  /// What a pointer ends with, and the words of a list of dependencies.
  private func keyReferences(in line: Substring) -> [Substring] {
    if let start = line.firstRange(of: "#/"), line.contains("$ref") {
      let pointer = line[start.upperBound...].prefix { !"\"' ,}".contains($0) }
      return pointer.split(separator: "/").suffix(1)
    }
    let text = line.drop { $0 == " " }
    let names: Set<Substring> = ["needs", "depends_on", "extends", "dependencies"]
    if let key = line.key, names.contains(key), let colon = line.firstIndex(of: ":") {
      return line[line.index(after: colon)...].split { !$0.isNamePart }
    }
    guard text.hasPrefix("- ") else { return [] }
    let item = text.dropFirst(2).drop { $0 == "\"" || $0 == "'" }
    let name = item.prefix(while: \.isNamePart)
    return item[name.endIndex...].allSatisfy { "\"' ".contains($0) } && !name.isEmpty ? [name] : []
  }
}

extension Character {
  fileprivate var isNamePart: Bool { isLetter || isNumber || "_-.".contains(self) }
}

extension Substring {
  /// The arguments of some commands, as in `\label{name}`.
  fileprivate func arguments(of commands: [String]) -> [Substring] {
    commands.flatMap { command -> [Substring] in
      var (found, rest): ([Substring], Substring) = ([], self)
      while let start = rest.firstRange(of: "\\\(command){") {
        let argument = rest[start.upperBound...].prefix { $0 != "}" }
        found.append(argument)
        rest = rest[argument.endIndex...]
      }
      return found
    }
  }

  /// The attributes of the tags in a line.
  fileprivate var attributes: [(name: Substring, value: Substring)] {
    var (found, rest): ([(name: Substring, value: Substring)], Substring) = ([], self)
    while let equals = rest.firstIndex(of: "=") {
      let name = rest[..<equals].reversed().prefix { !" \t<\"'".contains($0) }.count
      let behind = rest[rest.index(after: equals)...]
      guard let quote = behind.first, quote == "\"" || quote == "'" else {
        rest = behind
        continue
      }
      let value = behind.dropFirst().prefix { $0 != quote }
      found.append((rest[..<equals].suffix(name), value))
      rest = rest[value.endIndex...].dropFirst()
    }
    return found
  }

  /// The key that a line of YAML or JSON starts with.
  fileprivate var key: Substring? {
    let text = drop { " \"'".contains($0) }
    let name = text.prefix(while: \.isNamePart)
    let rest = text[name.endIndex...].drop { "\"'".contains($0) }
    return !name.isEmpty && rest.first == ":" ? name : nil
  }
}
