/// The names of elements, including elements to which a side added an identifier, or whose identifier it
/// removed, without moving them.
///
/// An element is named by its identifier, or else by its tag, so without this it would be a different
/// element.
struct InPlaceNames<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>

  private var comparison: MemberComparison<Format> { MemberComparison(documents: documents) }

  /// Returns the names of the named members, with those of base if a side only changed the name.
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
    // The elements correspond by position only if none was added or removed.
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
