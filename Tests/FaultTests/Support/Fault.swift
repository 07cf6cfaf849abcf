internal import Foundation
internal import Testing

/// One way in which a call can go wrong.
struct FaultAction: Sendable, Hashable, CustomTestStringConvertible {
  /// The action in the injector's syntax.
  let text: String
  /// The trait of calls that can fail in this way; nil for all calls.
  var trait: Character?
  /// True if the action hits calls that read instead of those that change something.
  var hitsReads = false
  /// The system's text for the error; nil if the program gets none, or any.
  var words: String?
  /// True if the program is killed.
  var isKill = false

  var testDescription: String { (hitsReads ? "reads " : "") + text }

  static let killBefore = FaultAction(text: "kill-before", isKill: true)

  /// All rows of the matrix.
  static let all: [FaultAction] = [
    killBefore,
    FaultAction(text: "kill-after", isKill: true),
    FaultAction(text: "torn", trait: "w", isKill: true),
    FaultAction(text: "short", trait: "w"),
    FaultAction(text: "once:ENOSPC", trait: "a", words: noSpace),
    FaultAction(text: "from:ENOSPC", trait: "a", words: noSpace),
    FaultAction(text: "from:EDQUOT", trait: "a", words: "Disk quota exceeded"),
    FaultAction(text: "once:EIO", trait: "s", words: inputOutput),
    FaultAction(text: "from:EIO", trait: "s", words: inputOutput),
    FaultAction(text: "once:EACCES", trait: "c", words: denied),
    FaultAction(text: "from:EACCES", trait: "c", words: denied),
    FaultAction(text: "from:EROFS", trait: "c", words: "Read-only file system"),
    FaultAction(text: "once:ENOLCK", trait: "l", words: "No locks available"),
    FaultAction(text: "lost-reply", trait: "n"),
    FaultAction(text: "lost-reply:EIO", trait: "n", words: inputOutput),
    FaultAction(text: "once:EIO", hitsReads: true, words: inputOutput),
    FaultAction(text: "once:EACCES", hitsReads: true, words: denied),
    FaultAction(text: "short", hitsReads: true),
  ]

  /// The rows to test: all, or those that `DOCVERSIONS_FAULT_ACTIONS` names, separated by commas.
  static let tried: [FaultAction] = {
    guard let list = ProcessInfo.processInfo.environment["DOCVERSIONS_FAULT_ACTIONS"] else {
      return all
    }
    let names = list.split(separator: ",").map(String.init)
    return all.filter { names.contains($0.testDescription) }
  }()

  private static let noSpace = "No space left on device"
  private static let inputOutput = "Input/output error"
  private static let denied = "Permission denied"
}

/// A fault at one call of a run.
struct Fault: Sendable {
  let action: FaultAction
  /// The call's number, from 1.
  let call: Int

  /// The environment that configures the injector.
  var environment: [String: String] {
    ["FAULT_AT": String(call), "FAULT_ACTION": action.text]
      .merging(action.hitsReads ? ["FAULT_COUNT": "reads"] : [:]) { $1 }
  }
}

/// A call of the C library, as the injector logs it.
struct Call: Sendable, CustomStringConvertible {
  let number: Int
  /// The letters of its traits.
  let traits: String
  /// The call's name.
  let name: String
  /// The path that it concerns, and the second one if there are two.
  let path: String
  let line: String

  var description: String { line }

  /// The calls of a log.
  static func parse(_ log: String) -> [Call] {
    log.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ", maxSplits: 3)
      guard words.count == 4, let number = Int(words[0]) else { return nil }
      return Call(
        number: number, traits: String(words[1]), name: String(words[2]), path: String(words[3]),
        line: String(line))
    }
  }

  /// Returns whether a fault can hit the call.
  func canSuffer(_ action: FaultAction) -> Bool {
    guard let trait = action.trait else { return true }
    return traits.contains(trait)
  }
}
