internal import DocumentVersions

extension ImportReport.Copy {
  /// Returns the line for a person.
  func line(for file: DocumentArgument, from copy: DocumentArgument, isDryRun: Bool) -> String {
    guard isNew else { return "\(copy.shown) has nothing new." }
    let verb = isDryRun ? "Would import" : "Imported"
    let details = version.map { " · \($0.version.shown) · \($0.version.who)" } ?? ""
    return "\(verb) \(copy.shown) into \(file.shown)\(details)"
  }
}

extension ImportReport {
  /// Returns the lines about merging the changes of copies whose base wasn't named.
  func baseHint(
    for file: DocumentArgument, from copies: [DocumentArgument], isDryRun: Bool
  ) -> [String] {
    guard self.copies.contains(where: \.isNew) else { return [] }
    guard !isDryRun else {
      return [
        "Name the version that the copies were made from, if you know it:  ".asMuted
          + "--base VERSION"
      ]
    }
    let names = self.copies.compactMap(\.version).map(\.version.id.short).joined(separator: " ")
    let words = copies.map(\.word).joined(separator: " ")
    return [
      "Their changes can only be merged from the version that they were made from.",
      "If you know its identifier, adopt them again:",
      "  docversions mark-resolved \(file.word) \(names)",
      "  docversions remove \(file.word) \(names)",
      "  docversions import-copies --base VERSION \(file.word) \(words)",
    ]
  }
}
