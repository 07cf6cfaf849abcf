internal import DocumentFiles
internal import DocumentGit

/// Finds the members that differ between two contents.
///
/// Folders with the same id are equal and aren't read, so the cost depends only on the changes.
struct MemberWalk {
  /// A member that differs; one of the two may be nil.
  typealias Pair = (before: LocatedMember?, after: LocatedMember?)

  /// Members that differ, and have the same place in both contents.
  private(set) var changed: [Pair] = []
  /// Members of the old content whose place is free in the new one: files, links, and whole folders.
  private(set) var removed: [LocatedMember] = []
  /// Members of the new content whose place is free in the old one.
  private(set) var added: [LocatedMember] = []

  /// Compares two contents; nil stands for an empty one.
  init(from old: LocatedMember?, to new: LocatedMember?) throws {
    switch (old, new) {
    case (let old?, let new?): try compare(old, new)
    case (let old?, nil) where old.member.hasMembers: removed = try old.members()
    case (nil, let new?) where new.member.hasMembers: added = try new.members()
    default: changed = old == nil && new == nil ? [] : [(old, new)]
    }
  }

  private mutating func compare(_ old: LocatedMember, _ new: LocatedMember) throws {
    guard !old.member.isSame(as: new.member) else { return }
    guard old.member.isFolder, new.member.isFolder else {
      // A folder is reported member by member. A document that becomes a folder, or stops being one, is a
      // separate change.
      if old.member.hasMembers || new.member.hasMembers, !new.path.isEmpty {
        removed.append(old)
        added.append(new)
      } else {
        changed.append((old, new))
      }
      return
    }
    var (rest, others) = (try old.members()[...], try new.members()[...])
    while let first = rest.first, let other = others.first {
      if first.member.name == other.member.name {
        try compare(first, other)
        rest.removeFirst()
        others.removeFirst()
      } else if first.member.name.lexicographicallyPrecedes(other.member.name) {
        removed.append(rest.removeFirst())
      } else {
        added.append(others.removeFirst())
      }
    }
    removed += rest
    added += others
  }
}

/// Added or removed members, including everything in folders.
struct MemberInventory {
  /// A folder, and the range of the members below that are in it.
  struct Folder {
    let located: LocatedMember
    let depth: Int
    fileprivate(set) var members: Range<Int>
  }

  /// Files, links and empty folders, in byte order of their paths.
  private(set) var members: [LocatedMember] = []
  /// The folders around them, outermost first.
  private(set) var folders: [Folder] = []
  /// The members without a partner so far, by their indices in ``members``.
  var open: Set<Int> = []

  init(_ roots: [LocatedMember]) throws {
    for root in roots { try add(root, depth: 0) }
    folders.sort {
      $0.depth != $1.depth
        ? $0.depth < $1.depth : $0.located.path.lexicographicallyPrecedes($1.located.path)
    }
    open = Set(members.indices)
  }

  /// The open members, in their order.
  var openMembers: [Int] { open.sorted() }

  /// Returns the number of files and links in a folder.
  func count(in folder: Folder) -> Int {
    folder.members.count { !members[$0].member.isFolder }
  }

  private mutating func add(_ located: LocatedMember, depth: Int) throws {
    let inner = located.member.isFolder ? try located.members() : []
    guard !inner.isEmpty else { return members.append(located) }
    let start = members.count
    for member in inner { try add(member, depth: depth + 1) }
    folders.append(Folder(located: located, depth: depth, members: start..<members.count))
  }
}
