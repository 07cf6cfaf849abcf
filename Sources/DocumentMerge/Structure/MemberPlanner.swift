/// Decides about the named members of containers: which of them are in the result, from which sides, and in
/// which order.
struct MemberPlanner<Format: StructuredFormat>: DocumentsReader {
  typealias Plan = MemberSides
  typealias Step = MemberStep

  let documents: MergedDocuments<Format>
  let log: DecisionLog<Format>
  let rulings: MergeRulings
  let lostReferences: LostReferences<Format>
  let placesElsewhere: PlacesElsewhere<Format>

  private var labels: MergeLabels { log.options.labels }

  /// Plans the members of a container, from a position on, in the order of the result.
  ///
  /// Removed members are recorded first.
  func steps(
    _ members: MergeSides<[Int]>, _ matching: MemberMatching, _ fields: MemberIdentity?,
    in container: MemberSides, _ kind: StructureTree.Kind, from start: Int = 0
  ) -> [Step] {
    var (sides, positions) = numbered(members, matching, from: start)
    let order = order(of: matching, sides, in: container, kind)
    let removedByBoth = (matching.numbers.base ?? []).filter {
      sides[$0].ours == nil && sides[$0].theirs == nil
    }
    let sorting = MemberSorting(
      documents: documents, matching: matching, sides: sides, fields: fields)
    let sorted = kind == .record ? nil : sorting.sorted(order.numbers)
    var numbers = sorted ?? order.numbers
    if kind == .table {
      // A line moved below a table would become part of that table.
      func isTable(_ number: Int) -> Bool {
        sides[number].present.contains { tree($0.side)[$0.node].kind.isLines }
      }
      numbers = numbers.filter { !isTable($0) } + numbers.filter(isTable)
    }
    let isRemoved = kind.isList && sides.contains { $0.base != nil && $0.present.count == 2 }
    let moved = isRemoved ? matching.moved(by: \.ours).union(matching.moved(by: \.theirs)) : []
    let renames = renames(matching, &sides, fields, isList: kind.isList)
    // Sorted names determine the places of members.
    var dropped =
      kind.isList && sorted == nil ? askAboutPlaces(matching, members, renames, from: start) : []
    let twins =
      kind == .record
      ? [:]
      : TwinMembers(documents: documents, fields: fields, isList: kind.isList).twins(in: sides)
    var asked: Set<Int> = []
    lazy var comments = commentsAbove(members)
    return (removedByBoth + numbers).compactMap { number in
      guard let first = sides[number].present.first, !dropped.contains(number) else { return nil }
      let step = step(to: first, at: positions[number], fields, isList: kind.isList)
      return log.at(step) {
        if let rename = renames.ofBoth[number] {
          if let lost = ask(about: rename, of: sides[number], sides) { dropped.insert(lost) }
          return nil
        }
        if let twin = twins[number], asked.insert(min(number, twin)).inserted {
          let lost = ask(aboutTwin: sides[twin], of: sides[number])
          let own: Side = sides[number].ours == nil ? .theirs : .ours
          if lost == own { return nil }
          if lost != nil { dropped.insert(twin) }
        }
        return plan(
          for: sides[number], in: kind, isMoved: moved.contains(number),
          isRenamed: renames.ofOne.contains(number)
        ) { comments }
        .map { Step($0, step) }
      }
    }
  }

  /// Returns the nodes and the position of each member, by its number.
  private func numbered(
    _ members: MergeSides<[Int]>, _ matching: MemberMatching, from start: Int
  ) -> (sides: [MemberSides], positions: [Int]) {
    var sides = [MemberSides](repeating: MemberSides(), count: matching.count)
    var positions = [Int](repeating: 0, count: matching.count)
    func visit(_ numbers: [Int], _ members: [Int], _ set: WritableKeyPath<MemberSides, Int?>) {
      for (position, (number, member)) in zip(numbers, members).enumerated() {
        sides[number][keyPath: set] = member
        positions[number] = start + position
      }
    }
    visit(matching.numbers.theirs, members.theirs, \.theirs)
    visit(matching.numbers.ours, members.ours, \.ours)
    visit(matching.numbers.base ?? [], members.base ?? [], \.base)
    return (sides, positions)
  }

