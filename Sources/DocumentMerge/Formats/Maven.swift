/// Maven projects: dependencies by group and name.
extension DocumentFormat {
  static let maven = xml.narrowed(
    "maven", ["pom.xml", "*.pom"], adding: [NamesOnce(MavenEntries())])
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
