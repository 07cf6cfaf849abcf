/// Matches the members of lists whose ids are running numbers, if a side renumbered them.
struct RenumberedMembers<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>
  let members: MergeSides<[Int]>
  /// The ids of the members.
  let identities: MergeSides<[Int]>
  /// Returns the names of the parts that are the id of a member.
  let idNames: (_ tree: StructureTree, _ member: Int) -> Set<[UInt8]>

  private var comparison: MemberComparison<Format> { MemberComparison(documents: documents) }

  enum Outcome {
    /// Ids have the same meaning on all sides.
    case kept
    case matched(MemberMatching)
    /// Ids now belong to other members, and it isn't clear which members are the same.
    case doubtful
  }

  /// Matches the members by their contents if a side gave ids to other members.
  func outcome() -> Outcome {
    guard members.base != nil else { return .kept }
    let (ours, theirs) = (outcome(of: .ours), outcome(of: .theirs))
    switch (ours, theirs) {
    case (.kept, .kept): return .kept
    case (.doubtful, _), (_, .doubtful): return .doubtful
    case (.pairs, _), (_, .pairs):
      return .matched(
        MemberMatching(
          baseCount: members.base?.count ?? 0, ours: pairs(ours, of: .ours),
          theirs: pairs(theirs, of: .theirs)
        ) { own, other in
          identities.ours[own] == identities.theirs[other]
            && trees.ours.contentHash(ofMember: members.ours[own])
              == trees.theirs.contentHash(ofMember: members.theirs[other])
        })
    }
  }

  private func list(_ side: Side) -> (members: [Int], identities: [Int]) {
    switch side {
    case .base: (members.base ?? [], identities.base ?? [])
    case .ours: (members.ours, identities.ours)
    case .theirs: (members.theirs, identities.theirs)
    }
  }

  private func outcome(of side: Side) -> Renumbering.Outcome {
    let (base, new) = (list(.base), list(side))
    let (oldTree, newTree) = (tree(.base), tree(side))
    func rest(_ tree: StructureTree, _ member: Int) -> [SizedPart] {
      let names = idNames(tree, member)
      return comparison.sizedParts(of: tree, member).filter { !names.contains($0.part.name) }
    }
    func hashes(_ parts: [SizedPart]) -> [Int] { parts.map(\.part.hashValue).sorted() }
    return Renumbering(oldIDs: base.identities, newIDs: new.identities).outcome(
      isUnchanged: { oldTree[base.members[$0]].valueHash == newTree[new.members[$1]].valueHash },
      oldParts: { hashes(rest(oldTree, base.members[$0])) },
      newParts: { hashes(rest(newTree, new.members[$0])) },
      areAlike: {
        comparison.areMostlyEqual(
          [rest(oldTree, base.members[$0]), rest(newTree, new.members[$1])].map { $0.map(\.part) })
      })
  }

  private func pairs(_ outcome: Renumbering.Outcome, of side: Side) -> [Int?] {
    if case .pairs(let pairs) = outcome { return pairs }
    let old = Dictionary(
      zip(identities.base ?? [], (identities.base ?? []).indices), uniquingKeysWith: { $1 })
    return list(side).identities.map { old[$0] }
  }
}
