internal import DocumentVersions
internal import Foundation

/// An exchange, as lines.
struct ExchangeListing {
  let report: ExchangeReport
  /// True if commands for conflicts are suggested; false if the conflicts are merged next.
  var hasHints = true

  private var documents: [ExchangeReport.Document] { report.documents }

  var lines: [String] {
    var table = Table()
    let isLong = documents.count > Self.mostListed
    table.rows = documents.filter { !isLong || $0.exchange.unresolvedConflicts > 0 }
      .compactMap(row)
    var lines = table.lines()
    lines += documents.flatMap { moves(of: $0.exchange) }
    lines += documents.compactMap(\.exchange.warning)
    lines.append(summary)
    if let arriving { lines.append(arriving) }
    let open = documents.filter { $0.exchange.unresolvedConflicts > 0 }
      .map { DocumentArgument($0.exchange.document) }
    let hint = HintLine.text("Look at the conflicts", "conflicts", open, inFolder: "conflicts")
    return lines + (hasHints ? hint.map { [$0] } ?? [] : [])
  }

  /// The maximum number of listed documents; of more, only those in conflict are listed, and the last line
  /// counts the others.
  private static let mostListed = 20

  /// The amounts sent and received.
  private var summary: String {
    let parts = [("Sent", report.sent), ("received", report.received)]
      .filter { $1.versions > 0 }
      .map { word, amount in
        """
        \(word) \(Wording.count(amount.versions, "version")) of \(Wording.count(amount.documents, "document")) \
        (\(Wording.size(amount.bytes)))
        """
      }
    guard !parts.isEmpty else { return "Nothing new to send or receive.".asMuted }
    let text = parts.joined(separator: ", ")
    return text.prefix(1).uppercased() + text.dropFirst() + "."
  }

  /// The line about versions that have not arrived; `nil` if everything has.
  private var arriving: String? {
    let late = documents.filter(\.exchange.isArriving).map {
      DocumentArgument($0.exchange.document).shown
    }
    let names = (report.arriving + late).joined(separator: ", ")
    return names.isEmpty
      ? nil : "Still arriving: \(names). Exchange again when the folder is up to date."
  }

  private func row(_ document: ExchangeReport.Document) -> [Table.Cell]? {
    let exchange = document.exchange
    let isUnchanged = exchange.received + exchange.sent == 0
    // The failure of a document that was only left out has its own lines.
    if exchange.failure != nil, isUnchanged { return nil }
    let conflicts = exchange.unresolvedConflicts
    let news =
      isUnchanged ? "nothing new" : "\(exchange.received) received, \(exchange.sent) sent"
    return [
      Table.Cell(DocumentArgument(exchange.document).shown, room: .yielding),
      Table.Cell(news) { isUnchanged ? $0.asMuted : $0 },
      Table.Cell(conflicts > 0 ? Wording.count(conflicts, "unresolved conflict") : "") {
        $0.asOpen
      },
    ]
  }

  /// Returns the lines about a document that the exchange renamed; none for any other.
  private func moves(of exchange: DocumentExchange) -> [String] {
    let place = DocumentArgument(exchange.document)
    guard let former = exchange.ownPlace ?? exchange.formerDocument,
      former.path != exchange.document.path
    else { return [] }
    let isNew = exchange.ownPlace != nil
    // Of two documents that changed places, only the one with a number has given way.
    let taker =
      hasNumber(exchange.document, besides: former)
      ? documents.map(\.exchange.document).first {
        $0.path.lowercased() == former.path.lowercased()
      } : nil
    let other = DocumentArgument(taker ?? former)
    guard isNew || taker != nil else { return ["\(other.shown) is \(place.shown) now."] }
    return [
      """
      Two documents without contents in common are called \(other.shown): the one \
      \(isNew ? "that arrived" : "from here") is “\(place.shown)” now.
      """,
      "If they are one:  ".asMuted + "docversions join \(other.word) \(place.word)",
    ]
  }

  private func hasNumber(_ place: URL, besides other: URL) -> Bool {
    place.deletingLastPathComponent().path == other.deletingLastPathComponent().path
      && ContainerPath.unnumbered(place.lastPathComponent) == other.lastPathComponent
  }
}
