extension CollectReport {
  /// The line for a person.
  func line(for file: DocumentArgument, isDryRun: Bool) -> String {
    let forgotten =
      forgotten == 0
      ? "" : " · \(Wording.count(forgotten, "removal")) can’t be undone any more"
    let (before, after) = (Wording.size(before), Wording.size(after))
    guard !isDryRun else { return "Would collect \(file.shown) · \(before)\(forgotten)" }
    return "Collected \(file.shown) · \(before), now \(after)\(forgotten)"
  }
}
