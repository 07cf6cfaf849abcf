extension StructureMerge {
  /// A member of the result: merged from the sides it names.
  typealias Plan = MemberSides

  typealias Step = MemberStep

  /// Merges containers of one kind by their members.
  /// - Returns: Whether they could be; nothing is written if not.
  mutating func mergeMembers(_ nodes: MergeSides<Int>, in frame: Frame) throws -> Bool {
    try MergeCancellation.check()
    guard let container = try open(nodes, in: frame) else { return false }
    var writer = container.writer
    for (index, step) in container.steps.enumerated() {
      writer.isLast = index == container.steps.count - 1
      if writeUnchanged(step, in: container.inner, &writer) { continue }
      var member = step
      for _ in 0..<step.count {
        path.append(member.name)
        try write(member.plan, in: container.inner, &writer)
        path.removeLast()
        writer.isFirst = false
        if step.count > 1 { member = self.member(behind: member) }
      }
    }
    try close(container, isAfterComment: writer.isAfterComment, in: frame)
    return true
  }

  /// Decides what becomes of the members of containers of one kind, and writes how the result starts.
  /// - Returns: `nil` if they cannot be merged by their members.
  @inline(never)
  private mutating func open(
    _ nodes: MergeSides<Int>, in frame: Frame
  ) throws -> MergedContainer? {
    let members = map(nodes) { $0.members(of: $1) }
    let kind = trees.ours[nodes.ours].kind
    let told = decisions.count
    guard let steps = try plans(members, nodes, kind) else { return nil }
    let inner = self.frame(of: members, kind, in: frame)
    let container = MergedContainer(
      sides: MemberSides(nodes), members: members, kind: kind, steps: steps, inner: inner,
      writer: MemberWriter(of: kind, in: inner.target, format))
    if container.isEmptyBlock {
      // An empty block would be nothing at all. Perhaps that was asked about already.
      guard decisions[told...].contains(where: { $0.kind == .clash }) else { return nil }
      copy(.value, of: nodes.ours, .ours, in: frame)
    } else {
      try copyOpening(container.sides, members, hasMembers: !steps.isEmpty, in: frame)
    }
    return container
  }

  /// Writes how the result of some containers ends.
  @inline(never)
  private mutating func close(
    _ container: MergedContainer, isAfterComment: Bool, in frame: Frame
  ) throws {
    guard !container.isEmptyBlock else { return }
    try writeTail(
      container.ending, in: frame, isAfterComment: isAfterComment && !container.kind.isBlock)
  }

  /// What becomes of the members of containers; `nil` if they cannot be merged by them.
  @inline(never)
  private mutating func plans(
    _ members: MergeSides<[Int]>, _ nodes: MergeSides<Int>, _ kind: StructureTree.Kind
  ) throws -> [Step]? {
    if let (matching, fields) = rulings.matchings[nodes.ours] ?? matching(members, kind) {
      return plans(members, matching, fields, MemberSides(nodes), kind)
    }
    guard kind.isList, let base = members.base else { return nil }
    return try plans(base: base, ours: members.ours, theirs: members.theirs)
  }

  /// The layouts of some containers' members.
  @inline(never)
  private func frame(
    of members: MergeSides<[Int]>, _ kind: StructureTree.Kind, in frame: Frame
  ) -> Frame {
    if kind.isBlock { return blockFrame(of: members, in: frame) }
    func layout(_ members: [Int], _ side: Side) -> MemberLayout {
      kind.isLines
        ? .lines
        : MemberLayout(of: members, in: tree(side), outer: frame.layout(side).indent)
    }
    let layouts = MergeSides(
      base: members.base.map { layout($0, .base) }, ours: layout(members.ours, .ours),
      theirs: layout(members.theirs, .theirs))
    return Frame(
      layouts: layouts,
      target: MemberLayout(merging: layouts, in: frame.target), isNew: frame.isNew)
  }

  // MARK: Members that have a name

  /// What becomes of each member that has a name, in the order of the result.
  ///
  /// Members that are gone are noted first.
  /// - Parameter start: The position of the first of them in their container.
  mutating func plans(
    _ members: MergeSides<[Int]>, _ matching: MemberMatching, _ fields: MemberIdentity?,
    _ container: MemberSides, _ kind: StructureTree.Kind, from start: Int = 0
  ) -> [Step] {
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

    var order = MemberOrder(matching.numbers)
    if kind.isList, order.isContradictory {
      let answer = ask(
        .order, bytes(container, .value), choices: [.ours, .theirs], isPositional: true,
        explanation: "Both sides changed the order of the members, differently.")
      if answer == .theirs { order = MemberOrder(matching.numbers, prefersTheirs: true) }
    }
    let removedByBoth = (matching.numbers.base ?? []).filter {
      sides[$0].ours == nil && sides[$0].theirs == nil
    }
    let inOrder = kind == .record ? nil : sorted(order.numbers, sides, matching, fields)
    var numbers = inOrder ?? order.numbers
    if kind == .table {
      // A line that came to stand below a table would be one of that table.
      func isTable(_ number: Int) -> Bool {
        sides[number].present.contains { tree($0.side)[$0.node].kind.isLines }
      }
      numbers = numbers.filter { !isTable($0) } + numbers.filter(isTable)
    }
    let isRemoved = kind.isList && sides.contains { $0.base != nil && $0.present.count == 2 }
    let oursMoved = isRemoved ? matching.moved(by: \.ours) : []
    let theirsMoved = isRemoved ? matching.moved(by: \.theirs) : []
    let known = renamedAlike(matching, sides, fields, isList: kind.isList)
    for (number, old) in known { sides[number].base = sides[old].base }
    let renames = renames(
      except: Set(known.values), matching, sides, fields, isList: kind.isList)
    // Where names are in order, they say where members stand.
    var dropped =
      kind.isList && inOrder == nil ? askAboutPlaces(matching, members, renames, from: start) : []
    return (removedByBoth + numbers).compactMap { number in
      guard let first = sides[number].present.first, !dropped.contains(number) else { return nil }
      let step: PathStep =
        if let fields {
          .identity(first.side, first.node, fields)
        } else if tree(first.side).isNameless(first.node)
          || kind.isList && tree(first.side).givenName(of: first.node) == nil
        {
          .positions(positions[number]..<positions[number] + 1)
        } else {
          .key(first.side, first.node)
        }
      path.append(step)
      defer { path.removeLast() }
      if let rename = renames.ofBoth[number] {
        if let lost = ask(about: rename, of: sides[number], sides) { dropped.insert(lost) }
        return nil
      }
      let isMoved = oursMoved.contains(number) || theirsMoved.contains(number)
      // A table may be in parts all over the document, which lines would not rename.
      let isRenamed = !kind.isList && !kind.isLines && renames.ofOne.contains(number)
      return plan(for: sides[number], isMoved: isMoved, isRenamed: isRenamed)
        .map { Step($0, step) }
    }
  }

  private func lostMove(of side: String, removedBy other: String) -> String {
    "Removed or replaced by \(other), moved by \(side): what replaced it stands where it was moved."
  }

  /// What becomes of a member; `nil` if it is gone.
  /// - Parameters:
  ///   - isMoved: Whether a side moved it.
  ///   - isRenamed: Whether the side that removed it perhaps gave it another key.
  private mutating func plan(for sides: MemberSides, isMoved: Bool, isRenamed: Bool) -> Plan? {
    if let plan = plan(ruledFor: sides) { return plan }
    func content(_ side: Side) -> Int? { sides[side].map { tree(side).contentHash(ofMember: $0) } }
    guard let base = sides.base else {
      for (side, node) in sides.present where sides.present.count == 1 && refersToLost(node, side) {
        let choices = choices(forLostReferenceOf: side)
        let answer = ask(
          .presence, bytes(sides, .value), choices: choices, explanation: lostReference)
        let isKept = choices.count > 1 && (answer == .theirs) == (side == .theirs)
        return isKept ? sides : nil
      }
      // What both sides added is compared where it is written.
      if sides.ours == nil { note(.theirs, sides) }
      if sides.theirs == nil { note(.ours, sides) }
      return sides
    }
    switch (sides.ours, sides.theirs) {
    case (_?, _?): return sides
    case (nil, nil):
      note(.same, sides)
      return nil
    case (nil, _) where content(.theirs) == content(.base):
      let explanation = lostMove(of: options.labels.theirs, removedBy: options.labels.ours)
      note(.ours, sides, explanation: isMoved ? explanation : nil)
      return nil
    case (_, nil) where content(.ours) == content(.base):
      let explanation = lostMove(of: options.labels.ours, removedBy: options.labels.theirs)
      note(.theirs, sides, explanation: isMoved ? explanation : nil)
      return nil
    default:
      let (deleting, changing) =
        sides.ours == nil
        ? (options.labels.ours, options.labels.theirs)
        : (options.labels.theirs, options.labels.ours)
      // Where only a comment or the key was changed, or a tag says too little of what was removed, lines may know
      // better.
      let values = sides.present.map { tree($0.side)[$0.node].valueHash }
      let name = tree(.base).givenName(of: base)
      let isTag =
        trees.ours[StructureTree.root].kind == .list
        && name.map { !$0.contains(UInt8(ascii: "=")) } ?? false
      let answer = ask(
        .presence, bytes(sides, .value), choices: [.ours, .theirs, .base],
        isPositional: Set(values).count == 1 || isTag || isRenamed,
        explanation: "Removed by \(deleting), changed by \(changing).")
      switch answer {
      case .base: return Plan(base: base)
      case .theirs: return sides.theirs.map { Plan(theirs: $0) }
      case .ours, .both, .text: return sides.ours.map { Plan(ours: $0) }
      }
    }
  }
}
