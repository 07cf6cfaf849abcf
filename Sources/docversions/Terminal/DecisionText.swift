internal import DocumentVersions

/// A decision of a merge as lines: the decision, its place, and each side's contents there.
struct DecisionText {
  /// The names of the sides; base is `nil` if there is none.
  struct Names {
    let base: String?
    let ours, theirs: String
  }

  let lines: [String]

  init(_ decision: MergeDecision, _ names: Names?) {
    let heading = "\(decision.place.shown.asPlace): \(Printable.text(decision.explanation))"
    guard let names else {
      lines = [heading]
      return
    }
    switch decision.kind {
    case .clash, .combined:
      lines = [heading] + Self.table(decision, names)
    case .ours, .theirs, .same:
      let new = decision.kind == .theirs ? decision.theirs : decision.ours
      lines = [heading + Self.change(from: decision.base, to: new)]
    }
  }

  /// Returns the contents of the sides, a line for each.
  private static func table(_ decision: MergeDecision, _ names: Names) -> [String] {
    guard decision.base != nil || decision.ours != nil || decision.theirs != nil else { return [] }
    var table = Table()
    if let base = names.base { table.rows.append(row(base, decision.base)) }
    table.rows.append(row(names.ours, decision.ours))
    table.rows.append(row(names.theirs, decision.theirs))
    return table.lines().map { "  " + $0 }
  }

  private static func row(_ name: String, _ text: String?) -> [Table.Cell] {
    [Table.Cell(name) { $0.asMuted }, Table.Cell(shown(text) ?? "nothing")]
  }

  /// Returns the change of a value, if a few words are enough.
  private static func change(from old: String?, to new: String?) -> String {
    func short(_ text: String?) -> String? {
      shown(text).flatMap { $0.count <= 40 && !$0.contains("⏎") ? $0 : nil }
    }
    switch (short(old), short(new)) {
    case (let old?, let new?) where old != new: return "  \(old) → \(new)".asMuted
    case (nil, let new?) where old == nil: return "  + \(new)".asMuted
    case (let old?, nil) where new == nil: return "  − \(old)".asMuted
    default: return ""
    }
  }

  /// Returns a value in one line; `nil` if there is none.
  static func shown(_ text: String?) -> String? {
    guard let text else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let shown = lines.last == "" ? lines.dropLast() : lines[...]
    let line = shown.map { TextContent.shown($0.utf8) }.joined(separator: " ⏎ ")
    return line.isEmpty ? nil : line
  }
}

extension MergePlace {
  /// The place, for a person.
  var shown: String { Printable.text(description) }
}
