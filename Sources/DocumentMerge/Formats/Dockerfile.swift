/// Dockerfiles: variables, stages, and commands of which the last one applies.
extension DocumentFormat {
  static let dockerfile = DocumentFormat(
    "dockerfile", ["dockerfile", "containerfile", "*.dockerfile", "*.containerfile"],
    checks: [NamesOnce(StageEntries(), CommandEntries()), LostNames(StageNames())])
}

/// Variables and stages.
private struct StageEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var stage = 0
    for (number, line) in lines.enumerated() {
      let words = line.split { $0 == " " || $0 == "=" }
      guard words.count > 1 else { continue }
      switch words[0].uppercased() {
      case "FROM":
        stage += 1
        if words.count > 3, words[2].uppercased() == "AS" {
          names.add(words[3].lowercased(), number)
        }
      case "ENV", "ARG", "LABEL":
        names.add("stage \(stage): \(words[0].uppercased()) \(words[1])", number)
      default: break
      }
    }
  }
}

/// The commands that a stage of an image has once.
private struct CommandEntries: EntryReader {
  func read(_ lines: [Substring], into names: inout EntryNames) {
    var stage = 0
    for (number, line) in lines.enumerated() {
      let word = line.prefix { $0 != " " }.uppercased()
      if word == "FROM" { stage += 1 }
      guard ["CMD", "ENTRYPOINT", "HEALTHCHECK"].contains(word) else { continue }
      names.add([("\(word) of stage \(stage)", number)])
    }
  }
}

private struct StageNames: NameReader {
  mutating func read(_ line: Substring, into names: inout ReferenceNames) {
    guard line.first != "#" else { return }
    readInstruction(line, &names)
    names.referToVariables(in: line)
  }

  private func readInstruction(_ line: Substring, _ names: inout ReferenceNames) {
    let words = line.split(separator: " ")
    guard words.count > 1 else { return }
    switch words[0].uppercased() {
    case "ARG", "ENV":
      for word in words.dropFirst() { names.define(word.prefix { $0 != "=" }) }
    case "FROM":
      names.refer(to: words[1])
      if words.count > 3, words[2].uppercased() == "AS" { names.define(words[3]) }
    case "COPY":
      for word in words where word.hasPrefix("--from=") { names.refer(to: word.dropFirst(7)) }
    default: break
    }
  }
}
