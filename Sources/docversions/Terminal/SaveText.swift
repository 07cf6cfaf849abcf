internal import DocumentVersions

extension SaveReport {
  /// The lines for a person.
  ///
  /// - Parameter hasNote: true if the user gave a note.
  func lines(for file: DocumentArgument, hasNote: Bool, isDryRun: Bool) -> [String] {
    let line = line(for: file, hasNote: hasNote, isDryRun: isDryRun)
    guard let missed = missed?.version else { return [line] }
    let what =
      missed.isDeletion
      ? "It was deleted in the meantime (\(missed.shown))"
      : "It shows nothing of \(missed.shown), which was written over it in the meantime"
    let result =
      isDryRun
      ? "it would be saved as made from the version before, in conflict with that one."
      : "it is saved as made from the version before, in conflict with that one."
    var lines = [line, "\(what); \(result)"]
    if !isDryRun {
      lines += [
        "Merge both:  ".asMuted + "docversions resolve --ask \(file.word)",
        "If you meant to take it back:  ".asMuted
          + "docversions resolve --keep \(version?.version.id.short ?? "current") \(file.word)",
      ]
    }
    return lines
  }

  private func line(for file: DocumentArgument, hasNote: Bool, isDryRun: Bool) -> String {
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
