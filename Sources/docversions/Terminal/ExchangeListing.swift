internal import DocumentVersions
internal import Foundation

/// An exchange, as lines.
struct ExchangeListing {
  let documents: [ExchangeReport.Document]

  /// The listing counts more documents with nothing new instead of naming them.
  private static let mostWithNothingNew = 10

  var lines: [String] {
    let unchangedCount = documents.count(where: \.hasNothingNew)
    let isShort = unchangedCount > Self.mostWithNothingNew
    var table = Table()
    table.rows = documents.filter { !(isShort && $0.hasNothingNew) }.compactMap(row)
    var lines = table.lines()
    if isShort {
      lines.append("\(Wording.count(unchangedCount, "document")) with nothing new".asMuted)
    }
    lines += documents.compactMap { move(of: $0.exchange) }
    if documents.isEmpty { lines.append("No documents to exchange.") }
    let open = documents.filter { $0.exchange.unresolvedConflicts > 0 }.map {
      DocumentArgument($0.exchange.document).word
    }
    if !open.isEmpty {
      lines.append(
        "Look at the conflicts:  ".asMuted + "docversions conflicts \(open.joined(separator: " "))")
    }
    return lines
  }

  private func row(_ document: ExchangeReport.Document) -> [Table.Cell]? {
    let exchange = document.exchange
    let isUnchanged = exchange.received + exchange.sent == 0
    // The failure of what was only left out has its own lines.
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

  /// The line on a document that the exchange moved; nil for any other.
  private func move(of exchange: DocumentExchange) -> String? {
    guard let former = exchange.formerDocument else { return nil }
    let place = DocumentArgument(exchange.document)
    let isTaken = documents.contains { $0.exchange.document.path.hasBytes(of: former.path) }
    let name = DocumentArgument(former).shown
    return isTaken
      ? "Two documents were called \(name): this one is “\(place.shown)” now."
      : "\(name) is \(place.shown) now."
  }
}
