internal import DocumentVersions

/// Documents in conflict, as lines.
struct ConflictListing {
  let documents: [(file: DocumentArgument, report: ConflictReport)]
  let time: ReadableTime

  var lines: [String] {
    var table = Table()
    for (file, report) in documents {
      let versions = report.conflict.versions
      let people = versions.map { $0.whoAndWhen(time) }.joined(separator: " · ")
      table.rows.append([
        Table.Cell(file.shown, room: .yielding) { $0.asHeading },
        Table.Cell(Wording.count(versions.count, "version")) { $0.asMuted },
        Table.Cell(report.verdict) { report.mergesCleanly ? $0.asGood : $0.asOpen },
        Table.Cell(people, room: .rest),
      ])
    }
    return table.lines()
      + hint("Resolve what merges cleanly:", "--merge") { $0.mergesCleanly }
      + hint("Answer what is left:", "--ask") { !$0.mergesCleanly }
  }

  private func hint(
    _ words: String, _ flag: String, where isMeant: (ConflictReport) -> Bool
  ) -> [String] {
    let files = documents.filter { isMeant($0.report) }.map(\.file)
    guard !files.isEmpty else { return [] }
    let names = files.map(\.word).joined(separator: " ")
    return ["\(words)  ".asMuted + "docversions resolve \(flag) \(names)"]
  }
}

extension ConflictReport {
  /// The outcome of merging, as "merges cleanly" or "1 question: line 3".
  fileprivate var verdict: String {
    guard let first = questions.first else { return "merges cleanly" }
    let count = Wording.count(questions.count, "question")
    return questions.count == 1 ? "\(count): \(first.place.shown)" : count
  }
}
