/// The names of elements, also of those that a side gave an identifier, or took it away, and left where they were.
///
/// An element is called by its identifier, or else by its tag, so that it would be another one without it.
struct InPlaceNames<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>

  private var comparison: MemberComparison<Format> { MemberComparison(documents: documents) }

  /// The names of the members that have one; those that base has, if a side only changed the name.
  func names(of sides: MergeSides<(StructureTree, [Int])>) -> MergeSides<[[UInt8]]> {
    let names = sides.map { tree, members in members.compactMap { tree.givenName(of: $0) } }
    guard let base = sides.base, let old = names.base, old.count == base.1.count,
      !base.1.isEmpty
    else { return names }
    return MergeSides(
      base: old, ours: self.names(names.ours, of: sides.ours, from: old, of: base),
      theirs: self.names(names.theirs, of: sides.theirs, from: old, of: base))
  }

  private func names(
    _ names: [[UInt8]], of side: (tree: StructureTree, members: [Int]), from old: [[UInt8]],
    of base: (tree: StructureTree, members: [Int])
  ) -> [[UInt8]] {
    // Only where nothing came or went is it clear which element stands where another one was.
    guard names.count == side.members.count, names.count == old.count, names != old else {
      return names
    }
    let (known, own) = (Set(old), Set(names))
    return names.indices.map { index in
      let (name, before) = (names[index], old[index])
      let isGiven = isIdentified(name) && !isIdentified(before) && !known.contains(name)
      let isTaken = !isIdentified(name) && isIdentified(before) && !own.contains(before)
      guard isGiven || isTaken else { return name }
      let identified = isGiven ? name : before
      let attribute = [UInt8(ascii: "@")] + identified.prefix { $0 != UInt8(ascii: "=") }
      let parts = [(base.tree, base.members[index]), (side.tree, side.members[index])].map {
        comparison.parts(of: $0, $1).filter { $0.name != attribute }
      }
      return comparison.areMostlyEqual(parts) ? before : name
    }
  }

  private func isIdentified(_ name: [UInt8]) -> Bool { name.contains(UInt8(ascii: "=")) }
}
