/// Server settings: blocks in braces, sections in tags, or keys with values.
extension DocumentFormat {
  static let server = DocumentFormat(
    "conf", ["*.conf"],
    checks: [
      NamesOnce(ServerEntries(), areLines: true),
      LostNames(SettingVariables(), ServerNames(), SettingNames()), RenumberedKeys(.lines),
    ])

  static let webServer = DocumentFormat(
    "nginx", ["*.nginx", "*.vhost", "caddyfile"],
    checks: [NamesOnce(ServerEntries(), areLines: true), LostNames(ServerNames())])

  /// The hosts of ssh.
  static let sshConfig = DocumentFormat(
    "ssh-config", ["ssh_config", ".ssh/config"],
    checks: [NamesOnce(LineEntries(behind: "Host "))])
}

/// Blocks and sections, each once in its parent; without them, keys with values.
private struct ServerEntries: EntryReader {
  /// The directives that a section has only once.
  private static let singles: Set<Substring> = [
    "ServerName", "DocumentRoot", "server_name", "root",
  ]

  func read(_ lines: [Substring], into names: inout EntryNames) {
    if lines.contains(where: { $0.last == "{" || $0.first == "<" }) {
      readBlocks(lines, &names)
    } else {
      SettingEntries().read(lines, into: &names)
    }
  }

  private func readBlocks(_ lines: [Substring], _ names: inout EntryNames) {
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
        // Blocks without their own name, and conditions, may occur several times.
        if !isSection, words.count > 1 || open.isEmpty && name.contains("."), words[0] != "if" {
          names.add([(path + name, number)])
          open.append(name + "/")
        } else {
          blocks += 1
          open.append("\(name) \(blocks)/")
        }
      } else if !open.isEmpty, let word = text.split(separator: " ").first,
        Self.singles.contains(word)
      {
        names.add([(open.joined() + word, number)])
      }
    }
  }
}

/// Groups of servers, to which others forward requests.
private struct ServerNames: NameReader {
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
