internal import DocumentVersions
internal import Foundation

/// Found documents, as lines.
struct FindListing: Sendable {
  let time: ReadableTime

  /// Returns a line for each document: its path in a pipe, and also its properties on a terminal.
  func lines(_ found: [DocumentMetadata]) -> [String] {
    guard Console.isTerminal else { return found.map { DocumentArgument($0.url).shown } }
    guard !found.isEmpty else { return ["No document fits."] }
    return lines(found.map { ("", $0) })
  }

  /// Returns a line for each difference, with a sign before it.
  func lines(_ update: DocumentQuery.Update) -> [String] {
    let signed =
      update.removed.map { ("−", $0) } + update.added.map { ("+", $0) }
      + update.changed.map { ("~", $0) }
    guard Console.isTerminal else {
      return signed.map { "\($0.0) \(DocumentArgument($0.1.url).shown)" }
    }
    return lines(signed)
  }

  private func lines(_ signed: [(sign: String, document: DocumentMetadata)]) -> [String] {
    var table = Table()
    for (sign, document) in signed {
      table.rows.append([
        Table.Cell(sign, gap: 1),
        Table.Cell(DocumentArgument(document.url).shown, room: .yielding),
        Table.Cell(Wording.size(document.size)) { $0.asMuted },
        Table.Cell(time.text(document.contentChangeDate)) { $0.asMuted },
        Table.Cell(Self.marks(of: document).joined(separator: ", ")) { $0.asOpen },
      ])
    }
    return table.lines()
  }

  private static func marks(of document: DocumentMetadata) -> [String] {
    var marks: [String] = []
    if document.hasUnresolvedConflicts { marks.append("in conflict") }
    if document.downloadingStatus == .notDownloaded { marks.append("not downloaded") }
    if let state = document.editState, state != .unchanged { marks.append(state.rawValue) }
    return marks
  }
}
