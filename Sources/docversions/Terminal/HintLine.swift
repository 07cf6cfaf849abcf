/// Lines with a command to paste, behind what it is for.
enum HintLine {
  /// The most documents that one line names: a command of a thousand names is neither read nor always run.
  private static let mostNames = 20

  /// The line with a command for documents; nil without any.
  ///
  /// - Parameters:
  ///   - words: what the command is for, as "Save what was edited".
  ///   - command: the command and its options.
  ///   - end: follows the documents.
  static func text(
    _ words: String, _ command: String, _ documents: [DocumentArgument], _ end: String = ""
  ) -> String? {
    guard !documents.isEmpty else { return nil }
    let named = documents.prefix(mostNames)
    let part = named.count < documents.count ? " (\(named.count) of \(documents.count))" : ""
    let names = named.map(\.word).joined(separator: " ")
    return "\(words)\(part):  ".asMuted + "docversions \(command) \(names)\(end)"
  }
}
