/// Members at the paths where they should be, where some may meet others.
struct Arrangement {
  private(set) var all: [AlignedMember]
  private let sides: MergeSides<PackageMembers>
  private var numbers: [PackagePath: [Int]] = [:]

  init(_ members: [AlignedMember], _ sides: MergeSides<PackageMembers>) {
    self.sides = sides
    all = members
    numbers = Dictionary(grouping: all.indices) { all[$0].place }
    removeReplaced()
    joinEqual()
  }

  /// The moved members that can't be at their paths.
  ///
  /// A member can't be at a path that must be a folder, or that goes through a file. More than two members,
  /// or two that one side put there, can't be at one path.
  var impossible: [AlignedMember] {
    var folders: Set<PackagePath> = []
    func take(_ path: PackagePath) {
      for folder in path.ancestors where !folders.insert(folder).inserted { break }
    }
    for member in all { take(member.place) }
    for side in sides.all {
      for (path, member) in side where member == .folder {
        folders.insert(path)
        take(path)
      }
    }
    return all.filter { member in
      guard member.isMoved else { return false }
      if folders.contains(member.place) { return true }
      if member.place.ancestors.contains(where: { numbers[$0] != nil }) { return true }
      let here = numbers[member.place] ?? []
      return here.count > 1 && !isMeeting(here)
    }
  }

  /// Removes a member that one side lacks and neither side changed, if a side put another member at its path.
  private mutating func removeReplaced() {
    let here = numbers.values.filter { $0.count > 1 }.joined()
    remove(
      Set(
        here.filter { number in
          let member = all[number]
          let isDeleted = member.ours == nil || member.theirs == nil
          return member.base == member.place && isDeleted && contents(of: member).count == 1
        }))
  }

  private mutating func remove(_ gone: Set<Int>) {
    guard !gone.isEmpty else { return }
    all = all.indices.filter { !gone.contains($0) }.map { all[$0] }
    numbers = Dictionary(grouping: all.indices) { all[$0].place }
  }

  /// Joins equal members at one path, if both sides added them, or if one side added what the other side
  /// renamed.
  private mutating func joinEqual() {
    var gone: Set<Int> = []
    for pair in numbers.values where pair.count == 2 {
      let (first, second) = (all[pair[0]], all[pair[1]])
      let contents = contents(of: first)
      guard contents.count == 1, contents == self.contents(of: second), isMeeting(pair),
        let extra = pair.first(where: { all[$0].base == nil })
      else { continue }
      if first.base == nil, second.base == nil {
        all[pair[0] + pair[1] - extra] = AlignedMember(joining: first, second)
      }
      gone.insert(extra)
    }
    remove(gone)
  }

  /// Returns whether the members are one that ours put at a path and one that theirs put there.
  private func isMeeting(_ members: [Int]) -> Bool {
    members.count == 2 && Set(members.map { all[$0].namedBy }) == [[.ours], [.theirs]]
  }

  /// Returns the different contents that the sides have for a member.
  private func contents(of member: AlignedMember) -> [PackageMember] {
    let all = [
      member.base.flatMap { sides.base?[$0] }, member.ours.flatMap { sides.ours[$0] },
      member.theirs.flatMap { sides.theirs[$0] },
    ].compactMap(\.self)
    return all.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// Gives a free name to the member of theirs if two members are at one path, and a second path to members
  /// that both sides renamed.
  mutating func makeRoom(_ labels: MergeLabels) {
    var names = FreeNames()
    for member in all { names.take(member.place) }
    for side in sides.all {
      for (path, member) in side where member == .folder { names.takeFolder(path) }
    }
    for (place, pair) in numbers.sorted(by: { $0.key < $1.key }) where pair.count == 2 {
      let isFirstOurs = all[pair[0]].namedBy == [.ours]
      let (ours, theirs) = isFirstOurs ? (pair[0], pair[1]) : (pair[1], pair[0])
      let free = names.free(place, for: labels.theirs)
      names.take(free)
      all[theirs].place = free
      all[ours].crowdedOut = free
    }
    let twice = all.indices.filter { all[$0].isRenamedTwice }
    for number in twice.sorted(by: { all[$0].place < all[$1].place }) {
      guard let theirs = all[number].theirs else { continue }
      let other = names.isFree(theirs) ? theirs : names.free(all[number].place, for: labels.theirs)
      names.take(other)
      all[number].alternative = other
    }
  }

  /// Returns the members of one side at the paths where they are merged; new empty folders move with the
  /// folders that the other side renamed.
  func members(
    of side: PackageMembers, going renamed: RenamedFolders? = nil,
    _ path: (AlignedMember) -> PackagePath?
  ) -> PackageMembers {
    var members: PackageMembers = [:]
    for (path, member) in side where member == .folder {
      let isNew = sides.base?[path] == nil
      let place = isNew ? renamed?.place(of: path) ?? path : path
      let isFree = numbers[place] == nil && !place.ancestors.contains { numbers[$0] != nil }
      members[isFree ? place : path] = .folder
    }
    for member in all {
      if let path = path(member) { members[member.place] = side[path] }
    }
    return members
  }
}
