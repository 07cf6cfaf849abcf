internal import DocumentVersions

/// The amount of differences in a member: lines of a text, bytes of everything else.
struct MemberStat {
  let change: MemberChange
  /// The counts of lines; nil for files that aren't text or are too large.
  let lines: LineCounts?

  /// Counts the differences.
  ///
  /// - Parameter limit: the maximum size of files that are read.
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
    // The newer side comes first, because the previous version needs the older side again.
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
}

/// `{"bytesAfter", "bytesBefore", "change", "former", "kind", "linesAdded", "linesRemoved", "member", "members"}`:
/// sizes, null if there is no file; added, removed, changed or renamed; the former path, if it was different;
/// file, executable, link or folder; counts of lines, null for files that aren't text; the path, null for the
/// document itself; files in a renamed folder.
struct StatReport: Encodable {
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
