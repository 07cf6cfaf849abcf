internal import DocumentVersions
internal import Foundation

/// The items that are left out of documents and of new files, as lines.
struct IgnoredListing {
  let reports: [IgnoredReport]

  var lines: [String] {
    guard !reports.isEmpty else { return ["Nothing is ignored."] }
    var table = Table()
    for report in reports {
      table.rows.append([
        Table.Cell("  " + shown(report.file), room: .yielding),
        Table.Cell(reason(for: report)) { $0.asMuted },
      ])
    }
    return ["\(reports.count) ignored:"] + table.lines()
  }

  private func reason(for report: IgnoredReport) -> String {
    if let rule = report.rule {
      return "“\(Printable.text(rule))” \(report.list.map { "in \(shown($0))" } ?? "by default")"
    }
    switch report.item.reason {
    case .conflictedCopy: return "a conflicted copy; adopt takes it in"
    case .ownVersions: return "keeps its own versions"
    case .repository: return "has a repository in it"
    case .madeByPrograms: return "a folder that programs fill"
    case .databasePart: return "a part of a database; saved with it"
    case .invalidName: return "its name is not valid UTF-8; rename it"
    case .unreadable: return "a folder that can’t be read"
    case nil: return "no part of its document"
    }
  }

  private func shown(_ path: String) -> String { DocumentArgument(URL(filePath: path)).shown }
}
