internal import DocumentVersions
internal import Foundation

/// The lines of a log: on a terminal with the graph beside them.
struct LogListing {
  let history: DocumentHistory
  let moment: Moment
  let store: VersionStore

  func lines(_ versions: [FileVersion]) throws -> [String] {
    try store.loadingContents(of: history.document) { load in
      table(of: versions, load: load).lines()
    }
  }

  private func table(
    of versions: [FileVersion], load: (FileVersion) throws -> VersionContents
  ) -> Table {
    var table = Table()
    var changes = ChangeSummaries(history)
    var graph = VersionGraph(history.versions)
    for version in versions {
      let row = Console.isTerminal ? graph.next(version) : nil
      if let joins = row?.joins { table.rows.append([Table.Cell(joins)]) }
      table.rows.append(
        cells(version, node: row?.node ?? "", changes.summary(of: version, load: load)))
      if let forks = row?.forks { table.rows.append([Table.Cell(forks)]) }
    }
    return table
  }

  private func cells(
    _ version: FileVersion, node: String, _ summary: ChangeSummaries.Summary
  ) -> [Table.Cell] {
    let marks = marks(version, isUnreadable: summary == .unreadable).joined(separator: ", ")
    let isOpen = version.isConflict && !version.isResolved
    return [
      Table.Cell(node, gap: 1) { isOpen ? $0.asOpen : $0 },
      Table.Cell(version.id.short) { $0.asIdentifier },
      Table.Cell(moment.text(version.modificationDate)),
      Table.Cell(version.who),
      Table.Cell(summary.text) { $0.asQuiet },
      Table.Cell(marks) { isOpen ? $0.asOpen : version.isCurrent ? $0.asGood : $0.asQuiet },
      Table.Cell(remark(version)),
    ]
  }

  private func marks(_ version: FileVersion, isUnreadable: Bool) -> [String] {
    var marks: [String] = []
    if version.isCurrent { marks.append("current") }
    if version.isConflict {
      marks.append(version.isResolved ? "conflict, resolved" : "conflict, unresolved")
    }
    if version.isPinned { marks.append("pinned") }
    if isUnreadable { marks.append("damaged") }
    if !version.hasLocalContents && !version.isDeletion { marks.append("not on this device") }
    return marks
  }

  /// What happened, where it was more than saving, and what the person said.
  private func remark(_ version: FileVersion) -> String {
    [version.kind.remark(for: version), version.note.map { Printable.text($0) }]
      .compactMap { $0 }.joined(separator: ": ")
  }
}

extension VersionKind {
  fileprivate func remark(for version: FileVersion) -> String? {
    switch self {
    case .restore: "restored"
    case .merge: "merged"
    case .resolve: "resolved"
    case .join: "joined"
    case .delete: "deleted"
    case .rename: "renamed to \(Printable.text(version.localizedName))"
    case .add: "added"
    case .importCopy: "imported"
    case .undo: "undone"
    default: nil
    }
  }
}
