typealias PackageMembers = [PackagePath: PackageMember]

/// The files and links of base that one side has at other paths, recognized by their contents.
///
/// If contents fit several members equally well, none is chosen, because a removed and an added member lose
/// nothing.
struct RenamedMembers {
  /// The paths on the side, by the paths in base.
  private(set) var places: [PackagePath: PackagePath] = [:]
  /// The paths at which the side has contents that base has elsewhere, in place of another member.
  ///
  /// This happens if members were exchanged, if one was renamed to the name of another, or if pages were
  /// renumbered.
  private var replaced: Set<PackagePath> = []
  /// The changed members whose contents the side has at the path of a member that it moved further on.
  ///
  /// Either a page was inserted before them, or they were edited and their earlier contents kept.
  private var pushedOn: Set<PackagePath> = []

  private let removed: Set<PackagePath>
  private let added: Set<PackagePath>
  /// The new paths of moved members.
  private var taken: Set<PackagePath> = []

  /// - Parameter readingContents: Whether members with changed contents are also found.
  init(from base: PackageMembers, to side: PackageMembers, readingContents: Bool) throws {
    removed = Set(base.filter { $0.value.isLeaf && side[$0.key]?.isLeaf != true }.keys)
    added = Set(side.filter { $0.value.isLeaf && base[$0.key]?.isLeaf != true }.keys)
    let changed = side.filter { path, member in
      guard member.isLeaf, let old = base[path], old.isLeaf else { return false }
      return Content(old) != Content(member)
    }
    if !changed.isEmpty {
      let known = Set(base.values.lazy.filter(\.isLeaf).map { Content($0) })
      replaced = Set(changed.filter { known.contains(Content($0.value)) }.keys)
    }
    guard !removed.isEmpty && !added.isEmpty || !replaced.isEmpty else { return }
    let open = try pairEqual(base, side)
    let moved = Set(replaced.filter { places[$0] != nil }.map { Content(side[$0]) })
    pushedOn = Set(changed.keys.filter { moved.contains(Content(base[$0])) }).subtracting(replaced)
    if readingContents {
      try pairExchanged(Set(changed.keys).subtracting(replaced), base, side)
      try pairSimilar(open, base, side)
    }
  }

  /// Returns whether the side may have a different member at the path of one.
  func isUnclear(_ path: PackagePath) -> Bool {
    places[path] == nil && !taken.contains(path)
      && (replaced.contains(path) || pushedOn.contains(path))
  }

  /// True if there may be such members.
  var hasUnclear: Bool { !replaced.isEmpty }

  /// Returns the path at which the side has a member of base; `nil` if it lacks the member.
  func place(of old: PackagePath, in side: PackageMembers) -> PackagePath? {
    if let new = places[old] { return new }
    return side[old]?.isLeaf == true && !taken.contains(old) ? old : nil
  }

  /// Finds members that both sides removed at the paths where the other side has them, if this side added
  /// something there.
  ///
  /// One side's change of the contents may be small, and the other's large.
  mutating func complete(
    by other: RenamedMembers, _ base: PackageMembers, _ side: PackageMembers
  ) throws {
    func isFound(_ old: PackagePath, _ new: PackagePath) throws -> Bool {
      guard places[old] == nil, !taken.contains(new), base[old]?.isFile == side[new]?.isFile else {
        return false
      }
      let isGone = removed.contains(old) || taken.contains(old)
      let isNew = added.contains(new) || places[new] != nil
      if isGone && isNew { return true }
      // Both sides exchanged the members, and one changed them as well.
      guard Content(base[old]) != Content(side[old]), Content(base[new]) != Content(side[new])
      else { return false }
      return try Content(base[old]) == Content(side[new]) || isRather(old, at: new, base, side)
    }
    while true {
      // Each found member may free the path of others.
      let found = try other.places.filter { try isFound($0.key, $0.value) }
      if found.isEmpty { return }
      for (old, new) in found { take(old, new) }
    }
  }

  /// Leaves a member at its path in base.
  mutating func forget(_ old: PackagePath) {
    if let new = places.removeValue(forKey: old) { taken.remove(new) }
  }

  private mutating func take(_ old: PackagePath, _ new: PackagePath) {
    places[old] = new
    taken.insert(new)
  }

  private typealias Open = (removed: [PackagePath], added: [PackagePath])

  /// - Returns: The members without equal ones.
  private mutating func pairEqual(_ base: PackageMembers, _ side: PackageMembers) throws -> Open {
    func contents(_ paths: Set<PackagePath>, _ members: PackageMembers) -> [Content: [PackagePath]]
    {
      Dictionary(grouping: paths) { Content(members[$0]) }
    }
    var open = (removed, added)
    let new = contents(added.union(replaced), side)
    for (content, paths) in contents(removed.union(replaced), base) {
      guard let others = new[content], try base[paths[0]]?.isEmpty == false else { continue }
      for (old, new) in Self.pairs(paths, others) { take(old, new) }
      // If equal contents leave it unclear, comparing lines doesn't help either.
      open.0.subtract(paths)
      open.1.subtract(others)
    }
    return (open.0.sorted(), open.1.sorted())
  }

