/// What the program's exit code says.
///
/// The one table; thrown by commands that have said all there is to say.
enum ExitStatus: Int32, Error, CaseIterable {
  case done = 0
  case conflictsRemain = 1
  case usage = 2
  case notFound = 3
  case tryAgain = 4
  case refused = 5
  case damaged = 6
  case internalError = 70
  case interrupted = 130

  /// The code in words.
  var meaning: String {
    switch self {
    case .done: "done"
    case .conflictsRemain: "conflicts or questions remain (or differences, with diff --exit-code)"
    case .usage: "the command was used wrongly"
    case .notFound: "there is no such document, version or member"
    case .tryAgain: "changed meanwhile, or in use by another process: try again"
    case .refused: "the file system refuses: permission, space, kind of file, name"
    case .damaged: "the store is damaged"
    case .internalError: "an error in the program"
    case .interrupted: "interrupted"
    }
  }

  /// The table as help shows it.
  static var table: String {
    allCases.map { status in
      let code = String(status.rawValue)
      return "  " + String(repeating: " ", count: 3 - code.count) + "\(code)  \(status.meaning)"
    }.joined(separator: "\n")
  }
}
