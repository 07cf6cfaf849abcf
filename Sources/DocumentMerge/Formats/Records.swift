/// Formats of records whose names are in lines of a certain form.
extension Catalogue {
  /// The formats of records with names in their own lines.
  static let records: [DocumentFormat] = [
    // Gherkin specifications.
    DocumentFormat("gherkin", ["*.feature"], checks: [NamesOnce(scenarios)]),
    // Turtle triples.
    DocumentFormat("turtle", ["*.ttl", "*.n3"], checks: [NamesOnce(subjects)]),
    // Rules of sites for crawlers.
    DocumentFormat(
      "robots", ["robots.txt"], kind: .plain, checks: [NamesOnce(agents)]),
    // CMake builds.
    DocumentFormat("cmake", ["*.cmake"], checks: [NamesOnce(targets)]),
    DocumentFormat(
      "cmake-lists", ["cmakelists.txt"], kind: .plain, checks: [NamesOnce(targets)]),
    // DNS zones.
    DocumentFormat("zone", ["*.zone"], checks: [NamesOnce(aliases)]),
    // ABC tunes.
    DocumentFormat("abc", ["*.abc"], checks: [NamesOnce(LineEntries(behind: "X:"))]),
    // Directory entries.
    DocumentFormat(
      "ldif", ["*.ldif"], checks: [NamesOnce(LineEntries(behind: "dn: "))]),
    DocumentFormat(
      "subtitles", ["*.srt", "*.vtt"], checks: [NamesOnce(SubtitleEntries()), SubtitleTimes()]),
    // GEDCOM family trees.
    DocumentFormat(
      "gedcom", ["*.ged", "*.gedcom"], checks: [NamesOnce(people), LostNames(PersonNames())]),
    DocumentFormat(
      "wiki", ["*.wiki", "*.mediawiki", "*.wikitext"],
      checks: [NamesOnce(footnotes), LostNames(FootnoteNames())]),
  ]
}

/// Scenarios.
private let scenarios = LineEntries { line in
  let text = line.drop { $0 == " " || $0 == "\t" }
  let isScenario = text.hasPrefix("Scenario:") || text.hasPrefix("Scenario Outline:")
  return isScenario ? String(text) : nil
}

/// The subjects of triples.
private let subjects = LineEntries { line in
  guard let first = line.first, first == "<" || first == ":" || first.isLetter else {
    return nil
  }
  let subject = line.prefix { $0 != " " && $0 != "\t" }
  return subject.contains(":") ? String(subject) : nil
}

/// The crawlers that a site addresses.
private let agents = LineEntries { line in
  line.lowercased().hasPrefix("user-agent:") ? line.lowercased() : nil
}

/// The targets of builds.
private let targets = LineEntries { line in
  let text = line.drop { $0 == " " || $0 == "\t" }
  let command = text.prefix { $0 != "(" }.lowercased()
  guard ["add_library", "add_executable", "add_custom_target"].contains(command) else {
    return nil
  }
  return "target " + text.dropFirst(command.count + 1).prefix { $0 != " " && $0 != ")" }
}

/// The aliases of hosts.
private let aliases = LineEntries { line in
  let words = line.split { $0 == " " || $0 == "\t" }
  return words.dropFirst().contains("CNAME") ? "alias \(words[0])" : nil
}

/// The people and families.
private let people = LineEntries { line in
  let words = line.split(separator: " ")
  let isRecord = words.count > 2 && words[0] == "0" && words[1].first == "@"
  return isRecord ? String(words[1]) : nil
}

/// Footnotes, which other places repeat.
private let footnotes = LineEntries { line in
  let text = line.drop { $0 == " " || $0 == "\t" }
  guard let start = text.firstPlace(of: "<ref name=") else { return nil }
  let tag = text[start.upperBound...].prefix { $0 != ">" }
  return tag.last == "/" ? nil : "<ref \(tag.filter { $0 != "\"" })>"
}

/// The numbers of subtitles, or their times.
private struct SubtitleEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    for (number, line) in lines.enumerated().dropFirst() where line.has(" --> ") {
      let start = lines[number - 1].isEmpty ? number : number - 1
      names.add(lines[start], start)
    }
  }
}

/// The people and families of a family tree.
private struct PersonNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    for (place, word) in line.split(separator: " ").enumerated().dropFirst()
    where word.first == "@" && word.last == "@" && word.count > 2 {
      if place == 1, line.first == "0" { names.define(word) } else { names.refer(to: word) }
    }
  }
}

/// The footnotes of a wiki: `<ref name="…">`, which `<ref name="…" />` repeats.
private struct FootnoteNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    for rest in line.pieces(behind: "<ref name=") {
      let tag = rest.prefix { $0 != ">" }
      let name = tag.filter { !"\"/ ".contains($0) }
      if tag.last == "/" { names.refer(to: name) } else { names.define(name) }
    }
  }
}
