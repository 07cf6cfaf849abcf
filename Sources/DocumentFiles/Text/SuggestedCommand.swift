/// A command that leads on after an error, on the document that the error is about: whoever knows how the person named
/// that can make a line to paste of it.
package struct SuggestedCommand: Sendable {
  /// What it is for, as words before a colon.
  private let purpose: String
  /// The command, with the options that go before the document.
  private let command: String
  /// What goes behind the document, as words of a shell.
  private let rest: String

  /// Makes one; see ``line(for:)``.
  package init(_ purpose: String, _ command: String, then rest: String = "") {
    self.purpose = purpose
    self.command = command
    self.rest = rest
  }

  /// The line to paste, behind what it is for.
  ///
  /// - Parameter document: the document, as it is called where the line is pasted.
  package func line(for document: String) -> String {
    let path = document.hasPrefix("-") ? "./" + document : document
    let end = rest.isEmpty ? "" : " " + rest
    return "\(purpose):  docversions \(command) \(ShellWord.quoted(path))\(end)"
  }
}
