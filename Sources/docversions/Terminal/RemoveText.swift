internal import DocumentVersions

extension RemoveReport {
  /// The lines for a person.
  ///
  /// - Parameter isCounted: whether the line only says how many versions there are.
  func lines(for file: DocumentArgument, isCounted: Bool, isDryRun: Bool) -> [String] {
    let verb = isDryRun ? "Would remove" : "Removed"
    let now = version.map { "; current is \($0.version.shown)" } ?? ""
    let names = versions.shown(orCountIf: isCounted)
    let line = "\(verb) \(names) of \(file.shown) from this device\(now)."
    return versions.isEmpty || isDryRun ? [line] : [line, file.undoLine]
  }
}
