internal import DocumentGit

/// Pairs the removed and added members that are the same ones under another name.
///
/// It first pairs equal objects, folders before their contents, and then similar contents.
struct RenameSearch {
  private(set) var removed: MemberInventory
  private(set) var added: MemberInventory
  /// Members and whole folders, with the number of their files and links.
  private(set) var renamed: [(before: LocatedMember, after: LocatedMember, count: Int)] = []

  /// - Parameter readingContents: whether contents are compared in addition to ids.
  init(
    removed: [LocatedMember], added: [LocatedMember], readingContents: Bool
  ) throws {
    self.removed = try MemberInventory(removed)
    self.added = try MemberInventory(added)
    guard !removed.isEmpty, !added.isEmpty else { return }
    pairFolders()
    pairEqual()
    if readingContents { try pairSimilar() }
  }

  /// Pairs folders with the same tree, with which all their members are renamed.
  private mutating func pairFolders() {
    let candidates = Dictionary(grouping: added.folders) { $0.located.member.id }
    for old in removed.folders {
      // Folders with the same last name come first; they are already outermost first.
      let equal = candidates[old.located.member.id] ?? []
      let isNamesake = { (folder: MemberInventory.Folder) in
        folder.located.lastName == old.located.lastName
      }
      let ordered = equal.filter(isNamesake) + equal.filter { !isNamesake($0) }
      let count = removed.count(in: old)
      let open = added.open
      guard count > 0, removed.open.isSuperset(of: old.members),
        let new = ordered.first(where: { open.isSuperset(of: $0.members) })
      else { continue }
      removed.open.subtract(old.members)
      added.open.subtract(new.members)
      renamed.append((old.located, new.located, count))
    }
  }

  /// Pairs members with the same object and mode: first those with the same last name, then the others in the
  /// order of their paths.
  private mutating func pairEqual() {
    func byObject(_ inventory: MemberInventory) -> [ComparedMember.Key: [Int]] {
      Dictionary(
        grouping: inventory.openMembers.filter { !inventory.members[$0].member.isEmpty }
      ) { inventory.members[$0].member.key }
    }
    let old = byObject(removed)
    for (key, new) in byObject(added) {
      guard let old = old[key] else { continue }
      var namesakes = Dictionary(grouping: old) { removed.members[$0].lastName }
      var rest: [Int] = []
      for index in new {
        let name = added.members[index].lastName
        guard let partner = namesakes[name]?.first else {
          rest.append(index)
          continue
        }
        namesakes[name]?.removeFirst()
        pair(partner, index)
      }
      for (partner, index) in zip(old.filter(removed.open.contains), rest) { pair(partner, index) }
    }
  }

  private mutating func pairSimilar() throws {
    let old = removed.openMembers.filter { removed.members[$0].member.isFile }
    let new = added.openMembers.filter { added.members[$0].member.isFile }
    let search = try SimilarMembers(
      old.map { removed.members[$0] }, new.map { added.members[$0] })
    for (before, after) in search.pairs { pair(old[before], new[after]) }
  }

  private mutating func pair(_ old: Int, _ new: Int) {
    removed.open.remove(old)
    added.open.remove(new)
    renamed.append((removed.members[old], added.members[new], 1))
  }
}
