/// Matches the corresponding members of three containers.
struct MemberMatcher<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>

  /// Matches members by their keys, or by the fields that identify them.
  /// - Parameter isStream: Whether the container is the whole document, whose members are the documents of a stream.
  /// - Returns: `nil` if nothing identifies the members.
  @inline(never)
  func matching(
    _ members: MergeSides<[Int]>, _ kind: StructureTree.Kind, isStream: Bool
  ) -> (MemberMatching, MemberIdentity?)? {
    let all = withTrees(members)
    var matching: MemberMatching?
    switch kind {
    case .mapping, .table, .blockMapping:
      switch renumberedKeys(all) {
      case .kept: break
      case .matched(let known): return (known, nil)
      case .doubtful: return nil
      }
      matching = MemberMatching(
        keysOf: names(all, in: kind),
        contents: contents(all), byOrder: true)
    case .record where Set(members.all.map(\.count)).count == 1 && haveOneTag(all):
      matching = MemberMatching(members.map { Array($0.indices) })
    case .blockList where isStream:
      // The documents of a stream may share identifying fields.
      matching = documentMatching(all)
    case .list, .tables, .blockList:
      if let known = identityMatching(all) { return known }
      if kind == .list, let known = nameMatching(all) { return (known, nil) }
      matching = looseMatching(all) ?? textMatching(all)
      // The order of steps and commands matters, that of names does not.
      if kind == .blockList, matching?.hasUnclearPlaces ?? false, !areNames(all) { return nil }
    case .leaf, .record:
      return nil
    }
    return matching.map { ($0, nil) }
  }

  /// Matches named members at one place in three lists whose other members have no names.
  func matching(inPlace members: MergeSides<[Int]>) -> (MemberMatching, MemberIdentity?)? {
    let all = withTrees(members)
    let known =
      identityMatching(all) { $0.isReplaceable } ?? looseMatching(all).map { ($0, nil) }
    guard let known, !known.0.hasUnclearPlaces, !MemberOrder(known.0.numbers).isContradictory
    else { return nil }
    return known
  }

  private func withTrees(
    _ members: MergeSides<[Int]>
  ) -> MergeSides<(StructureTree, [Int])> {
    MergeSides(
      base: members.base.map { (tree(.base), $0) }, ours: (trees.ours, members.ours),
      theirs: (trees.theirs, members.theirs))
  }

  // MARK: Fields

  /// Matches the members of lists by the first of the format's identities that fits all of them.
  private func identityMatching(
    _ sides: MergeSides<(StructureTree, [Int])>,
    where isWanted: (MemberIdentity) -> Bool = { _ in true }
  ) -> (MemberMatching, MemberIdentity?)? {
    guard sides.all.contains(where: { !$0.1.isEmpty }) else { return nil }
    for fields in format.identities where isWanted(fields) {
      guard let identities = identities(of: sides, by: fields) else { continue }
      switch renumbered(sides, identities, fields) {
      case .kept: break
      case .matched(let matching): return (matching, fields)
      case .doubtful: continue
      }
      let groups = fields.isReplaceable ? self.groups(sides, fields) : nil
      let names = groups.map { groups in paired(identities, in: groups) } ?? identities
      if let matching = MemberMatching(names),
        !fields.isReplaceable || !matching.mayReplaceDifferently(in: groups)
      {
        return (matching, fields)
      }
    }
    return nil
  }

  /// Returns the identities of all members by some fields; `nil` if a member lacks them.
  private func identities(
    of sides: MergeSides<(StructureTree, [Int])>, by fields: MemberIdentity
  ) -> MergeSides<[Int]>? {
    var isKnown = true
    let written = sides.map { tree, members in
      members.compactMap { member in
        let identity = isKnown ? tree.identity(of: member, by: fields, format) : nil
        isKnown = identity != nil
        return identity
      }
    }
    return isKnown ? withRespelled(written, sides, fields) : nil
  }

  /// Returns whether a side gave the numbers of members to others, and it isn't clear to which.
  private func areRenumbered(_ sides: MergeSides<(StructureTree, [Int])>) -> Bool {
    format.identities.contains { fields in
      guard let identities = identities(of: sides, by: fields),
        case .doubtful = renumbered(sides, identities, fields)
      else { return false }
      return true
    }
  }

  /// Returns the identities, with those of base for names that a side wrote in a different case.
  private func withRespelled(
    _ identities: MergeSides<[Int]>, _ sides: MergeSides<(StructureTree, [Int])>,
    _ fields: MemberIdentity
  ) -> MergeSides<[Int]> {
    guard ["name", "title", "label"].contains(fields.required[0]), fields.required.count == 1,
      fields.optional.isEmpty, let old = identities.base, let base = sides.base
    else { return identities }
    func names(
      _ side: (StructureTree, [Int]), _ own: [Int], notIn others: Set<Int>
    ) -> [[UInt8]: Int] {
      let members = own.indices.filter { !others.contains(own[$0]) }
      let names = members.map { member in
        side.0.name(of: side.1[member], by: fields, format).map {
          $0.inSmallLetters
        }
      }
      return Dictionary(zip(names, members), uniquingKeysWith: { _, _ in -1 })
    }
    func respelled(_ own: [Int], _ side: (StructureTree, [Int])) -> [Int] {
      guard own != old else { return own }
      let (gone, new) = (names(base, old, notIn: Set(own)), names(side, own, notIn: Set(old)))
      var own = own
      for (name, member) in new where member >= 0 {
        if let known = gone[name], known >= 0 { own[member] = old[known] }
      }
      return own
    }
    return MergeSides(
      base: old, ours: respelled(identities.ours, sides.ours),
      theirs: respelled(identities.theirs, sides.theirs))
  }

  /// Matches members by their contents if numbers identify them and a side renumbered them.
  private func renumbered(
    _ sides: MergeSides<(StructureTree, [Int])>, _ identities: MergeSides<[Int]>,
    _ fields: MemberIdentity
  ) -> RenumberedMembers<Format>.Outcome {
    guard fields.required.count == 1, fields.optional.isEmpty else { return .kept }
    let names = sides.map { tree, members in
      members.map { tree.name(of: $0, by: fields, format) }
    }
    let idNames = Set(fields.required.map { Array($0.utf8) })
    return renumbered(sides, named: names, identities) { _, _ in idNames }
  }

  /// Matches the members of mappings by their contents if their keys are numbers and a side renumbered them.
  private func renumberedKeys(
    _ sides: MergeSides<(StructureTree, [Int])>
  ) -> RenumberedMembers<Format>.Outcome {
    let areContainers = sides.all.allSatisfy { tree, members in
      members.count > 1
        && members.allSatisfy { tree[$0].kind != .leaf && !tree[$0].key.isEmpty }
    }
    guard areContainers else { return .kept }
    let names = sides.map { tree, members in members.map { tree.name(of: $0, format) } }
    return renumbered(sides, named: names, names.map { $0.map(\.hashValue) }) { _, _ in [] }
  }

  /// Matches members by their contents if their names differ only in numbers and a side renumbered them.
  /// - Parameter idNames: Returns the names of the parts that are the number of a member.
  private func renumbered(
    _ sides: MergeSides<(StructureTree, [Int])>, named names: MergeSides<[[UInt8]]>,
    _ identities: MergeSides<[Int]>,
    idNames: @escaping (_ tree: StructureTree, _ member: Int) -> Set<[UInt8]>
  ) -> RenumberedMembers<Format>.Outcome {
    guard names.all.allSatisfy({ $0.allSatisfy(\.endsWithNumber) }),
      MemberMatching(identities) != nil, Set(names.all.joined().map(\.stem)).count == 1
    else { return .kept }
    return RenumberedMembers(
      documents: documents, members: sides.map(\.1), identities: identities, idNames: idNames
    ).outcome()
  }

  /// Returns the groups of members by their first field alone, which all of them have.
  private func groups(
    _ sides: MergeSides<(StructureTree, [Int])>, _ fields: MemberIdentity
  ) -> MergeSides<[Int]> {
    sides.map { tree, members in
      members.map { tree.identity(of: $0, by: fields.leading, format) ?? 0 }
    }
  }

  /// Returns the identities of members; a member that is alone in its group on all sides is identified by the
  /// group.
  private func paired(
    _ identities: MergeSides<[Int]>, in groups: MergeSides<[Int]>
  ) -> MergeSides<[Int]> {
    var shared: Set<Int> = []
    for groups in groups.all {
      var seen: Set<Int> = []
      for group in groups where !seen.insert(group).inserted { shared.insert(group) }
    }
    return identities.map(with: groups) { identities, groups in
      zip(identities, groups).map { shared.contains($0.1) ? $0.0 : $0.1 }
    }
  }

  // MARK: Names and texts

  /// Returns whether the first members of some records, their tags, are equal.
  private func haveOneTag(_ sides: MergeSides<(StructureTree, [Int])>) -> Bool {
    Set(sides.all.map { tree, members in members.first.map { tree[$0].valueHash } }).count == 1
  }

  /// Matches the members of lists by the names that the parser gave them.
  private func nameMatching(_ sides: MergeSides<(StructureTree, [Int])>) -> MemberMatching? {
    switch renumbered(sides) {
    case .kept: break
    case .matched(let matching): return matching
    case .doubtful: return nil
    }
    let names = InPlaceNames(documents: documents).names(of: sides)
    return matching(names, counts: sides.all.map(\.1.count)) { names in
      // A field identifies a member even if it occurs twice; a tag doesn't.
      let areFields = names.all.allSatisfy { names in
        var seen: Set<[UInt8]> = []
        return names.allSatisfy { seen.insert($0).inserted || $0.contains(UInt8(ascii: "=")) }
      }
      return areFields
        ? MemberMatching(keysOf: names, contents: contents(sides), byOrder: false) : nil
    }
  }

  /// Matches elements by their contents if a number in an attribute identifies them and a side renumbered them.
  private func renumbered(
    _ sides: MergeSides<(StructureTree, [Int])>
  ) -> RenumberedMembers<Format>.Outcome {
    let names = sides.map { tree, members in members.compactMap { tree.givenName(of: $0) } }
    guard names.all.map(\.count) == sides.all.map(\.1.count),
      names.all.allSatisfy({ $0.allSatisfy { $0.contains(UInt8(ascii: "=")) } })
    else { return .kept }
    return renumbered(sides, named: names, names.map { $0.map(\.hashValue) }) { tree, member in
      let name = tree.givenName(of: member) ?? []
      return [[UInt8(ascii: "@")] + name.prefix { $0 != UInt8(ascii: "=") }]
    }
  }

  /// Matches the members of lists by the loose identities that the format gives them.
  private func looseMatching(_ sides: MergeSides<(StructureTree, [Int])>) -> MemberMatching? {
    func isLeaf(_ member: Int, in tree: StructureTree) -> Bool { tree[member].kind == .leaf }
    // Numbers that went to other members aren't identities here either.
    guard
      sides.all.contains(where: { tree, members in !members.allSatisfy { isLeaf($0, in: tree) } }),
      !areRenumbered(sides)
    else { return nil }
    let leaves = sides.map { tree, members in members.filter { isLeaf($0, in: tree) } }
    let words = VersionedNames(of: sides.map(with: leaves) { identities($1, in: $0.0) })
    let known = matching(
      sides,
      by: { tree, member in
        let identity = format.looseIdentity(of: member, in: tree)
        return isLeaf(member, in: tree) ? identity.map { words.name(of: $0) } : identity
      }
    ) { MemberMatching(keysOf: $0, contents: contents(sides), byOrder: false) }
    return known.flatMap { known in
      known.hasReplacedWhatWasRemoved || known.hasAddedApart || !known.contestedPlaces().isEmpty
        ? nil : known
    }
  }

  private func identities(_ members: [Int], in tree: StructureTree) -> [[UInt8]] {
    members.compactMap { format.looseIdentity(of: $0, in: tree) }
  }

  private func contents(_ sides: MergeSides<(StructureTree, [Int])>) -> MergeSides<[Int]> {
    sides.map { tree, members in members.map { tree.contentHash(ofMember: $0) } }
  }

  @inline(never)
  private func matching(
    _ sides: MergeSides<(StructureTree, [Int])>, by name: (StructureTree, Int) -> [UInt8]?,
    doubled: (MergeSides<[[UInt8]]>) -> MemberMatching?
  ) -> MemberMatching? {
    let names = sides.map { tree, members in members.compactMap { name(tree, $0) } }
    return matching(names, counts: sides.all.map(\.1.count), doubled: doubled)
  }

  private func matching(
    _ names: MergeSides<[[UInt8]]>, counts: [Int],
    doubled: (MergeSides<[[UInt8]]>) -> MemberMatching?
  ) -> MemberMatching? {
    guard counts.contains(where: { $0 > 0 }), names.all.map(\.count) == counts,
      let matching = MemberMatching(names) ?? doubled(names), !matching.mayReplaceDifferently()
    else { return nil }
    return matching
  }

  /// Matches the documents of a stream, by their names if there are several.
  private func documentMatching(
    _ sides: MergeSides<(StructureTree, [Int])>
  ) -> MemberMatching? {
    let isSingle = sides.all.allSatisfy { $0.1.count == 1 }
    return isSingle ? MemberMatching(sides.map { _ in [0] }) : nameMatching(sides)
  }

  private func textMatching(_ sides: MergeSides<(StructureTree, [Int])>) -> MemberMatching? {
    guard let texts = texts(sides) else { return nil }
    if texts.all.allSatisfy({ $0.allSatisfy(format.isIdentifier) }), !haveOneNameTwice(sides) {
      let contents = texts.map { $0.map { _ in 0 } }
      if let known = MemberMatching(keysOf: texts, contents: contents, byOrder: false) {
        return known
      }
      // An identifier that occurs twice means the same thing both times.
      return MemberMatching(keysOf: texts, contents: contents, byOrder: true)
        .flatMap { MemberOrder($0.numbers).isContradictory ? nil : $0 }
    }
    return MemberMatching(textsOf: texts)
  }

  /// Returns the texts of the members; `nil` if a member isn't a text.
  private func texts(_ sides: MergeSides<(StructureTree, [Int])>) -> MergeSides<[[UInt8]]>? {
    func text(_ member: Int, in tree: StructureTree) -> [UInt8]? {
      tree[member].kind == .leaf ? format.text(ofLeaf: tree.bytes[tree[member].value]) : nil
    }
    // Lists of numbers may be long.
    for (tree, members) in sides.all {
      if let first = members.first, text(first, in: tree) == nil { return nil }
    }
    var areTexts = true
    let texts = sides.map { tree, members in
      members.map { member in
        let text = text(member, in: tree)
        areTexts = areTexts && text != nil
        return text ?? []
      }
    }
    return areTexts ? texts : nil
  }

  /// Returns whether all members are single words, and more than a few commands.
  private func areNames(_ sides: MergeSides<(StructureTree, [Int])>) -> Bool {
    guard let texts = texts(sides), let base = texts.base, base.count >= 5 else { return false }
    return texts.all.allSatisfy { $0.allSatisfy { !$0.contains(where: \.isSpace) } }
  }

  /// Returns whether the sides added different members with the same comment, which names them.
  private func haveOneNameTwice(_ sides: MergeSides<(StructureTree, [Int])>) -> Bool {
    func comments(_ side: (tree: StructureTree, members: [Int])) -> [[UInt8]: Set<Int>] {
      side.members.reduce(into: [:]) { comments, member in
        let node = side.tree[member]
        let comment = side.tree.comments(in: node.gap) + side.tree.comments(in: node.trail)
        if !comment.isEmpty { comments[comment, default: []].insert(node.valueHash) }
      }
    }
    let (base, ours, theirs) = (
      sides.base.map(comments) ?? [:], comments(sides.ours), comments(sides.theirs)
    )
    return ours.contains { comment, members in
      let old = base[comment] ?? []
      let ourAdded = members.subtracting(old)
      let theirAdded = (theirs[comment] ?? []).subtracting(old)
      return !ourAdded.isSubset(of: theirAdded) && !theirAdded.isSubset(of: ourAdded)
    }
  }
}

extension [UInt8] {
  /// The name without its digits, such as `id=layer` for `id=layer3`, because running numbers belong to names
  /// of one kind.
  fileprivate var stem: [UInt8] { filter { !$0.isDigit } }

  /// True if a name such as `[step.2]` or `layer3`, or the value of one such as `id=12`, ends with a number.
  fileprivate var endsWithNumber: Bool {
    var value = self[(firstIndex(of: UInt8(ascii: "=")).map { $0 + 1 } ?? startIndex)...]
    // In a property list, a number is an element.
    if value.first == UInt8(ascii: "<"), let start = value.firstIndex(of: UInt8(ascii: ">")) {
      value = value[(start + 1)...].prefix { $0 != UInt8(ascii: "<") }
    }
    let word = value.split { "]\"'".utf8.contains($0) }.last
    return word?.last.map(\.isDigit) ?? false
  }
}