  /// Returns the path step to a member.
  private func step(
    to first: (side: Side, node: Int), at position: Int, _ fields: MemberIdentity?, isList: Bool
  ) -> PathStep {
    if let fields { return .identity(first.side, first.node, fields) }
    let tree = tree(first.side)
    let isNameless =
      tree.isNameless(first.node) || isList && tree.givenName(of: first.node) == nil
    return isNameless ? .positions(position..<position + 1) : .key(first.side, first.node)
  }

  // MARK: Order and places

  /// Returns the order of the members, and asks if both sides changed an order with a meaning, such as that
  /// of lists of tables.
  private func order(
    of matching: MemberMatching, _ sides: [MemberSides], in container: MemberSides,
    _ kind: StructureTree.Kind
  ) -> MemberOrder {
    let order = MemberOrder(matching.numbers)
    func lists(_ numbers: [Int]) -> [Int] {
      numbers.filter { sides[$0].present.contains { tree($0.side)[$0.node].kind == .tables } }
    }
    let ordered = kind == .table ? MemberOrder(matching.numbers.map(lists)) : order
    guard kind.isList || kind == .table, ordered.isContradictory else { return order }
    let answer = log.ask(
      .order, bytes(container, .value), choices: [.ours, .theirs], isPositional: true,
      explanation: "Both sides changed the order of the members, differently.")
    return answer == .theirs ? MemberOrder(matching.numbers, prefersTheirs: true) : order
  }

  /// Asks about the places where both sides replaced named members; returns the numbers of the members that
  /// the answers remove.
  private func askAboutPlaces(
    _ matching: MemberMatching, _ members: MergeSides<[Int]>, _ renames: MemberRenames,
    from start: Int
  ) -> Set<Int> {
    let asked = renames.ofBoth.values.flatMap { [$0.ours, $0.theirs].compactMap { $0 } }
    return matching.contestedPlaces(except: Set(asked)).reduce(into: []) { dropped, place in
      let positions = start + place.base.lowerBound..<start + place.base.upperBound
      let texts = SideBytes(
        base: members.base.flatMap { bytes(of: $0[place.base], .base) },
        ours: bytes(of: members.ours[place.ours], .ours),
        theirs: bytes(of: members.theirs[place.theirs], .theirs))
      let answer = log.at(.positions(positions)) {
        log.ask(
          .members, texts, choices: [.ours, .theirs, .both], isPositional: true,
          explanation: "Both sides put something else in this place, differently.")
      }
      switch answer {
      case .theirs: dropped.formUnion(place.added.ours)
      case .both: break
      case .ours, .base, .text: dropped.formUnion(place.added.theirs)
      }
    }
  }

  // MARK: Renames

  /// Finds renamed members, and gives those that both sides renamed equally the base of their old name.
  private func renames(
    _ matching: MemberMatching, _ sides: inout [MemberSides], _ fields: MemberIdentity?,
    isList: Bool
  ) -> MemberRenames {
    func search(_ sides: [MemberSides]) -> MemberRenameSearch<Format> {
      MemberRenameSearch(
        documents: documents, matching: matching, sides: sides, fields: fields, isList: isList)
    }
    let known = search(sides).renamedAlike()
    for (number, old) in known { sides[number].base = sides[old].base }
    return search(sides).renames(except: Set(known.values))
  }

