internal import DocumentVersions

/// How much of a member differs: lines of a text, bytes of everything else.
struct MemberStat {
  let change: MemberChange
  /// Nil for what is no text, or is too large to be counted.
  let lines: LineCounts?

  /// Counts what differs.
  ///
  /// - Parameter limit: larger files are not read.
  init(
    _ difference: MemberDifference, limit: Int,
    read: (PackageMemberInfo, () throws -> [UInt8]?) throws -> [UInt8]? = { try $1() }
  ) throws {
    change = difference.change
    let isCounted =
      !change.isOtherKind && !change.isFolder && !change.isLink && change.isContentChanged
    guard isCounted else {
      lines = nil
      return
    }
    // The newer side first: what is read last is asked for again as the newer side of the version before.
    let after =
      try change.after.map { info in
        try read(info) { try difference.bytesAfter(upTo: limit) }
      } ?? []
    let before =
      try change.before.map { info in
        try read(info) { try difference.bytesBefore(upTo: limit) }
      } ?? []
    guard let before, let after, let old = TextContent(before), let new = TextContent(after) else {
      lines = nil
      return
    }
    lines = LineCounts(old.changes(to: new))
  }

  /// What follows the name.
  var text: String {
    if let lines { return [lines.text, change.modeRemark ?? ""].joinedWords }
    if change.isOtherKind || change.isFolder { return change.kindRemark }
    if change.isLink { return "link" }
    guard change.isContentChanged else { return change.modeRemark ?? "" }
    let sizes = [change.before, change.after].compactMap { $0.map { Wording.size($0.bytes) } }
    return [sizes.joined(separator: " → "), change.modeRemark ?? ""].joinedWords
  }
}

/// The members that differ between two contents, as lines.
struct StatListing {
  let stats: [MemberStat]
  /// What stands for the document itself.
  let document: String

  /// One line a member, and a total.
  ///
  /// - Parameter limit: how many members are named.
  func lines(limit: Int = .max) -> [String] {
    var table = Table()
    for stat in stats.prefix(limit) {
      let line = "\(stat.change.sign) \(stat.change.name(of: document))"
      table.rows.append([
        Table.Cell(line, style: stat.change.styled), Table.Cell(stat.text) { $0.asQuiet },
      ])
    }
    var lines = table.lines(width: .max)
    if stats.count > limit { lines.append("and \(stats.count - limit) more".asQuiet) }
    if let total { lines.append(total.asQuiet) }
    return lines
  }

  /// "3 members changed  +10 −2"; nil where there is nothing to add up.
  private var total: String? {
    guard stats.contains(where: { !$0.change.path.isEmpty }) else { return nil }
    let members = stats.reduce(0) { $0 + $1.change.memberCount }
    let counts = LineCounts(
      added: stats.reduce(0) { $0 + ($1.lines?.added ?? 0) },
      removed: stats.reduce(0) { $0 + ($1.lines?.removed ?? 0) })
    return ["\(Wording.count(members, "member")) changed", counts.text].joinedWords
  }
}

/// `{"bytesAfter", "bytesBefore", "change", "former", "kind", "linesAdded", "linesRemoved", "member", "members"}`:
/// sizes, null where there is nothing; added, removed, changed or renamed; the path before, where it was another
/// one; file, executable, link or folder; counts of lines, null for what is no text; the path, null for the
/// document itself; files in a renamed folder.
struct StatJSON: Encodable {
  let change: MemberChange.Kind
  @Nullable var member: String?
  @Nullable var former: String?
  let kind: String
  let members: Int
  @Nullable var bytesBefore: Int?
  @Nullable var bytesAfter: Int?
  @Nullable var linesAdded: Int?
  @Nullable var linesRemoved: Int?

  init(_ stat: MemberStat) {
    let change = stat.change
    self.change = change.kind
    member = change.path.isEmpty ? nil : change.path
    former = change.formerPath
    kind = (change.after ?? change.before)?.kind ?? "file"
    members = change.memberCount
    bytesBefore = change.before?.bytes
    bytesAfter = change.after?.bytes
    linesAdded = stat.lines?.added
    linesRemoved = stat.lines?.removed
  }
}

extension [String] {
  /// Those that say something, with two spaces between them.
  fileprivate var joinedWords: String {
    filter { !$0.isEmpty }.joined(separator: "  ")
  }
}
