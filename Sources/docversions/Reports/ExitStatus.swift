/// The exit codes of the program.
///
/// This is the only table. Commands that have reported everything throw a status.
enum ExitStatus: Int32, Error, CaseIterable {
  case done = 0
  case conflictsRemain = 1
  case usage = 2
  case notFound = 3
  case tryAgain = 4
  case refused = 5
  case damaged = 6
  case remoteRefused = 7
  case internalError = 70
  case hungUp = 129
  case interrupted = 130
  case terminated = 143

  /// The code of `verify` if something is damaged.
  static let damageFound = ExitStatus.conflictsRemain
  /// The code of `verify` if it can't read something.
  static let cannotVerify = ExitStatus.usage
  /// The code of `doctor` if it would repair something.
  static let repairsRemain = ExitStatus.conflictsRemain

  /// The meaning of the code.
  var meaning: String {
    switch self {
    case .done: "done"
    case .conflictsRemain:
      "conflicts, questions, damage (verify) or repairs (doctor) remain; differences (diff --exit-code)"
    case .usage: "the command was used wrongly; or verify can’t read"
    case .notFound: "there is no such document, version or member"
    case .tryAgain:
      "changed in the meantime, in use by another process, not arrived yet, or no connection: try again"
    case .refused: "the file system refuses: permission, space, kind of file, name"
    case .damaged: "the store is damaged, or the folder for exchange"
    case .remoteRefused: "the remote refuses, or is not trusted"
    case .internalError: "an error in the program"
    case .hungUp: "interrupted, because the terminal was closed"
    case .interrupted: "interrupted"
    case .terminated: "terminated"
    }
  }

  /// Splits a text into lines that are too short for the terminal to wrap, which would lose the indentation.
  private static func lines(of text: String) -> [String] {
    var lines = [""]
    for word in text.split(separator: " ") {
      let line = lines[lines.count - 1]
      if line.isEmpty {
        lines[lines.count - 1] = String(word)
      } else if line.count + 1 + word.count <= 70 {
        lines[lines.count - 1] = "\(line) \(word)"
      } else {
        lines.append(String(word))
      }
    }
    return lines
  }

  /// The table in help.
  static var table: String {
    allCases.map { status in
      let code = String(status.rawValue)
      let start = "  " + String(repeating: " ", count: 3 - code.count) + "\(code)  "
      let indent = "\n" + String(repeating: " ", count: start.count)
      return start + lines(of: status.meaning).joined(separator: indent)
    }.joined(separator: "\n")
  }
}
