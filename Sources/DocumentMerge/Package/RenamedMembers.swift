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

  /// Pairs members of equal contents: the only two, or those that have the most last names in common.
  private static func pairs(
    _ old: [PackagePath], _ new: [PackagePath]
  ) -> [(PackagePath, PackagePath)] {
    if old.count == 1, new.count == 1 { return [(old[0], new[0])] }
    let ends = Dictionary(grouping: new) { $0.lastName }
    var best: [PackagePath: PackagePath] = [:]
    func fitting(_ path: PackagePath, _ others: [PackagePath]) -> PackagePath? {
      let ranked = others.map { ($0, path.commonNames(with: $0)) }.sorted { $0.1 > $1.1 }
      guard let first = ranked.first, ranked.dropFirst().first?.1 != first.1 else { return nil }
      return first.0
    }
    let starts = Dictionary(grouping: old) { $0.lastName }
    for path in old { best[path] = fitting(path, ends[path.lastName] ?? []) }
    return best.compactMap { old, new in
      fitting(new, starts[new.lastName] ?? []) == old ? (old, new) : nil
    }
  }

  private mutating func pairSimilar(
    _ open: Open, _ base: PackageMembers, _ side: PackageMembers
  ) throws {
    func files(_ paths: [PackagePath], _ members: PackageMembers) throws -> [MemberFile] {
      try paths.compactMap { path in
        guard case .file(let file)? = members[path] else { return nil }
        return try MemberFile(path, file)
      }
    }
    try Task.checkCancellation()
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
  /// How many of the last names are the same.
  fileprivate func commonNames(with other: PackagePath) -> Int {
    zip(names.reversed(), other.names.reversed()).prefix { $0 == $1 }.count
  }
}
