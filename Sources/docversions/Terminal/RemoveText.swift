internal import DocumentVersions

extension RemoveReport {
  /// The lines for a person.
  ///
  /// - Parameter isCounted: whether the line only has the number of versions.
  func lines(for file: DocumentArgument, isCounted: Bool, isDryRun: Bool) -> [String] {
    let verb = isDryRun ? "Would remove" : "Removed"
    let now = version.map { "; current is \($0.version.shown)" } ?? ""
    let names = versions.shown(orCountIf: isCounted)
    let place = everywhere ? "every device" : "this device"
    let line = "\(verb) \(names) of \(file.shown) from \(place)\(now)."
    guard !versions.isEmpty, !isDryRun else { return [line] }
    guard !everywhere else {
      return [
        line,
        "Other devices drop it when they exchange next. Backups, git clones and copies keep it.",
        "Free its bytes here at once:  docversions collect \(file.word) --grace 0",
      ]
    }
    let all = versions.map(\.id.short).joined(separator: " ")
    return [line, file.undoLine]
      + (isCounted
        ? []
        : ["Remove for good, on every device:  docversions remove \(file.word) \(all) --everywhere"])
  }
}
