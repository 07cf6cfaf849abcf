typealias PackageMembers = [PackagePath: PackageMember]

/// Which files and links of base one side has elsewhere, known by what is in them.
///
/// Where contents fit several members equally well, none is taken: a removed and an added member lose nothing.
struct RenamedMembers {
  /// Where the side has them, by where base does.
  private(set) var places: [PackagePath: PackagePath] = [:]

  private let removed: Set<PackagePath>
  private let added: Set<PackagePath>

  /// - Parameter readingContents: Whether members with changed contents are looked for too.
  init(from base: PackageMembers, to side: PackageMembers, readingContents: Bool) throws {
    removed = Set(base.filter { $0.value.isLeaf && side[$0.key]?.isLeaf != true }.keys)
    added = Set(side.filter { $0.value.isLeaf && base[$0.key]?.isLeaf != true }.keys)
    guard !removed.isEmpty, !added.isEmpty else { return }
    let open = try pairEqual(base, side)
    if readingContents { try pairSimilar(open, base, side) }
  }

  /// Takes a member that both sides removed to be where the other side has it, if this one added something there:
  /// one change of the contents can be small, and the other large.
  mutating func complete(
    by other: RenamedMembers, _ base: PackageMembers, _ side: PackageMembers
  ) {
    let taken = Set(places.values)
    for (old, new) in other.places where removed.contains(old) && added.contains(new) {
      let isOpen = places[old] == nil && !taken.contains(new)
      if isOpen, base[old]?.isFile == side[new]?.isFile { places[old] = new }
    }
  }

  /// Leaves a member where base has it.
  mutating func forget(_ old: PackagePath) { places[old] = nil }

  private typealias Open = (removed: [PackagePath], added: [PackagePath])

  /// - Returns: The members that have no equals.
  private mutating func pairEqual(_ base: PackageMembers, _ side: PackageMembers) throws -> Open {
    func contents(_ paths: Set<PackagePath>, _ members: PackageMembers) -> [Content: [PackagePath]]
    {
      Dictionary(grouping: paths) { Content(members[$0]) }
    }
    var open = (removed, added)
    let new = contents(added, side)
    for (content, paths) in contents(removed, base) {
      guard let others = new[content], try base[paths[0]]?.isEmpty == false else { continue }
      for (old, new) in Self.pairs(paths, others) { places[old] = new }
      // What is not clear is not clear by comparing lines either.
      open.0.subtract(paths)
      open.1.subtract(others)
    }
    return (open.0.sorted(), open.1.sorted())
  }

  /// Pairs members of equal contents: the only two, or those of one name that have the most names before it in
  /// common.
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

  /// No more pairs of equal members are looked at.
  private static let mostPairs = 10_000

  private mutating func pairSimilar(
    _ open: Open, _ base: PackageMembers, _ side: PackageMembers
  ) throws {
    func files(_ paths: [PackagePath], _ members: PackageMembers) throws -> [MemberFile] {
      try paths.compactMap { path in
        guard case .file(let file)? = members[path] else { return nil }
        return try MemberFile(path, file)
      }
    }
    try MergeCancellation.check()
    let (old, new) = (try files(open.removed, base), try files(open.added, side))
    for pair in try SimilarFiles(old, new, takesAnyOfEqual: false).pairs {
      places[old[pair.old].path] = new[pair.new].path
    }
  }

  /// What equal members have in common, whether they may be run or not.
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

    init(_ path: PackagePath, _ file: PackageFile) throws {
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
  /// Whether it is a file or a link.
  var isLeaf: Bool { self != .folder }

  var isFile: Bool {
    if case .file = self { true } else { false }
  }

  /// Whether there is nothing in it by which it could be known again.
  fileprivate var isEmpty: Bool {
    get throws {
      guard case .file(let file) = self else { return false }
      return try file.size.map { $0 == 0 } ?? file.read().isEmpty
    }
  }
}

extension PackagePath {
  /// The one path that has more of its last names than any other.
  fileprivate func nearest(of others: [PackagePath]) -> PackagePath? {
    let names = names.reversed()
    let common = others.map { zip(names, $0.names.reversed()).prefix { $0 == $1 }.count }
    guard let most = common.max(), let index = common.firstIndex(of: most),
      common.lastIndex(of: most) == index
    else { return nil }
    return others[index]
  }
}
