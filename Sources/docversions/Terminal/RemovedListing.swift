internal import DocumentVersions

/// Removed versions that can be restored, as lines.
struct RemovedListing {
  let file: DocumentArgument
  let time: ReadableTime

  func lines(_ versions: [FileVersion]) -> [String] {
    guard let newest = versions.first else {
      return ["No removed version of \(file.shown) can be brought back."]
    }
    var table = Table()
    table.rows = versions.map { version in
      [
        Table.Cell(version.id.short) { $0.asIdentifier },
        Table.Cell(time.text(version.modificationDate)),
        Table.Cell(version.who, room: .yielding),
        Table.Cell(Wording.size(version.size)) { $0.asMuted },
        Table.Cell(version.note.map { Printable.text($0) } ?? "", room: .rest),
      ]
    }
    return table.lines()
      + [
        "Bring the newest back:  ".asMuted + "docversions undelete \(file.word) \(newest.id.short)"
      ]
  }
}
