internal import DocumentVersions

extension SaveReport {
  /// The line for a person.
  ///
  /// - Parameter hasNote: true if the user gave a note.
  func line(for file: DocumentArgument, hasNote: Bool, isDryRun: Bool) -> String {
    guard let version = version?.version else {
      return "Would save \(file.shown) · its first version"
    }
    guard isNew else {
      let note = hasNote ? " · no version was made, and the note was not kept" : ""
      return "\(file.shown) is unchanged · \(version.shown)\(note)"
    }
    if isDryRun { return "Would save \(file.shown) · it follows \(version.shown)" }
    return "Saved \(file.shown) · \(version.shown) · \(Wording.size(version.size))"
  }
}
