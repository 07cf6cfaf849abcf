internal import DocumentVersions

/// The lines of a search in histories.
struct SearchListing {
  let time: ReadableTime

  /// The maximum number of lines shown for one version; further lines are only counted.
  private static let mostLines = 10

  /// Returns the versions that a search in a document found, each with its lines.
  func lines(_ report: SearchReport) -> [String] {
    var table = Table()
    for found in report.versions {
      let version = found.change.version
      table.rows.append([
        Table.Cell(version.id.short) { $0.asIdentifier },
        Table.Cell(time.text(version.modificationDate)),
        Table.Cell(version.who, room: .yielding),
        Table.Cell(version.note.map { Printable.text($0) } ?? "", room: .rest) { $0.asMuted },
      ])
    }
    var lines: [String] = []
    for (line, found) in zip(table.lines(), report.versions) {
      lines.append(line)
      lines += details(of: found.change)
    }
    if report.unsearched > 0 {
      let count = report.unsearched
      lines.append(
        "\(Wording.count(count, "version")) or members could not be searched: not on this device, or too large."
          .asMuted)
    }
    return lines
  }

  /// Returns the results of each document under its name.
  func lines(_ reports: [(document: DocumentArgument, report: SearchReport)]) -> [String] {
    reports.filter { !$0.report.versions.isEmpty }.flatMap { document, report in
      [document.shown.asPlace] + lines(report).map { "  " + $0 }
    }
  }

  private func details(of change: FoundChange) -> [String] {
    let all =
      change.removed.map { text($0, "−").asRemoved } + change.brought.map { text($0, "+").asAdded }
    let rest = all.count - Self.mostLines
    return
      (all.prefix(Self.mostLines)
      + (rest > 0 ? ["and \(Wording.count(rest, "more line"))".asMuted] : [])
      + (change.mayBeEarlier
        ? ["An earlier version whose contents are not on this device may have had it.".asMuted]
        : []))
      .map { "      " + $0 }
  }

  private func text(_ line: FoundChange.Line, _ sign: String) -> String {
    let place = line.member.isEmpty ? "" : line.member + ": "
    return "\(sign) \(place)\(TextContent.shown(line.text.utf8))"
  }
}

/// The lines or values of a text, each with the version that added it.
struct BlameListing {
  let time: ReadableTime

  func lines(_ origins: [LineOrigin]) -> [String] {
    var table = Table()
    for (number, origin) in origins.enumerated() {
      table.rows.append(
        cells(of: origin.version, mayBeEarlier: origin.mayBeEarlier) + [
          Table.Cell("\(number + 1)") { $0.asMuted },
          Table.Cell(TextContent.shown(origin.text.utf8), room: .rest),
        ])
    }
    return table.lines()
  }

  func lines(_ origins: [ValueOrigin]) -> [String] {
    var table = Table()
    for origin in origins {
      table.rows.append(
        cells(of: origin.version, mayBeEarlier: origin.mayBeEarlier) + [
          Table.Cell(Printable.text(origin.path), room: .yielding),
          Table.Cell(Printable.text(origin.text), room: .rest),
        ])
    }
    return table.lines()
  }

  private func cells(of version: FileVersion, mayBeEarlier: Bool) -> [Table.Cell] {
    [
      Table.Cell(version.id.short, gap: 0) { $0.asIdentifier },
      Table.Cell(mayBeEarlier && !version.parents.isEmpty ? "^" : " "),
      Table.Cell(time.text(version.modificationDate)) { $0.asMuted },
      Table.Cell(version.who, room: .yielding) { $0.asMuted },
    ]
  }
}
