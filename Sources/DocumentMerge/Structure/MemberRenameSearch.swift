/// The new members, on at least one side, that a removed member may have become.
struct MemberRename {
  let ours: Int?
  let theirs: Int?
}

/// The renames that may explain removed members.
struct MemberRenames {
  /// The renames of members that both sides removed.
  var ofBoth: [Int: MemberRename] = [:]
  /// The members that only one side removed, and perhaps renamed.
  var ofOne: Set<Int> = []
}

/// Finds the added members of a container that may be renamed ones.
struct MemberRenameSearch<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>
  let matching: MemberMatching
  /// The nodes of each member, by its number.
  let sides: [MemberSides]
  /// The fields that name the members; `nil` if there are none.
  let fields: MemberIdentity?
  /// True if the members are in a list, and each has a part that is its name.
  let isList: Bool

  private var comparison: MemberComparison<Format> { MemberComparison(documents: documents) }

  /// Finds containers to which both sides gave the same new name.
  ///
  /// Their members are merged with those of the old containers; otherwise, members that one side removed from
  /// them would come back.
  /// - Returns: The number of the old container, by the number of the new one.
  func renamedAlike() -> [Int: Int] {
    let (removed, added) = (matching.removedByBoth, matching.addedByBoth)
    guard let base = matching.numbers.base, !removed.isEmpty, !added.isEmpty else { return [:] }
    let places = matching.places(of: removed, in: base)
    let (ours, theirs) = (
      self.added(added, by: .ours), self.added(added, by: .theirs)
    )
    return base.reduce(into: [:]) { renamed, number in
      guard let old = sides[number].base, let place = places[number] else { return }
      let traits = traits(of: old, .base, place)
      let new = (ours.candidates(for: traits) + theirs.candidates(for: traits)).first { new in
        // If one side certainly renamed the member, the other side did as well if any part of it remains.
        let nodes = sides[new].present
        return renamed[new] == nil
          && nodes.contains { side, node in
            comparison.isPart(node, side, of: old) || isOne(old, node, side)
              || comparison.areMostlyEqual([
                comparison.leaves(of: tree(.base), old), comparison.leaves(of: tree(side), node),
              ])
          }
          && nodes.allSatisfy { side, node in
            comparison.isPart(node, side, of: old) || hasPart(of: old, node, side)
          }
      }
      if let new { renamed[new] = number }
    }
  }

  /// Finds the new members that may be renamed ones, of those that one or both sides removed.
  /// - Parameter known: The members of base whose new name is known.
  func renames(except known: Set<Int>) -> MemberRenames {
    var renames = MemberRenames()
    guard let base = matching.numbers.base, sides.contains(where: \.isRemoved) else {
      return renames
    }
    let places = matching.places(of: Set(base), in: base)
    var ours = added(matching.added(by: \.ours), by: .ours)
    var theirs = added(matching.added(by: \.theirs), by: .theirs)
    func take(_ number: Int, from members: inout AddedMembers, of side: Side) -> Int? {
      guard let old = sides[number].base, let place = places[number] else { return nil }
      return members.take(traits(of: old, .base, place)) { new in
        sides[new][side].map { isOne(old, $0, side) } ?? false
      }
    }
    // Members that only one side removed come first, as the ones that it renamed.
    let (ourRemoved, theirRemoved) = (matching.removed(by: \.ours), matching.removed(by: \.theirs))
    for number in base where ourRemoved.contains(number) {
      if take(number, from: &ours, of: .ours) != nil { renames.ofOne.insert(number) }
    }
    for number in base where theirRemoved.contains(number) {
      if take(number, from: &theirs, of: .theirs) != nil { renames.ofOne.insert(number) }
    }
    let removed = matching.removedByBoth.subtracting(known)
    for number in base where removed.contains(number) {
      let rename = MemberRename(
        ours: take(number, from: &ours, of: .ours), theirs: take(number, from: &theirs, of: .theirs)
      )
      if rename.ours != nil || rename.theirs != nil { renames.ofBoth[number] = rename }
    }
    return renames
  }

  /// Returns the members that a side added.
  private func added(_ added: Set<Int>, by side: Side) -> AddedMembers {
    let path: KeyPath<MergeSides<[Int]>, [Int]> = side == .ours ? \.ours : \.theirs
    let places = matching.places(of: added, in: matching.numbers[keyPath: path])
    var members = AddedMembers()
    for number in matching.numbers[keyPath: path] where added.contains(number) {
      guard let node = sides[number][side], let place = places[number] else { continue }
      members.add(number, traits(of: node, side, place))
    }
    return members
  }

  private func traits(
    of node: Int, _ side: Side, _ place: MemberMatching.Place
  ) -> AddedMembers.Traits {
    let tree = tree(side)
    return AddedMembers.Traits(
      place: place, name: format.plainName(tree.name(of: node, format)),
      value: tree[node].valueHash, isLong: tree[node].value.count >= 12)
  }

  /// Returns whether a member that a side added where one of base stood is perhaps that one, under another name.
  private func isOne(_ old: Int, _ new: Int, _ side: Side) -> Bool {
    let (one, other) = (tree(.base), tree(side))
    if one[old].valueHash == other[new].valueHash { return true }
    guard one[old].kind == other[new].kind else { return false }
    if one[old].kind == .leaf {
      // The first line of a record that is one value names it.
      let (rest, newRest) = (one.linesBelowFirst(of: old), other.linesBelowFirst(of: new))
      return rest.count >= 12 && rest.elementsEqual(newRest)
    }
    guard one[old].kind.isMapping || one[old].kind == .record else { return false }
    let (said, says) = (
      comparison.sizedParts(of: one, old), comparison.sizedParts(of: other, new)
    )
    if isList, said.count == 1, says.count == 1 { return true }
    // The parts that name the member differ anyway.
    let names = names(of: old, among: said)
    func rest(_ parts: [SizedPart]) -> [SizedPart] {
      parts.filter { !names.contains($0.part.name) }
    }
    return comparison.areMostlyEqual(rest(said), rest(says))
  }

  /// Returns whether a member that a side added at the place of a member of base may be the same under
  /// another name.
  private func hasPart(of old: Int, _ new: Int, _ side: Side) -> Bool {
    let names = Set(comparison.parts(of: tree(.base), old).map(\.name))
    return tree(.base)[old].kind == tree(side)[new].kind
      && comparison.parts(of: tree(side), new).contains { names.contains($0.name) }
  }

  /// Returns the names of the parts that name a member of base, which consist of words of its name: an
  /// element's attribute, or both forms of a person's name.
  private func names(of member: Int, among parts: [SizedPart]) -> Set<[UInt8]> {
    if let fields { return Set(fields.leading.required.map { Array($0.utf8) }) }
    guard let name = tree(.base).givenName(of: member) else { return [] }
    func words(_ text: ArraySlice<UInt8>) -> Set<ArraySlice<UInt8>> {
      Set(text.split { !$0.isInName && $0 < 0x80 })
    }
    let known = words(name[...])
    return Set(
      parts.filter { words(tree(.base).bytes[$0.value]).isSubset(of: known) }.map(\.part.name))
  }
}

