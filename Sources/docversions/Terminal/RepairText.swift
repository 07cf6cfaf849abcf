internal import DocumentVersions

/// The repair of a store, as lines.
struct RepairText {
  let file: DocumentArgument
  /// The exchange folder from which lost contents are restored.
  let source: DocumentArgument?
  /// True if the repair puts lost versions beside the others.
  let findsLost: Bool

  func lines(_ report: RepairReport) -> [String] {
    let name = file.shown
    guard !report.steps.isEmpty || !report.losses.isEmpty else {
      return ["\(name)  \("nothing to repair".asGood)"]
    }
    let count = Wording.count(report.steps.count, "step")
    let state =
      report.steps.isEmpty
      ? "can’t be repaired from here".asError
      : report.repaired ? "\(count) done" : "\(count) would be done"
    var lines = ["\(name)  \(state)"]
    lines += report.steps.map { "  \($0.message)" }
    lines += report.losses.map { "  \("lost:".asError) \($0.message)" }
    if let backup = report.backup {
      lines.append("  \("As it was before:".asMuted)  \(Printable.text(backup))")
    }
    if !report.losses.isEmpty {
      lines.append("  Another device may have what is lost; a disk that flips bits will again.")
      if source == nil {
        lines.append("  To take it from there, add --from and the folder for exchange.")
      }
    }
    let noVersions = Verification.Finding.Code.noVersions.rawValue
    if report.losses.contains(where: { $0.code == noVersions }) {
      lines.append(
        "  \("If its first save was interrupted:".asMuted)  docversions save \(file.word)")
    }
    if !report.repaired, !report.steps.isEmpty {
      lines.append("  \("Do it:".asMuted)  docversions doctor --repair\(choices) \(file.word)")
    }
    return lines
  }

  /// The options that select the repairs, in their typed form.
  private var choices: String {
    (source.map { " --from \($0.word)" } ?? "") + (findsLost ? " --find-lost" : "")
  }
}

extension CheckReport {
  /// The line for a person.
  var line: String {
    let state = passed ? "ok".asGood : "NO".asError
    let detail = detail.isEmpty ? "" : "  \(Printable.text(detail))".asMuted
    return "\(state)  \(Printable.text(name))\(detail)"
  }
}