  /// Asks about a member that one side renamed while the other side removed it or renamed it differently.
  /// - Returns: The number of the member that the answer removes; `nil` if it removes none.
  private func ask(
    about rename: MemberRename, of old: MemberSides, _ sides: [MemberSides]
  ) -> Int? {
    let plan = MemberSides(
      base: old.base, ours: rename.ours.flatMap { sides[$0].ours },
      theirs: rename.theirs.flatMap { sides[$0].theirs })
    let explanation =
      switch (rename.ours, rename.theirs) {
      case (_?, _?): "Both sides renamed or replaced it, differently."
      case (_?, nil): "Removed by \(labels.theirs), renamed or replaced by \(labels.ours)."
      default: "Removed by \(labels.ours), renamed or replaced by \(labels.theirs)."
      }
    var choices: Set<MergeAnswer.Choice> = [.ours, .theirs]
    if rename.ours != nil, rename.theirs != nil { choices.insert(.both) }
    let answer = log.ask(
      .presence, bytes(plan, .value), choices: choices, explanation: explanation)
    switch answer {
    case .theirs: return rename.ours
    case .both: return nil
    case .ours, .base, .text: return rename.theirs
    }
  }
}

extension MemberPlanner {
  /// Asks about a member that both sides added under different identifiers.
  /// - Returns: The side whose member the answer removes; `nil` if it removes none.
  private func ask(aboutTwin twin: MemberSides, of member: MemberSides) -> Side? {
    let plan = MemberSides(
      ours: member.ours ?? twin.ours, theirs: member.theirs ?? twin.theirs)
    let answer = log.ask(
      .presence, bytes(plan, .value), choices: [.ours, .theirs, .both],
      explanation: "Both sides added the same item, under different identifiers.")
    switch answer {
    case .both: return nil
    case .theirs: return .ours
    case .ours, .base, .text: return .theirs
    }
  }
}

/// Decides whether a member is in the result, and from which sides.
extension MemberPlanner {
  /// Returns the plan for a member; `nil` if it is removed, and wasn't perhaps renamed.
  private func plan(
    for sides: MemberSides, in kind: StructureTree.Kind, isMoved: Bool, isRenamed: Bool,
    comments: () -> MergeSides<Set<Int>>
  ) -> Plan? {
    if let plan = plan(ruledFor: sides) { return plan }
    guard let base = sides.base else { return plan(forAdded: sides) }
    switch (sides.ours, sides.theirs) {
    case (_?, _?): return sides
    case (nil, nil):
      log.record(.same, sides)
      return nil
    case (nil, let node?) where isUnchanged(node, .theirs, from: base, comments):
      let explanation = lostMove(of: labels.theirs, removedBy: labels.ours)
      log.record(.ours, sides, explanation: isMoved ? explanation : nil)
      return nil
    case (let node?, nil) where isUnchanged(node, .ours, from: base, comments):
      let explanation = lostMove(of: labels.ours, removedBy: labels.theirs)
      log.record(.theirs, sides, explanation: isMoved ? explanation : nil)
      return nil
    default:
      return ask(aboutRemoved: sides, base: base, in: kind, isRenamed: isRenamed)
    }
  }

  /// Returns whether a side's member has the same contents as in base, regardless of comments that only stand above
  /// another member now, such as the head of a file.
  private func isUnchanged(
    _ node: Int, _ side: Side, from base: Int, _ comments: () -> MergeSides<Set<Int>>
  ) -> Bool {
    let (old, tree) = (tree(.base), tree(side))
    if old.contentHash(ofMember: base) == tree.contentHash(ofMember: node) { return true }
    guard old.contentHash(of: base) == tree.contentHash(of: node),
      [StructureTree.Part.gap, .trail].allSatisfy({
        old.hash(ofComments: old[base][$0]) == tree.hash(ofComments: tree[node][$0])
      })
    else { return false }
    let known = comments()
    return Set(old.hashes(ofComments: old[base].lead))
      .symmetricDifference(tree.hashes(ofComments: tree[node].lead))
      .isSubset(of: (known.base ?? []).intersection(side == .ours ? known.ours : known.theirs))
  }

