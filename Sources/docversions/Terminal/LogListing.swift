internal import DocumentVersions
internal import Foundation

/// The lines of a log, with the graph beside them on a terminal.
struct LogListing {
  let history: DocumentHistory
  let time: ReadableTime

  /// The maximum number of members that are named for each version.
  private static let mostMembers = 20

  private let former: FormerPaths

  init(history: DocumentHistory, time: ReadableTime) {
    self.history = history
    self.time = time
    former = FormerPaths(history.versions)
  }

  /// Returns the lines of a report on versions of the history.
  func lines(_ report: LogReport) -> [String] {
    var graph = Console.isTerminal ? VersionGraph(history) : nil
    var table = Table()
    // The lines below each row.
    var details: [[String]] = []
    var savers = SaverTexts()
    func add(_ cells: [Table.Cell], _ lines: [String] = []) {
      table.rows.append(cells)
      details.append(lines)
    }
    for logged in report.versions {
      let version = logged.version
      let row = graph?.next(version)
      let summary = logged.summary ?? .unknown
      if let joins = row?.joins { add([Table.Cell(joins)]) }
      let members = memberLines(of: version, summary)
      let below = row?.below ?? ""
      let isForked = row?.forks != nil
      let details = members.map { indented($0, beside: below) }
      let cells = cells(version, node: row?.node, who: savers.text(of: version), summary)
      add(cells, isForked ? [] : details)
      if let forks = row?.forks { add([Table.Cell(forks)], details) }
    }
    var lines: [String] = []
    lines.reserveCapacity(details.count)
    for (row, details) in zip(table.rowLines(), details) { lines += row + details }
    return lines
  }

  private func memberLines(
    of version: FileVersion, _ summary: ChangeSummary
  ) -> [String] {
    guard let members = summary.members else { return [] }
    return StatListing(stats: members, document: Printable.text(version.localizedName))
      .lines(limit: Self.mostMembers)
  }

  private func indented(_ line: String, beside graph: String) -> String {
    graph + String(repeating: " ", count: max(1, 6 - graph.columns)) + line
  }

  private func cells(
    _ version: FileVersion, node: String?, who: String, _ summary: ChangeSummary
  ) -> [Table.Cell] {
    let isOpen = version.isConflict && !version.isResolved
    var cells: [Table.Cell] = []
    cells.reserveCapacity(4)
    if let node { cells.append(Table.Cell(node, gap: 1, style: isOpen ? { $0.asOpen } : nil)) }
    cells.append(Table.Cell(version.id.short) { $0.asIdentifier })
    cells.append(Table.Cell(time.text(version.modificationDate)))
    cells.append(Table.Cell(who, room: .yielding))
    let marks = marks(version, isUnreadable: summary.isUnreadable).joined(separator: ", ")
    let remark = former.remark(version)
    let counts = summary.counts?.text ?? ""
    // Most versions need no more text.
    guard !(marks.isEmpty && remark.isEmpty && counts.isEmpty) else { return cells }
    cells.append(Table.Cell(counts) { $0.asMuted })
    let style: (String) -> String =
      isOpen ? { $0.asOpen } : version.isCurrent ? { $0.asGood } : { $0.asMuted }
    cells.append(Table.Cell(marks, style: style))
    cells.append(Table.Cell(remark, room: .rest))
    return cells
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
}

/// The paths that documents had before they were renamed, as far as a list of versions shows.
struct FormerPaths {
  private let paths: [FileVersion.ID: String]
  /// The resolutions of conflicts that were undone.
  private let undone: Set<FileVersion.ID>

  init(_ versions: [FileVersion]) {
    let former = Set(versions.filter { $0.kind == .undo }.compactMap(\.parents.first))
    undone =
      former.isEmpty
      ? [] : Set(versions.filter { former.contains($0.id) && $0.parents.count > 1 }.map(\.id))
    let wanted = Set(versions.filter { $0.kind == .rename }.compactMap(\.parents.first))
    paths =
      wanted.isEmpty
      ? [:]
      : Dictionary(
        versions.filter { wanted.contains($0.id) }.map { ($0.id, $0.path) },
        uniquingKeysWith: { first, _ in first })
  }

  /// Returns the kind of version, unless it is a save, and the note.
  func remark(_ version: FileVersion) -> String {
    [kind(of: version), version.note.map { Printable.text($0) }]
      .compactMap { $0 }.joined(separator: ": ")
  }

  private func kind(of version: FileVersion) -> String? {
    switch version.kind {
    // This comes first, because most are saves.
    case .save: nil
    case .restore: "restored"
    case .merge: "merged"
    case .resolve: "resolved"
    case .join: "joined"
    case .delete: "deleted"
    case .rename where isMove(version): "moved to \(Printable.text(version.path))"
    case .rename: "renamed to \(Printable.text(version.localizedName))"
    case .move: "moved here"
    case .add: "added"
    case .importCopy: "imported"
    // The version is a side of the conflict, with its author.
    case .undo where version.parents.first.map(undone.contains) == true: "open again"
    case .undo: "undone"
    case .remove: "removed from every device"
    default: nil
    }
  }

  private func isMove(_ version: FileVersion) -> Bool {
    version.parents.first.flatMap { paths[$0] }.map { !version.hasFolder(of: $0) } ?? false
  }
}

extension FileVersion {
  /// Returns whether the document was in the folder of a path in its container.
  func hasFolder(of path: String) -> Bool {
    ContainerPath.folder(of: self.path).hasBytes(of: ContainerPath.folder(of: path))
  }
}

/// The authors and devices of versions as text, which is usually the same for successive versions.
private struct SaverTexts {
  private var last: (author: String, device: String, text: String)?

  mutating func text(of version: FileVersion) -> String {
    // Bytes: as texts, two ways to compose a character are equal.
    if let last, last.author.hasBytes(of: version.author),
      last.device.hasBytes(of: version.savingDevice)
    {
      return last.text
    }
    let text = version.who
    last = (version.author, version.savingDevice, text)
    return text
  }
}
