/// Names of blocks in braces and of sections in tags, as servers are set up with: each stands once in its block.
enum NestedNames {
  /// The directives that a section has once.
  private static let singles: Set<Substring> = [
    "ServerName", "DocumentRoot", "server_name", "root",
  ]

  /// Returns whether some lines have blocks; others are keys with values.
  static func mayStand(in lines: [Substring]) -> Bool {
    lines.contains { $0.last == "{" || $0.first == "<" }
  }

  static func names(in lines: [Substring]) -> [(name: String, line: Int)] {
    var names: [(name: String, line: Int)] = []
    var open: [String] = []
    var blocks = 0
    for (number, line) in lines.enumerated() {
      let text = line.drop { $0 == " " || $0 == "\t" }
      guard let first = text.first, first != "#" else { continue }
      let isSection = first == "<" && text.last == ">"
      if first == "}" || text.hasPrefix("</") {
        _ = open.popLast()
      } else if text.last == "{" || isSection {
        let words = text.dropLast().drop { $0 == "<" }.split { $0 == " " || $0 == "\t" }
        let name = words.joined(separator: " ")
        let path = open.joined()
        // A block without a name of its own may be there many times, and so may conditions.
        if !isSection, words.count > 1 || open.isEmpty && name.contains("."), words[0] != "if" {
          names.append((path + name, number))
          open.append(name + "/")
        } else {
          blocks += 1
          open.append("\(name) \(blocks)/")
        }
      } else if !open.isEmpty, let word = text.split(separator: " ").first, singles.contains(word) {
        names.append((open.joined() + word, number))
      }
    }
    return names
  }
}
