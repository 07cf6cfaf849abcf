internal import DocumentVersions
internal import Foundation

/// The status of a folder's watcher, as lines.
struct WatchStatusText {
  let folder: DocumentArgument
  /// The status; nil if no watcher watches the folder.
  let status: WatchStatus?
  /// The documents in conflict in the folder.
  let conflicts: [URL]
  let time: ReadableTime

  var lines: [String] {
    guard let status else {
      return ["Nothing keeps \(folder.shown).", "  docversions watch \(folder.word)"] + questions
    }
    let pause = PauseArgument(seconds: Int(status.pause))
    var lines = [
      "\(folder.shown) is kept since \(time.text(status.since)) (process \(status.process)).",
      "  A version is made when editing pauses for \(pause).",
      "  \(Wording.count(status.versions, "version")) made\(latest)"
        + (status.adopted > 0
          ? "; \(status.adopted) conflicted \(status.adopted == 1 ? "copy" : "copies") adopted"
          : "")
        + (status.deleted > 0 ? "; \(Wording.count(status.deleted, "deletion")) recorded" : "")
        + toSave,
    ]
    if status.isMissing {
      lines.append("  It is not there, or its disk is not mounted; waiting until it is back.")
    }
    if status.isPolling {
      lines.append("  Not every change in it is reported; it is looked through from time to time.")
    }
    for (name, exchanges) in status.remotes.sorted(by: { $0.key < $1.key }) {
      let last = exchanges.last.map { "synced \(time.text($0))" } ?? "not synced yet"
      let failure = exchanges.failure.map { "; \(Printable.text($0))" } ?? ""
      lines.append("  \(Printable.text(name)): \(last)\(failure)")
    }
    lines += questions
    for failure in status.failures {
      let place = failure.document.map { "\(DocumentArgument(URL(filePath: $0)).shown): " } ?? ""
      lines.append("  \(time.text(failure.date))  \(place)\(Printable.text(failure.message))")
    }
    return lines
  }

  private var latest: String {
    status.flatMap(\.lastVersion).map { ", the latest \(time.text($0))" } ?? ""
  }

  private var toSave: String {
    guard let count = status?.toSave, count > 0 else { return "" }
    return "; \(Wording.count(count, "document")) to save"
  }

  private var questions: [String] {
    var lines: [String] = []
    if !conflicts.isEmpty {
      let count = Wording.count(conflicts.count, "document")
      lines.append("  \(count) in conflict:  docversions conflicts \(folder.word)")
    }
    for copy in status?.copies ?? [] {
      lines.append("  A copy takes a decision:  docversions adopt --ask \(ShellWord.path(copy))")
    }
    return lines
  }
}
