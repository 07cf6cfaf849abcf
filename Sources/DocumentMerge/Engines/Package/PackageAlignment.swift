/// The members of the three sides, each at its path in the result, so that they can be merged by path.
///
/// A renamed member is at its new path on all sides. If it can't be there, because a file is where a folder
/// must be, it doesn't count as renamed: it is one removed and one added member.
struct PackageAlignment {
  let sides: MergeSides<PackageMembers>
  /// The members whose path isn't clear, or isn't the same on all sides, by their path in the result.
  private(set) var moved: [PackagePath: AlignedMember] = [:]

  init(_ sides: MergeSides<PackageMembers>, _ labels: MergeLabels) throws {
    guard let base = sides.base, sides.ours != base || sides.theirs != base else {
      self.sides = sides
      return
    }
    var search = try PackageRenames(sides, base)
    while !search.isEmpty {
      var arrangement = Arrangement(search.members(), sides)
      guard arrangement.impossible.isEmpty else {
        search.forget(arrangement.impossible)
        continue
      }
      arrangement.makeRoom(labels)
      self.sides = MergeSides(
        base: arrangement.members(of: base, \.base),
        ours: arrangement.members(of: sides.ours, going: search.folders.theirs, \.ours),
        theirs: arrangement.members(of: sides.theirs, going: search.folders.ours, \.theirs))
      record(arrangement.all)
      return
    }
    self.sides = sides
    if search.hasUnclear { record(search.members()) }
  }

  private mutating func record(_ members: [AlignedMember]) {
    for member in members
    where member.isMoved || member.crowdedOut != nil || member.unclearBy != nil {
      moved[member.place] = member
    }
  }
}

/// The renames of both sides.
private struct PackageRenames {
  private let sides: MergeSides<PackageMembers>
  private let base: PackageMembers
  private var ours: RenamedMembers
  private var theirs: RenamedMembers
  let folders: AlignedMember.Folders
  /// The members that were added to a renamed folder and can't move with it.
  private var staying: Set<PackagePath> = []
  private var rounds = 0

  /// True if nothing was renamed.
  var isEmpty: Bool { ours.places.isEmpty && theirs.places.isEmpty }
  /// True if a side may have other members in place of those of base.
  var hasUnclear: Bool { ours.hasUnclear || theirs.hasUnclear }

  init(_ sides: MergeSides<PackageMembers>, _ base: PackageMembers) throws {
    self.sides = sides
    self.base = base
    // A side's changes are taken unread if the other side changed nothing.
    let isTwoSided = sides.ours != base && sides.theirs != base
    ours = try RenamedMembers(from: base, to: sides.ours, readingContents: isTwoSided)
    theirs = try RenamedMembers(from: base, to: sides.theirs, readingContents: isTwoSided)
    let found = (ours, theirs)
    try ours.complete(by: found.1, base, sides.ours)
    try theirs.complete(by: found.0, base, sides.theirs)
    folders = AlignedMember.Folders(
      ours: RenamedFolders(from: base, to: sides.ours, members: ours.places),
      theirs: RenamedFolders(from: base, to: sides.theirs, members: theirs.places))
  }

  /// Returns all members of all sides, with the paths of each member joined.
  func members() -> [AlignedMember] {
    var members: [AlignedMember] = []
    for (path, member) in base where member.isLeaf {
      var aligned = AlignedMember(
        base: path, ours: ours.place(of: path, in: sides.ours),
        theirs: theirs.place(of: path, in: sides.theirs), folders)
      aligned.unclearBy =
        ours.isUnclear(path) ? .ours : theirs.isUnclear(path) ? .theirs : nil
      members.append(aligned)
    }
    func added(
      _ side: PackageMembers, _ place: (AlignedMember) -> PackagePath?
    ) -> Set<PackagePath> {
      Set(side.filter(\.value.isLeaf).keys).subtracting(members.compactMap(place))
    }
    let (byOurs, byTheirs) = (added(sides.ours, \.ours), added(sides.theirs, \.theirs))
    for path in byOurs.union(byTheirs) {
      members.append(
        AlignedMember(
          ours: byOurs.contains(path) ? path : nil, theirs: byTheirs.contains(path) ? path : nil,
          added: path, folders, isStaying: staying.contains(path)))
    }
    return members
  }

  /// Treats members as not renamed, because they can't be at their new paths.
  mutating func forget(_ impossible: [AlignedMember]) {
    rounds += 1
    // Each round may reveal members that another one hid; few rounds are needed.
    let all = rounds < 10 ? impossible : members().filter(\.isMoved)
    for member in all {
      if let path = member.base {
        ours.forget(path)
        theirs.forget(path)
      } else {
        staying.formUnion([member.ours, member.theirs].compactMap(\.self))
      }
    }
  }
}
