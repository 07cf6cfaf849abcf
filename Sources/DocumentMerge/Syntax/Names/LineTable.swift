/// A table whose rows are lines of words, such as `/etc/hosts`: what must be there once in it.
struct LineTable {
  /// The parts of a row that name something, each group for itself.
  enum Naming {
    /// The words at some places, as one name.
    case words([Int])
    /// Each word from one place on.
    case eachWord(from: Int)
    /// The first word that starts with one of some texts, with the one behind it.
    case key([String])
    /// The last word.
    case lastWord
  }

  let separator: Character
  let namings: [Naming]
  /// Indicates whether rows start with an address of a network; others are of another format.
  var hasAddresses = false

  private init(_ separator: Character = " ", _ namings: Naming..., hasAddresses: Bool = false) {
    (self.separator, self.namings, self.hasAddresses) = (separator, namings, hasAddresses)
  }

  /// The tables, by the names of their files.
  private static let known: [String: LineTable] = [
    "hosts": LineTable(" ", .eachWord(from: 1), .words([0]), hasAddresses: true),
    "fstab": LineTable(" ", .words([1])),
    "crypttab": LineTable(" ", .words([0])),
    "exports": LineTable(" ", .words([0])),
    "passwd": LineTable(":", .words([0]), .words([2])),
    "group": LineTable(":", .words([0]), .words([2])),
    "shadow": LineTable(":", .words([0])),
    "gshadow": LineTable(":", .words([0])),
    "subuid": LineTable(":", .words([0])),
    "subgid": LineTable(":", .words([0])),
    "services": LineTable(" ", .words([0]), .words([1])),
    "protocols": LineTable(" ", .words([0]), .words([1])),
    "aliases": LineTable(":", .words([0])),
    "known_hosts": LineTable(" ", .words([0, 1])),
    "authorized_keys": LineTable(" ", .key(["ssh-", "ecdsa-", "sk-"])),
    ".htpasswd": LineTable(":", .words([0])),
    ".pgpass": LineTable(":", .words([0, 1, 2, 3])),
    ".mailmap": LineTable(" ", .lastWord),
    ".gitattributes": LineTable(" ", .words([0])),
    ".tool-versions": LineTable(" ", .words([0])),
    "codeowners": LineTable(" ", .words([0])),
    "sshd_config": LineTable(" ", .words([0])),
    "_redirects": LineTable(" ", .words([0])),
  ]

  /// The table in a file of a name; `nil` for other files.
  init?(fileName: String) {
    let name = fileName.split(separator: "/").last.map { $0.lowercased() } ?? ""
    guard let table = Self.known[name] else { return nil }
    self = table
  }

  /// The names in some lines.
  func names(in lines: [Substring]) -> [(name: String, line: Int)] {
    lines.enumerated().flatMap { number, line in
      names(in: line).map { (name: $0, line: number) }
    }
  }

  private func names(in line: Substring) -> [String] {
    guard let first = line.first, !"#+-@".contains(first) || separator != ":" else { return [] }
    let text =
      line.first == "#" ? "" : line.firstPlace(of: " #").map { line[..<$0.lowerBound] } ?? line
    let words =
      separator == " "
      ? text.split { $0 == " " || $0 == "\t" }
      : text.split(separator: separator, omittingEmptySubsequences: false)
    guard words.count > 1 else { return [] }
    var family = ""
    if hasAddresses {
      guard let first = words[0].first, first.isHexDigit || first == ":",
        words[0].contains(where: { $0 == "." || $0 == ":" })
      else { return [] }
      // A host may have an address of each kind.
      family = words[0].contains(":") ? "IPv6 " : ""
    }
    return namings.flatMap { naming -> [String] in
      switch naming {
      case .words(let places):
        guard places.allSatisfy({ $0 < words.count && !words[$0].isEmpty }) else { return [] }
        let name = places.map { String(words[$0]) }.joined(separator: " ")
        // What is mounted nowhere has no place.
        guard name != "none", name != "swap" else { return [] }
        let isNumber = separator == ":" && name.allSatisfy(\.isNumber)
        return [isNumber ? "number " + name : name]
      case .eachWord(let start):
        return words.dropFirst(start).map { family + $0.lowercased() }
      case .key(let kinds):
        guard
          let place = words.firstIndex(where: { word in kinds.contains { word.hasPrefix($0) } }),
          place + 1 < words.count
        else { return [] }
        return [words[place] + " " + words[place + 1]]
      case .lastWord:
        return [words[words.count - 1].lowercased()]
      }
    }
  }
}
