internal import DocumentVersions

/// Asks a person about single clashes of a merge; answers come from standard input.
struct ClashDialogue {
  /// The document’s name, for a person.
  let document: String
  /// The names of the sides.
  let ours, theirs: String

  /// Asks until there is a valid answer.
  ///
  /// - Parameters:
  ///   - heading: the place of the question among all.
  ///   - left: the following questions, to which the answer may also apply.
  ///   - misfit: returns the reason why the document can't have a typed answer; `nil` if it can.
  /// - Returns: `nil` to leave the unanswered questions.
  func ask(
    _ clash: MergeClash, _ heading: String, left: [MergeClash],
    misfit: (MergeAnswer) async throws -> String?
  ) async throws -> (answer: MergeAnswer, reach: StandingAnswers.Reach)? {
    Console.print("\(document): \(heading)".asHeading)
    Console.print("  \(clash.decision.place.shown): \(Printable.text(clash.decision.explanation))")
    if clash.choices.contains(.base) { show("It was", clash.base) }
    show("1  \(ours)", clash.ours)
    show("2  \(theirs)", clash.theirs)
    let keys = Self.keys(for: clash)
    Console.print("  \(keys.map { "\($0.key)  \($0.meaning)" }.joined(separator: "   "))".asMuted)
    let reaches = Self.reaches(of: clash, left)
    if !reaches.isEmpty {
      let words = reaches.map { "1\($0.key), 2\($0.key)  \($0.meaning)" }
      Console.print("  \(words.joined(separator: "   "))".asMuted)
    }
    while let key = Self.read() {
      if let reach = reaches.first(where: { ["1" + $0.key, "2" + $0.key].contains(key) })?.reach {
        let answer = key.first == "1" ? MergeAnswer.ours : .theirs
        if clash.choices.contains(answer.choice) { return (answer, reach) }
      }
      guard keys.contains(where: { $0.key == key }) else {
        Console.print(
          "  Type \(Wording.list(keys.map(\.key), "or")); Ctrl-D skips the rest.")
        continue
      }
      let answer: MergeAnswer
      switch key {
      case "1": return (.ours, .thisQuestion)
      case "2": return (.theirs, .thisQuestion)
      case "b": return (.both, .thisQuestion)
      case "o": return (.base, .thisQuestion)
      case "?":
        show("Before it", clash.before, last: 5)
        show("After it", clash.after, first: 5)
        continue
      case "e":
        guard let text = Self.typedText() else { return nil }
        answer = .text(text)
      default: return nil
      }
      guard let reason = try await misfit(answer) else { return (answer, .thisQuestion) }
      Console.print("  \(Printable.text(reason))")
    }
    return nil
  }

  /// Returns the keys that answer a question, and their meanings.
  private static func keys(for clash: MergeClash) -> [(key: String, meaning: String)] {
    var keys = [("1", "the first")]
    if clash.choices.contains(.theirs) { keys.append(("2", "the second")) }
    if clash.choices.contains(.both) { keys.append(("b", "both")) }
    if clash.choices.contains(.base) { keys.append(("o", "as it was")) }
    if clash.choices.contains(.text), clash.isOfText { keys.append(("e", "type another text")) }
    keys.append(("s", "skip"))
    if !(clash.before.isEmpty && clash.after.isEmpty) {
      keys.append(("?", "show the lines around it"))
    }
    return keys
  }

  /// Returns the further questions to which the first or second answer may also apply, each with the letter
  /// after the number.
  private static func reaches(
    of clash: MergeClash, _ left: [MergeClash]
  ) -> [(key: String, meaning: String, reach: StandingAnswers.Reach)] {
    guard !left.isEmpty else { return [] }
    var reaches: [(key: String, meaning: String, reach: StandingAnswers.Reach)] = [
      ("a", "for all that is left, \(left.count) more", .allLeft)
    ]
    if let field = clash.field, case let count = left.count(where: { $0.field == field }), count > 0
    {
      reaches.append(
        ("f", "for “\(Printable.text(field))” everywhere, \(count) more", .field(field)))
    }
    return reaches
  }

  private func show(_ heading: String, _ text: [UInt8]?, first: Int = .max, last: Int = .max) {
    Console.print("  " + heading)
    guard let text, !text.isEmpty else { return Console.print("       " + "nothing".asMuted) }
    guard TextContent(text) != nil else {
      return Console.print("       " + "\(Wording.size(text.count)), no text".asMuted)
    }
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let shown = text.last == UInt8(ascii: "\n") ? lines.dropLast() : lines
    for line in shown.suffix(last).prefix(first) {
      Console.print("       " + TextContent.shown(line).asPlace)
    }
  }

  // MARK: Reading

  /// Reads the next answer; nil at the end of the input.
  static func read() -> String? {
    Console.prompt("> ")
    let line = readLine()
    // Piped input doesn't end the line that the prompt began.
    if line == nil || !Console.isTerminal { Console.print() }
    return line?.trimmingBlanks().lowercased()
  }

  /// Reads lines up to one that is only a period; `nil` if the input ends before it.
  private static func typedText() -> [UInt8]? {
    Console.print("  Type the text; end it with a line that has only a full stop.".asMuted)
    var text: [UInt8] = []
    while let line = readLine(strippingNewline: true) {
      if line == "." { return text }
      text += Array(line.utf8) + [UInt8(ascii: "\n")]
    }
    return nil
  }
}

extension MergeClash {
  /// True if the sides have text, so that the user can type another one.
  fileprivate var isOfText: Bool {
    [base, ours, theirs].allSatisfy { TextContent($0 ?? []) != nil }
  }
}
