internal import DocumentVersions

extension ThinReport {
  /// The lines for a person.
  func lines(for file: DocumentArgument, _ time: ReadableTime, isDryRun: Bool) -> [String] {
    var table = Table()
    table.rows = outcome.decisions.map { decision in
      let version = decision.version
      return [
        Table.Cell(decision.isKept ? "keep" : "remove") { decision.isKept ? $0 : $0.asRemoved },
        Table.Cell(version.id.short) { $0.asIdentifier },
        Table.Cell(time.text(version.savingDate)),
        Table.Cell(version.who, room: .yielding),
        Table.Cell(Wording.size(version.size)) { $0.asMuted },
        Table.Cell(decision.reasons.map(\.rawValue).joined(separator: ", ")) { $0.asMuted },
      ]
    }
    let sum = """
      \(isDryRun ? "Would thin" : "Thinned") \(file.shown): \
      \(Wording.count(outcome.kept.count, "version")) kept, \(outcome.removed.count) removed from this device.
      """
    return table.lines() + [sum] + (outcome.removed.isEmpty || isDryRun ? [] : [file.undoLine])
  }
}
