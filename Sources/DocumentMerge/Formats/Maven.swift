/// Projects in XML.
extension DocumentFormat {
  /// Maven projects: dependencies by group and name.
  static let maven = xml.narrowed(
    "maven", ["pom.xml", "*.pom"], adding: [NamesOnce(MavenEntries())])

  /// .NET projects: files and packages by name, and properties.
  static let msBuild = xml.narrowed(
    "msbuild", ["*.csproj", "*.fsproj", "*.vbproj", "*.props"],
    adding: [NamesOnce(ProjectEntries())])
}

/// The items and properties of .NET projects, each with the conditions that it has.
private struct ProjectEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var group: Substring?
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " || $0 == "\t" }
      if text.hasPrefix("<ItemGroup") || text.hasPrefix("<PropertyGroup") {
        group = text
      } else if text.hasPrefix("</ItemGroup") || text.hasPrefix("</PropertyGroup") {
        group = nil
      } else if let group, text.first == "<" {
        let tag = text.dropFirst().prefix { $0.isLetter || $0.isNumber || $0 == "_" }
        let rest = text[tag.endIndex...]
        let isProperty = group.hasPrefix("<P") && rest.hasSuffix("</\(tag)>")
        let item = rest.pieces(behind: "Include=\"").first?.prefix { $0 != "\"" }
        guard let name = isProperty ? "" : item else { continue }
        let mark = "Condition=\""
        let conditions = (group.pieces(behind: mark) + rest.pieces(behind: mark)).map { condition in
          condition.prefix { $0 != "\"" }
        }
        names.add([(([tag, name] + conditions).joined(separator: " "), number)])
      }
    }
  }
}

/// The elements of dependencies and plugins.
private struct MavenEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var open: [Substring] = []
    var parts: [Substring: Substring] = [:]
    var lists = 0
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " || $0 == "\t" }
      guard text.first == "<" else { continue }
      let tag = text.dropFirst().prefix { $0 != ">" && $0 != " " }
      if tag == "dependencies" || tag == "plugins" || tag == "exclusions" {
        lists += 1
        open.append(tag)
      } else if tag.first == "/", open.last == tag.dropFirst() {
        _ = open.popLast()
      } else if tag == "dependency" || tag == "plugin" {
        parts = [:]
      } else if tag == "/dependency" || tag == "/plugin" {
        if open.last != "exclusions", let name = parts["artifactId"] {
          let rest = ["groupId", "type", "classifier"].map { parts[$0] ?? "" }
            .joined(separator: ":")
          names.add([("\(open.joined(separator: "/")) \(lists) \(rest):\(name)", number)])
        }
        parts = [:]
      } else if text.has("</"), open.last != "exclusions" {
        parts[tag] = text.drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
      }
    }
  }
}
