internal import DocumentVersions
internal import Foundation

/// Programs that have documents open, and messages to them, for a person.
struct PresentersText {
  /// The subject of the listing; other paths are shown relative to it.
  let base: URL

  func lines(_ report: PresentersReport, _ time: ReadableTime) -> [String] {
    var table = Table()
    table.rows = report.programs.map { program in
      [
        Table.Cell(Printable.text(program.name)),
        Table.Cell("process \(program.process)") { $0.asMuted },
        Table.Cell(program.stopped ? "stopped" : "") { $0.asError },
        Table.Cell(Wording.list(program.items.map(shown)), room: .rest),
      ]
    }
    let programs =
      report.programs.isEmpty ? ["No program has anything open here.".asMuted] : table.lines()
    guard !report.messages.isEmpty else { return programs }
    var messages = Table()
    messages.rows = report.messages.map { row($0, time) }
    return programs + [""] + messages.lines()
  }

  private func row(_ message: PresentersReport.Message, _ time: ReadableTime) -> [Table.Cell] {
    let receiver = message.to.map { " → \(Printable.text($0.name)) \($0.process)" } ?? ""
    let sender = "\(Printable.text(message.from.name)) \(message.from.process)"
    let items = message.items.map(shown) + (message.target.map { ["→ " + shown($0)] } ?? [])
    return [
      Table.Cell(time.text(message.date)) { $0.asMuted },
      Table.Cell(sender + receiver),
      Table.Cell(message.kind),
      Table.Cell(items.joined(separator: " "), room: .yielding),
      Table.Cell(message.milliseconds.map { "\($0) ms" } ?? "") { $0.asMuted },
      Table.Cell(message.failure.map(Printable.text) ?? "", room: .rest) { $0.asError },
    ]
  }

  private func shown(_ path: String) -> String { DocumentArgument(URL(filePath: path)).shown }
}
