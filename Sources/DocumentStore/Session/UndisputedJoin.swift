internal import DocumentFiles
internal import DocumentGit

/// The version that joins heads between which nothing has to be decided.
///
/// The folder, the name and the contents are three separate parts: if each was changed on one side only, the
/// join has the changes of both sides. The version depends only on the heads, so every device makes the same
/// one.
package struct UndisputedJoin {
  /// The heads; the first has the contents.
  let parents: [Record]
  let facts: Record.Facts

  /// Joins all heads that can be joined.
  package static func joinAll(by writer: borrowing StoreWriter) throws {
    let reader = writer.reader
    while let join = try UndisputedJoin(
      among: reader.heads.divergent().map(\.record), in: reader.merging)
    {
      try writer.settle(with: join.facts, parents: join.parents)
    }
  }

  /// Finds the first heads that can be joined.
  ///
  /// - Parameter heads: all heads of a document, the current version first.
  /// - Returns: `nil` if something must be decided between any two of them.
  init?(among heads: [Record], in merging: MergeHistory) throws {
    for (index, first) in heads.enumerated() {
      let equal = heads[index...].filter { $0.isEqual(to: first) }
      if equal.count > 1 {
        self.init(of: equal, named: first.facts.path, permissions: first.facts.permissions)
        return
      }
      for second in heads.dropFirst(index + 1) {
        guard let join = try Self(of: first, and: second, in: merging) else { continue }
        self = join
        return
      }
    }
    return nil
  }

  private init?(of first: Record, and second: Record, in merging: MergeHistory) throws {
    // The user decides about a deletion, and about an imported copy.
    guard [first, second].allSatisfy({ $0.content != nil && $0.facts.kind != .importCopy }) else {
      return nil
    }
    let readings = try merging.mergeBases(of: [first.id], and: second.id)
    guard readings.count == 1, readings[0].count == 1, let base = readings[0].first else {
      return nil
    }
    let ours = try merging.changes(from: base, to: first)
    let theirs = try merging.changes(from: base, to: second)
    let haveSameContents = first.content?.isSame(as: second.content) == true
    guard haveSameContents || !ours.contents || !theirs.contents,
      let path = PathChange.merged(
        (first.facts.path, ours.path), (second.facts.path, theirs.path))
    else { return nil }
    let sides = theirs.contents && !ours.contents ? [second, first] : [first, second]
    let permissions =
      switch base.facts.permissions {
      case first.facts.permissions: second.facts.permissions
      case second.facts.permissions: first.facts.permissions
      default: RecordedPermissions.allowed(by: [first, second])
      }
    self.init(of: sides, named: path, permissions: permissions)
  }

  private init(of parents: [Record], named path: String, permissions: RecordedPermissions?) {
    var facts = parents[0].facts
    facts.kind = .join
    facts.path = path
    facts.permissions = permissions
    (facts.note, facts.from, facts.missed, facts.answers, facts.withdrawn) = (
      nil, nil, nil, nil, nil
    )
    self.parents = parents
    self.facts = facts.later(than: parents)
  }
}

extension MergeHistory {
  /// Returns the parts that were changed between two versions, even if they were changed back.
  fileprivate func changes(
    from base: Record, to side: Record
  ) throws -> (path: PathChange, contents: Bool) {
    let before = try objects.ancestry(of: [base.id])
    let way = try objects.ancestry(of: [side.id]) { record in
      try record.parents.filter {
        try before[$0] == nil && objects.isAncestor(base.id, of: $0)
      }
    }.values
    return (
      way.reduce(into: PathChange()) {
        $0.formUnion(PathChange(from: base.facts.path, to: $1.facts.path))
      },
      way.contains { $0.content?.isSame(as: base.content) != true }
    )
  }
}

extension Record {
  /// Returns whether both versions have the same document: the same content and name.
  ///
  /// The names of deletions don't count.
  fileprivate func isEqual(to other: Record) -> Bool {
    guard let content else { return other.content == nil }
    return facts.path.hasBytes(of: other.facts.path) && content.isSame(as: other.content)
  }
}
