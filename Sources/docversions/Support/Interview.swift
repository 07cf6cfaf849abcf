internal import DocumentVersions
internal import Foundation

/// Asks a person how a conflict shall be resolved.
///
/// Where two texts meet, clash by clash; else version by version. The end of the input skips the document.
struct Interview: Sendable {
  let file: DocumentArgument
  let moment: Moment
  let store: VersionStore

  func decide(_ conflict: Conflict) async throws -> ResolutionStrategy.Verdict {
    let proposal = try await conflict.proposal()
    if let text = proposal.text {
      let clashes = TextClash.clashes(of: text)
      if !clashes.isEmpty, clashes.allSatisfy(\.isText) {
        return try answer(clashes, of: text, conflict) ?? .undecided(proposal.questions)
      }
    }
    return try choice(among: conflict.versions, proposal)
  }

  // MARK: Clash by clash

  private func answer(
    _ clashes: [TextClash], of text: TextMerge, _ conflict: Conflict
  ) throws -> ResolutionStrategy.Verdict? {
    var answers: [Int: TextAnswer] = [:]
    for clash in clashes {
      guard let answer = ask(clash, of: clashes.count, conflict) else { return nil }
      answers[clash.number] = answer
    }
    let outcome = try text.outcome(answers: answers)
    for left in outcome.decisions where left.kind == .clash {
      Console.print("  \(left.place.shown): \(Printable.text(left.explanation))".asQuiet)
    }
    return .contents(Data(outcome.bytes), because: "its questions were answered")
  }

  private func ask(_ clash: TextClash, of count: Int, _ conflict: Conflict) -> TextAnswer? {
    Console.print("\(file.shown): question \(clash.number + 1) of \(count)".asHeading)
    if let base = clash.base { show("It was", base) }
    show("1  \(conflict.versions[0].whoAndWhen(moment))", clash.ours)
    show("2  \(conflict.versions[1].whoAndWhen(moment))", clash.theirs)
    let base = clash.base == nil ? "" : "   o  as it was"
    Console.print(
      "  b  both\(base)   e  type another text   s  skip   ?  show the lines around it".asQuiet)
    while let answer = Self.read() {
      switch answer {
      case "1": return .ours
      case "2": return .theirs
      case "b": return .both
      case "o" where clash.base != nil: return .base
      case "e": return Self.typedText().map { .text($0) }
      case "s": return nil
      case "?": clash.showSurroundings()
      default: Console.print("  Type 1, 2, b\(clash.base == nil ? "" : ", o"), e, s or ?.")
      }
    }
    return nil
  }

  private func show(_ heading: String, _ text: [UInt8]) {
    Console.print("  " + heading)
    let lines = text.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let shown = text.last == UInt8(ascii: "\n") ? lines.dropLast() : lines
    for line in shown { Console.print("       " + TextContent.shown(line).asPlace) }
    if text.isEmpty { Console.print("       " + "nothing".asQuiet) }
  }

  // MARK: Version by version

  private func choice(
    among versions: [FileVersion], _ proposal: MergeProposal
  ) throws -> ResolutionStrategy.Verdict {
    Console.print("\(file.shown): choose a version".asHeading)
    for left in proposal.questions {
      Console.print("  \(left.place.shown): \(Printable.text(left.explanation))".asQuiet)
    }
    for (index, version) in versions.enumerated() {
      let note = version.note.map { "  \(Printable.text($0))" } ?? ""
      let size = version.isDeletion ? "deleted" : Wording.size(version.size)
      Console.print(
        "  \(index + 1)  \(version.whoAndWhen(moment))  \(version.shown)  \(size)\(note)")
    }
    let isComplete = proposal.isComplete
    let merged = isComplete ? "m  all changes combined   " : ""
    Console.print("  \(merged)d  show the differences   s  skip".asQuiet)
    while let answer = Self.read() {
      switch answer {
      case "m" where isComplete: return .merged(proposal, because: "the proposal was accepted")
      case "d": try showDifferences(versions)
      case "s": return .undecided(proposal.questions)
      default:
        if let number = Int(answer), (1..<versions.count + 1).contains(number) {
          return .keep(versions[number - 1], because: "it was chosen")
        }
        Console.print("  Type a number\(isComplete ? ", m" : ""), d or s.")
      }
    }
    return .undecided(proposal.questions)
  }

  private func showDifferences(_ versions: [FileVersion]) throws {
    try store.comparing(versions[0]) { comparison in
      for version in versions.dropFirst() {
        try DiffPrinter(
          document: file, old: "version \(versions[0].id.short)",
          new: "version \(version.id.short)"
        ).print(comparison.differences(from: .version(versions[0]), to: .version(version)))
      }
    }
  }

  // MARK: Reading

  /// The next answer; nil at the end of the input.
  private static func read() -> String? {
    Console.prompt("> ")
    let line = readLine()
    // What was piped in does not end the line that the prompt began.
    if line == nil || !Console.isTerminal { Console.print() }
    return line?.trimmingCharacters(in: .whitespaces).lowercased()
  }

  /// Lines up to one that is only a full stop; nil when the input ends before it.
  private static func typedText() -> [UInt8]? {
    Console.print("  Type the text; end it with a line that has only a full stop.".asQuiet)
    var text: [UInt8] = []
    while let line = readLine(strippingNewline: true) {
      if line == "." { return text }
      text += Array(line.utf8) + [UInt8(ascii: "\n")]
    }
    return nil
  }
}

/// A place where two texts contradict each other, with the lines around it.
private struct TextClash {
  let number: Int
  let base: [UInt8]?
  let ours: [UInt8]
  let theirs: [UInt8]
  let before: [UInt8]
  let after: [UInt8]

  /// Whether all sides can be shown.
  var isText: Bool { [base ?? [], ours, theirs].allSatisfy { TextContent($0) != nil } }

  static func clashes(of text: TextMerge) -> [TextClash] {
    var clashes: [TextClash] = []
    for (index, piece) in text.pieces.enumerated() {
      guard case .clash(let base, let ours, let theirs) = piece else { continue }
      clashes.append(
        TextClash(
          number: clashes.count, base: base, ours: ours, theirs: theirs,
          before: merged(text.pieces, index - 1), after: merged(text.pieces, index + 1)))
    }
    return clashes
  }

  func showSurroundings() {
    guard let before = TextContent(before)?.lines, let after = TextContent(after)?.lines else {
      return
    }
    for line in before.suffix(5) { Console.print("       " + TextContent.shown(line)) }
    Console.print("     ? …".asOpen)
    for line in after.prefix(5) { Console.print("       " + TextContent.shown(line)) }
  }

  private static func merged(_ pieces: [TextPiece], _ index: Int) -> [UInt8] {
    guard pieces.indices.contains(index), case .merged(let bytes) = pieces[index] else { return [] }
    return bytes
  }
}