  /// Pairs members with equal contents: the only two, or those with the same name that have most of the names
  /// before it in common.
  private static func pairs(
    _ old: [PackagePath], _ new: [PackagePath]
  ) -> [(PackagePath, PackagePath)] {
    if old.count == 1, new.count == 1 { return [(old[0], new[0])] }
    let (olds, news) = (
      Dictionary(grouping: old, by: \.lastName), Dictionary(grouping: new, by: \.lastName)
    )
    return olds.flatMap { name, olds -> [(PackagePath, PackagePath)] in
      guard let news = news[name], olds.count * news.count <= mostPairs else { return [] }
      return olds.compactMap { old in
        guard let new = old.nearest(of: news), new.nearest(of: olds) == old else { return nil }
        return (old, new)
      }
    }
  }

  /// The maximum number of bytes read of exchanged members, for each two.
  private static let mostBytes = 16 << 20

  /// The maximum number of compared pairs of equal members.
  private static let mostPairs = 10_000

  /// Pairs two members that the side exchanged while it changed one of them: the contents at the other path
  /// are more like this member than like the other one.
  private mutating func pairExchanged(
    _ changed: Set<PackagePath>, _ base: PackageMembers, _ side: PackageMembers
  ) throws {
    let news = Dictionary(grouping: replaced) { Content(side[$0]) }
    for old in changed.sorted() {
      guard let found = news[Content(base[old])], found.count == 1, let new = found.first,
        places[new] == nil, !taken.contains(new), !taken.contains(old),
        try isRather(new, at: old, base, side)
      else { continue }
      take(old, new)
      take(new, old)
    }
  }

  /// Returns whether the side's contents at a path are more like another member than like the one that base
  /// has there.
  private func isRather(
    _ other: PackagePath, at path: PackagePath, _ base: PackageMembers, _ side: PackageMembers
  ) throws -> Bool {
    guard let new = try MemberFile(path, side), let old = try MemberFile(path, base),
      let other = try MemberFile(other, base), new.size + old.size + other.size <= Self.mostBytes
    else { return false }
    let print = try new.contentPrint()
    return try print.similarity(to: other.contentPrint()) > print.similarity(to: old.contentPrint())
  }

  private mutating func pairSimilar(
    _ open: Open, _ base: PackageMembers, _ side: PackageMembers
  ) throws {
    func files(_ paths: [PackagePath], _ members: PackageMembers) throws -> [MemberFile] {
      try paths.compactMap { try MemberFile($0, members) }
    }
    try MergeCancellation.check()
    let (old, new) = (try files(open.removed, base), try files(open.added, side))
    for pair in try SimilarFiles(old, new, takesAnyOfEqual: false).pairs {
      take(old[pair.old].path, new[pair.new].path)
    }
  }

  /// The contents of members, regardless of their executable bits.
  private enum Content: Hashable {
    case file(String)
    case link([UInt8])
    case none

    init(_ member: PackageMember?) {
      switch member {
      case .file(let file): self = .file(file.identity)
      case .symbolicLink(let target): self = .link(target)
      case .folder, nil: self = .none
      }
    }
  }

  private struct MemberFile: PossiblyRenamedFile {
    let path: PackagePath
    let size: Int
    private let file: PackageFile

    init?(_ path: PackagePath, _ members: PackageMembers) throws {
      guard case .file(let file)? = members[path] else { return nil }
      self.path = path
      self.file = file
      size = try file.size ?? file.read().count
    }

    var isChunked: Bool { false }
    var lastName: ArraySlice<UInt8> { path.lastName }

    func contentPrint() throws -> ContentPrint { ContentPrint(try file.read()) }
  }
}

extension PackageMember {
  /// True if the member is a file or a link.
  var isLeaf: Bool { self != .folder }

  var isFile: Bool {
    if case .file = self { true } else { false }
  }

  /// True if the contents are empty, so that nothing identifies them.
  fileprivate var isEmpty: Bool {
    get throws {
      guard case .file(let file) = self else { return false }
      return try file.size.map { $0 == 0 } ?? file.read().isEmpty
    }
  }
}

extension PackagePath {
  /// Returns the path that shares most of its last names; `nil` if there are several.
  fileprivate func nearest(of others: [PackagePath]) -> PackagePath? {
    let names = names.reversed()
    let common = others.map { zip(names, $0.names.reversed()).prefix { $0 == $1 }.count }
    guard let most = common.max(), let index = common.firstIndex(of: most),
      common.lastIndex(of: most) == index
    else { return nil }
    return others[index]
  }
}
