internal import DocumentVersions

/// A failure as a command reports it to a person and to a program.
struct CommandFailure: Error {
  let status: ExitStatus
  /// The stable name of the kind of failure.
  let code: String
  /// A sentence with the failure and its reason.
  let message: String
  /// A sentence or a command with the next step.
  var hint: String?
  /// The document or file concerned; empty if there is none.
  var path = ""
  /// More lines for a person, as they are.
  var details: String?

  init(
    _ status: ExitStatus, code: String, _ message: String, hint: String? = nil, path: String = "",
    details: String? = nil
  ) {
    self.status = status
    self.code = code
    self.message = message
    self.hint = hint
    self.path = path
    self.details = details
  }

  /// Returns the failure of a file whose name, shown in a readable form, no document can have.
  static func invalidName(
    _ shown: String, _ flaw: String = "is not valid UTF-8"
  ) -> CommandFailure {
    CommandFailure(
      .refused, code: FileError.Code.invalidName.rawValue,
      "The name “\(shown)” \(flaw); rename it first.", path: shown)
  }

  /// Returns the failure of a folder that can’t be read.
  static func unreadable(_ shown: String) -> CommandFailure {
    CommandFailure(
      .refused, code: FileError.Code.notPermitted.rawValue,
      "The folder “\(shown)” can’t be read; nothing in it was saved.", path: shown)
  }

  /// The message, and the hint if there is one.
  var sentences: String { message + (hint.map { " \($0)" } ?? "") }

  /// True if a signal stopped the program, which isn't an error.
  var isInterruption: Bool { [.interrupted, .hungUp, .terminated].contains(status) }
}

/// `{"error": {"code", "hint", "message", "path"}}`, on standard error.
struct FailureAnswer: Encodable {
  let error: FailureReport

  init(_ failure: CommandFailure) {
    error = FailureReport(failure)
  }
}

/// `{"code", "hint", "message", "path"}`: a failure in every JSON answer.
struct FailureReport: Encodable {
  let code: String
  @Nullable var hint: String?
  let message: String
  let path: String

  init(_ failure: CommandFailure) {
    code = failure.code
    hint = failure.hint
    message = failure.message
    path = failure.path
  }
}