extension StructureTree {
  /// Returns the lines of a value below its first one.
  fileprivate func linesBelowFirst(of node: Int) -> ArraySlice<UInt8> {
    let value = bytes[self[node].value]
    return value.firstIndex(of: .lineFeed).map { value[$0...] } ?? []
  }
}

/// The members that a side added, for finding the one that a removed member became.
private struct AddedMembers {
  /// The properties by which two members are recognized as one.
  struct Traits {
    let place: MemberMatching.Place
    /// The name that the member has regardless of its kind; `nil` if the format has no such names.
    let name: [UInt8]?
    let value: Int
    /// True if the value is too long to be equal to another one by chance.
    let isLong: Bool
  }

  private var places: [MemberMatching.Place: [Int]] = [:]
  private var names: [[UInt8]: Int] = [:]
  private var values: [Int: [Int]] = [:]
  private var taken: Set<Int> = []

  mutating func add(_ number: Int, _ traits: Traits) {
    places[traits.place, default: []].append(number)
    if let name = traits.name { names[name] = number }
    values[traits.value, default: []].append(number)
  }

  /// Returns the members that another one may have become, by place or by contents.
  func candidates(for old: Traits) -> [Int] {
    [places[old.place] ?? [], values[old.value] ?? []].flatMap { $0.prefix(16) }
  }

  /// Takes the member that another one became, by name, by place or by contents.
  mutating func take(_ old: Traits, ifInPlace isOne: (_ new: Int) -> Bool) -> Int? {
    func isFree(_ number: Int) -> Bool { !taken.contains(number) }
    // After many replacements, it isn't clear what replaced what.
    let inPlace = (places[old.place] ?? []).prefix(16)
    let found =
      old.name.flatMap { names[$0] }.filter(isFree) ?? inPlace.first { isFree($0) && isOne($0) }
      ?? (old.isLong ? values[old.value]?.first(where: isFree) : nil)
    if let found { taken.insert(found) }
    return found
  }
}

extension Optional {
  /// Returns the value if it satisfies a condition.
  fileprivate func filter(_ isWanted: (Wrapped) -> Bool) -> Wrapped? {
    flatMap { isWanted($0) ? $0 : nil }
  }
}
