internal import DocumentVersions

extension RestoreReport {
  /// Returns the lines for a person about a version that was restored in place.
  func lines(for file: DocumentArgument, _ time: ReadableTime, isDryRun: Bool) -> [String] {
    var lines = keptEdits.map { [file.keptLine($0.version)] } ?? []
    let restored = restored.version
    let time = "\(time.text(restored.modificationDate)) (\(restored.shown))"
    let name = memberOf + file.shown
    if isDryRun {
      lines.append("Would restore \(name) as of \(time)")
    } else if let version, isNew || member == nil {
      lines.append("\(name) is now as of \(time) · \(version.version.shown)")
    } else {
      lines.append("\(name) is the same as of \(time) already.")
    }
    return isDryRun || !isNew ? lines : lines + [file.undoLine]
  }

  /// Returns the line for a person about a version that was written elsewhere.
  func line(for file: DocumentArgument, to place: DocumentArgument, isDryRun: Bool) -> String {
    let verb = isDryRun ? "Would write" : "Wrote"
    return "\(verb) \(memberOf)\(file.shown) (\(restored.version.shown)) to \(place.shown)"
  }

  /// "pages/1.txt of "; empty for the whole document.
  private var memberOf: String { member.map { "\(Printable.text($0)) of " } ?? "" }
}
