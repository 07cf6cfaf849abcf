internal import DocumentVersions

/// The differing members of two contents, as lines.
struct StatListing {
  let stats: [MemberStat]
  /// The name of the document itself.
  let document: String

  /// Returns one line per member, and a total.
  ///
  /// - Parameter limit: the maximum number of named members.
  func lines(limit: Int = .max) -> [String] {
    var table = Table()
    for stat in stats.prefix(limit) {
      let line = "\(stat.change.sign) \(stat.change.name(of: document))"
      table.rows.append([
        Table.Cell(line, style: stat.change.styled), Table.Cell(stat.shown) { $0.asMuted },
      ])
    }
    var lines = table.lines(width: .max)
    if stats.count > limit { lines.append("and \(stats.count - limit) more".asMuted) }
    if let total { lines.append(total.asMuted) }
    return lines
  }

  /// A total such as "3 members changed +10 −2"; `nil` if there is nothing to add up.
  private var total: String? {
    guard stats.contains(where: { !$0.change.path.isEmpty }) else { return nil }
    let members = stats.reduce(0) { $0 + $1.change.memberCount }
    let counts = LineCounts(
      added: stats.reduce(0) { $0 + ($1.lines?.added ?? 0) },
      removed: stats.reduce(0) { $0 + ($1.lines?.removed ?? 0) })
    return ["\(Wording.count(members, "member")) changed", counts.text].joinedWords
  }
}

extension MemberStat {
  /// The text after the name.
  fileprivate var shown: String {
    if let lines { return [lines.text, change.modeRemark ?? ""].joinedWords }
    if change.isOtherKind || change.isFolder { return change.kindRemark }
    if change.isLink { return "link" }
    guard change.isContentChanged else { return change.modeRemark ?? "" }
    let sizes = [change.before, change.after].compactMap { $0.map { Wording.size($0.bytes) } }
    return [sizes.joined(separator: " → "), change.modeRemark ?? ""].joinedWords
  }
}

extension MemberChange {
  /// The first character of its line.
  var sign: String {
    switch kind {
    case .added: "+"
    case .removed: "−"
    case .changed: "~"
    case .renamed: "→"
    }
  }

  /// Returns the name, with the former one.
  ///
  /// - Parameter document: the name for the document itself.
  func name(of document: String) -> String {
    let slash = memberCount > 1 || isFolder ? "/" : ""
    let name = path.isEmpty ? document : path + slash
    guard let formerPath, !formerPath.isEmpty else { return name }
    return "\(formerPath)\(slash) → \(name)"
  }

  /// The line's colour.
  func styled(_ line: String) -> String {
    switch kind {
    case .added: line.asAdded
    case .removed: line.asRemoved
    case .changed, .renamed: line.asPlace
    }
  }
}

extension [String] {
  /// The nonempty texts, with two spaces between them.
  fileprivate var joinedWords: String {
    filter { !$0.isEmpty }.joined(separator: "  ")
  }
}
