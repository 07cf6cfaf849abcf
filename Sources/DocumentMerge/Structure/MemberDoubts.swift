/// Why a place in a list is asked about that one side alone changed.
struct MemberDoubt {
  /// A sentence for a person.
  let explanation: String
  /// Whether it is about the place only, so that lines may know better.
  let isPositional: Bool

  /// What stands there may belong to what is around it.
  static let place = MemberDoubt(
    explanation:
      "Both sides changed the list in this place, differently, and nothing tells its members apart.",
    isPositional: true)
  /// Each side kept what the other one removed.
  static let removal = MemberDoubt(
    explanation: "Each side removed another one of equal members.", isPositional: false)
}

extension [TextRegion] {
  /// The regions in which a side removed nothing but what the other one removed elsewhere.
  ///
  /// Of what stood there twice, both still have one, and perhaps it is one that both removed.
  /// - Parameter content: What an element of base says.
  func removedByEach(_ content: (_ element: Int) -> Int) -> Set<Int> {
    func removed(by kind: MergeDecision.Kind) -> [(region: Int, contents: Set<Int>)] {
      indices.filter { self[$0].kind == kind && self[$0].shrinks }
        .map { ($0, Set(self[$0].base.map(content))) }
    }
    let (ours, theirs) = (removed(by: .ours), removed(by: .theirs))
    guard !ours.isEmpty, !theirs.isEmpty else { return [] }
    func all(_ regions: [(region: Int, contents: Set<Int>)]) -> Set<Int> {
      regions.reduce(into: []) { $0.formUnion($1.contents) }
    }
    let (byOurs, byTheirs) = (all(ours), all(theirs))
    return Set(
      ours.filter { $0.contents.isSubset(of: byTheirs) }.map(\.region)
        + theirs.filter { $0.contents.isSubset(of: byOurs) }.map(\.region))
  }
}

extension TextRegion {
  /// Whether the side that changed it left less there than was.
  fileprivate var shrinks: Bool { (kind == .theirs ? theirs : ours).count < base.count }
}