  /// Returns the comments above the members of each side.
  private func commentsAbove(_ members: MergeSides<[Int]>) -> MergeSides<Set<Int>> {
    map(members) { tree, members in
      Set(members.flatMap { tree.hashes(ofComments: tree[$0].lead) })
    }
  }

  /// Returns the plan for a member that one or both sides added.
  private func plan(forAdded sides: MemberSides) -> Plan? {
    for (side, node) in sides.present
    where sides.present.count == 1 && lostReferences.isIn(node, side) {
      let choices = lostReferences.choices(whereIn: side)
      let answer = log.ask(
        .presence, bytes(sides, .value), choices: choices, explanation: lostReferences.explanation)
      let isKept = choices.count > 1 && (answer == .theirs) == (side == .theirs)
      return isKept ? sides : nil
    }
    // A member that both sides added is compared when it is written.
    if sides.ours == nil { log.record(.theirs, sides) }
    if sides.theirs == nil { log.record(.ours, sides) }
    return sides
  }

  /// Asks about a member that one side removed, or perhaps renamed, and the other side changed.
  private func ask(
    aboutRemoved sides: MemberSides, base: Int, in kind: StructureTree.Kind, isRenamed: Bool
  ) -> Plan? {
    let (deleting, changing) =
      sides.ours == nil ? (labels.ours, labels.theirs) : (labels.theirs, labels.ours)
    // Lines may be better if only a comment or the key was changed, if the member was renamed or moved to
    // another container, or if a tag doesn't identify the removed element. Parts of a table may be anywhere in
    // the document, and lines wouldn't rename them.
    let values = sides.present.map { tree($0.side)[$0.node].valueHash }
    let name = tree(.base).givenName(of: base)
    let isTag =
      trees.ours[StructureTree.root].kind == .list
      && name.map { !$0.contains(UInt8(ascii: "=")) } ?? false
    let answer = log.ask(
      .presence, bytes(sides, .value), choices: [.ours, .theirs, .base],
      isPositional: Set(values).count == 1 || isTag || isRenamed && !kind.isList && !kind.isLines
        || placesElsewhere.hold(base, on: sides.ours == nil ? .ours : .theirs),
      explanation:
        "\(isRenamed ? "Renamed or replaced" : "Removed") by \(deleting), changed by \(changing).")
    return plan(answered: answer, for: sides)
  }

  private func plan(answered answer: MergeAnswer, for sides: MemberSides) -> Plan? {
    switch answer {
    case .base: sides.base.map { Plan(base: $0) }
    case .theirs: sides.theirs.map { Plan(theirs: $0) }
    case .ours, .both, .text: sides.ours.map { Plan(ours: $0) }
    }
  }

  private func lostMove(of side: String, removedBy other: String) -> String {
    "Removed or replaced by \(other), moved by \(side): what replaced it stands where it was moved."
  }

  /// Returns the plan for a member that a side lacks, according to its ruling.
  /// - Returns: `nil` without a ruling; a plan of `nil` if the member is removed.
  private func plan(ruledFor sides: MemberSides) -> Plan?? {
    switch rulings.ruling(on: sides) {
    case .taken(let side, let explanation) where sides.ours == nil || sides.theirs == nil:
      log.record(side == .theirs ? .theirs : .ours, sides, explanation: explanation)
      guard let node = sides[side] else { return .some(nil) }
      switch side {
      case .base: return Plan(base: node)
      case .ours: return Plan(ours: node)
      case .theirs: return Plan(theirs: node)
      }
    case .dropped(let explanation):
      log.record(.combined, sides, explanation: explanation)
      return .some(nil)
    case .asked(let explanation) where sides.ours == nil || sides.theirs == nil:
      let answer = log.ask(
        .presence, bytes(sides, .value), choices: [.ours, .theirs, .base], explanation: explanation)
      return .some(plan(answered: answer, for: sides))
    default: return nil
    }
  }
}
