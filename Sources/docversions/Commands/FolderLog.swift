internal import DocumentVersions
internal import Foundation

/// Lists the newest versions of all documents of a folder.
struct FolderLog {
  let store: SynchronousStore
  let isJSON: Bool
  /// The number of versions to list.
  let number: Int?

  /// The default number of versions to list.
  static let usualCount = 20

  func run(_ folder: DocumentArgument) throws {
    let documents = try DocumentSearch(store: store).documents(at: [folder])
    let most = min(number ?? Self.usualCount, 1 << 30)
    let each = EachDocument(isJSON: isJSON)
    let results = try store.showingProgress("Reading", folder.shown, isJSON: isJSON) { store in
      each.runTogether(documents) { document in
        // One more version is read, to compare the last listed one with.
        (document: document, history: try store.history(of: document.url, newest: most + 1))
      }
    }
    let all = results.values.flatMap { document, history in
      history.versions.prefix(most).map { version in
        FolderLogReport.Entry(
          document: document.absolutePath, shown: document.shown, version: version)
      }
    }
    let newest = all.sorted { $0.isListed(before: $1) }.prefix(most)
    if isJSON {
      let report = FolderLogReport(folder: folder.absolutePath, versions: Array(newest))
      try Console.print(json: report)
    } else if documents.isEmpty {
      Console.print(lines: FoldersApart.linesWithoutDocuments(at: [folder], for: "log"))
    } else {
      let rest = results.values.reduce(0) { $0 + $1.history.count } - newest.count
      Pager.begin()
      Console.print(
        lines: lines(newest, FormerPaths(results.values.flatMap(\.history.versions))))
      if Console.isTerminal, number == nil, rest > 0 {
        let count = Wording.count(rest, "earlier version")
        Console.print(
          "\(count). List more:  ".asMuted
            + "docversions log\(folder.asOperand) -n \(Self.usualCount * 5)")
      }
    }
    try results.finish()
  }

  private func lines(
    _ versions: some Sequence<FolderLogReport.Entry>, _ former: FormerPaths
  ) -> [String] {
    let time = ReadableTime(now: store.clock())
    var table = Table()
    table.rows = versions.map { entry in
      let version = entry.version
      return [
        Table.Cell(version.id.short) { $0.asIdentifier },
        Table.Cell(time.text(version.modificationDate)),
        Table.Cell(version.who, room: .yielding),
        Table.Cell(entry.shown, room: .yielding),
        Table.Cell(former.remark(version), room: .rest) { $0.asMuted },
      ]
    }
    return table.lines()
  }
}
