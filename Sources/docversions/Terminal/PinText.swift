internal import DocumentVersions

/// Pinned or unpinned versions, as lines.
struct PinText {
  let file: DocumentArgument
  /// True if the versions were pinned, false if they were unpinned.
  let isPinning: Bool
  let isDryRun: Bool

  /// - Parameter versions: the versions before the change.
  func lines(_ versions: [FileVersion]) -> [String] {
    let changed = versions.filter { $0.isPinned != isPinning }
    let same = versions.filter { $0.isPinned == isPinning }
    var lines: [String] = []
    if !changed.isEmpty {
      let done = isPinning ? "Pinned" : "Unpinned"
      let verb = isDryRun ? "Would have \(done.lowercased())" : done
      lines.append("\(verb) \(names(changed)).")
    }
    if !same.isEmpty {
      let verb = same.count == 1 ? "is" : "are"
      lines.append("\(names(same)) \(verb) \(isPinning ? "pinned already" : "not pinned").")
    }
    return lines
  }

  private func names(_ versions: [FileVersion]) -> String {
    "\(Wording.list(versions.map(\.shown))) of \(file.shown)"
  }
}
