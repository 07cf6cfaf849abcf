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
    let clean = documents.filter(\.report.mergesCleanly).map(\.file)
    let open = documents.filter { !$0.report.mergesCleanly }.map(\.file)
    let hints = [
      HintLine.text(
        "Resolve what merges cleanly", "resolve --merge", clean, inFolder: "resolve --merge"),
      HintLine.text(
        "Answer the remaining questions", "resolve --ask", open, inFolder: "resolve --ask"),
    ]
    return table.lines() + hints.compactMap(\.self)
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
