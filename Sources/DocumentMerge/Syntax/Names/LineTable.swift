/// The unique names of a table whose rows are lines of words, such as `/etc/hosts`.
struct LineTable: EntryReader {
  /// The parts of a row that are names, each group separately.
  enum Naming {
    /// The words at some positions, as one name.
    case words([Int])
    /// Each word from a position on.
    case eachWord(from: Int)
    /// The first word that starts with one of the texts, with the word after it.
    case key([String])
    /// The last word.
    case lastWord
  }

  let separator: Character
  let namings: [Naming]
  /// True if rows start with a network address; others have another format.
  var hasAddresses = false

  init(_ separator: Character = " ", _ namings: Naming..., hasAddresses: Bool = false) {
    (self.separator, self.namings, self.hasAddresses) = (separator, namings, hasAddresses)
  }

  func read(_ lines: [Substring], into names: inout EntryNames) {
    for (number, line) in lines.enumerated() {
      names.add(self.names(in: line).map { ($0, number) })
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
        // An unmounted file system has no path.
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
