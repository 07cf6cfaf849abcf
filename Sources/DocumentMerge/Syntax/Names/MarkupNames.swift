/// The identifiers and names of elements in XML and HTML.
struct MarkupNames: NameReader {
  /// The attributes that contain only references, so that even a number is one.
  private static let referringAttributes: Set<Substring> = [
    "ref", "refid", "idref", "source", "target", "parent", "from", "to", "for", "depends", "base",
    "extends", "type", "list", "headers", "form",
  ]

  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    for (name, value) in line.attributes {
      let local = name.split(separator: ":").last ?? name
      if local == "id" {
        names.define(Self.withoutPrefix(value))
      } else if name == "name" {
        names.define(value)
      } else if value.has("url(#") {
        for rest in value.pieces(behind: "url(#") {
          names.refer(to: rest.prefix { $0 != ")" })
        }
      } else if value.hasPrefix("#") {
        names.refer(to: value.dropFirst())
      } else {
        let isReference = Self.referringAttributes.contains(local)
        for word in Set(value.split { $0 == " " || $0 == "," || $0 == ";" }) {
          let word = Self.withoutPrefix(word)
          // In other attributes, a number may be anything.
          if isReference || word.contains(where: { !$0.isNumber }) && word.count > 1 {
            names.refer(to: word)
          }
        }
      }
    }
    // The content of an element that is only a name.
    if let start = line.firstIndex(of: ">"), line[start...].has("</") {
      let content = line[line.index(after: start)...].prefix { $0 != "<" }
      let name = content.drop { $0 == "#" }
      if name.count > 1, !name.contains(where: \.isWhitespace),
        name.contains(where: { !$0.isNumber })
      {
        names.refer(to: name)
      }
    }
  }

  /// Returns the name in an Android reference, such as `@+id/name`.
  private static func withoutPrefix(_ value: Substring) -> Substring {
    guard value.first == "@", let slash = value.firstIndex(of: "/") else { return value }
    return value[slash...].dropFirst()
  }
}

/// The properties of projects, for which `${name}` or `$(name)` stands, and the resources of user interfaces.
struct MarkupPropertyNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    let text = line.drop { $0 == " " || $0 == "\t" }
    if text.first == "<" {
      let name = text.dropFirst().prefix(while: \.isNamePart)
      if text[name.endIndex...].first == ">", text.hasSuffix("</\(name)>") {
        names.define("${\(name)}")
      }
    }
    for (mark, end) in [("${", "}"), ("$(", ")")] as [(String, Character)] {
      for rest in line.pieces(behind: mark) {
        names.refer(to: "${\(rest.prefix { $0 != end })}")
      }
    }
    readResources(line, &names)
    readClasses(text, &names)
  }

  /// Reads the classes of a style sheet in the document, and the elements with these classes.
  private func readClasses(_ text: Substring, _ names: inout ReferenceNames) {
    if text.first == ".", text.has("{") {
      names.define(text.dropFirst().prefix { $0.isNamePart && $0 != "." })
    }
  }

  /// Reads the resources of user interfaces, and the values that refer to them.
  private func readResources(_ line: Substring, _ names: inout ReferenceNames) {
    if let start = line.firstPlace(of: "x:Key=\"") {
      names.define(line[start.upperBound...].prefix { $0 != "\"" })
    }
    for mark in ["{StaticResource ", "{DynamicResource ", "ElementName="] {
      for rest in line.pieces(behind: mark) {
        names.refer(to: rest.prefix(while: \.isNamePart))
      }
    }
    if let start = line.firstPlace(of: ">@"),
      let slash = line[start.upperBound...].firstIndex(of: "/")
    {
      names.refer(to: line[slash...].dropFirst().prefix { $0 != "<" })
    }
  }
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
}
