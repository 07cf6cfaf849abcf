/// The comments of a container that a side has above another member than before.
///
/// A comment goes with the member below it. But if a side keeps the comment of a member that it removed or moved, the
/// comment heads what follows, such as the head of a file or the title of a group. In the result it is above the first
/// member that it heads on either side, although the other side may have removed the member below it, or added
/// one before.
struct MovedComments {
  private let trees: MergeSides<StructureTree>
  private var comments: [Place: [Comment]] = [:]
  private var hashes: Set<Int> = []

  private struct Comment {
    let hash: Int
    let side: MergeSide
    /// The comment with the space around it.
    let bytes: ArraySlice<UInt8>
    /// True if it is above the first member.
    let isFirst: Bool
  }

  /// A member of the result, by its nodes.
  private struct Place: Hashable {
    let ours, theirs: Int?

    init(_ plan: MemberSides) { (ours, theirs) = (plan.ours, plan.theirs) }
  }

  /// Finds the comments; `nil` if there are none.
  ///
  /// - Parameters:
  ///   - members: the members on each side.
  ///   - steps: the members of the result.
  init?(of members: MergeSides<[Int]>, _ steps: [MemberStep], in trees: MergeSides<StructureTree>) {
    self.trees = trees
    // While every member stays, so does each comment.
    guard let base = members.base,
      steps.reduce(0, { $0 + ($1.plan.base == nil ? 0 : $1.count) }) < base.count
    else { return nil }
    let former = owners(of: base, .base)
    guard !former.isEmpty else { return nil }
    let result = expanded(steps)
    var places: [MergeSide: [Int: Int]] = [:]
    for (place, plan) in result.enumerated() {
      for (side, node) in plan.present { places[side, default: [:]][node] = place }
    }
    let sides = [(MergeSide.ours, members.ours), (.theirs, members.theirs)].map { side, members in
      (side: side, members: members, owners: owners(of: members, side))
    }
    let inOrder = base.flatMap { owner in
      trees[.base].hashes(ofComments: trees[.base][owner].lead).map { (hash: $0, owner: owner) }
    }
    for (hash, owner) in inOrder where former[hash] == owner {
      let plan = places[.base]?[owner].map { result[$0] }
      if let plan, plan.ours == sides[0].owners[hash], plan.theirs == sides[1].owners[hash] {
        continue
      }
      var nodes: [MergeSide: Int] = [:]
      var next: [Int] = []
      for (side, members, owners) in sides {
        guard let node = owners[hash], let index = members.firstIndex(of: node) else { continue }
        // A member that the side added, or renamed, has the comment for itself.
        if let place = places[side]?[node], result[place].base == nil { continue }
        nodes[side] = node
        next += members[index...].lazy.compactMap { places[side]?[$0] }.prefix(1)
      }
      guard let ours = nodes[.ours], nodes[.theirs] != nil, let first = next.min() else { continue }
      hashes.insert(hash)
      comments[Place(result[first]), default: []].append(
        Comment(
          hash: hash, side: .ours, bytes: comment(hash, above: ours, .ours), isFirst: first == 0))
    }
    if hashes.isEmpty { return nil }
  }

  /// Returns the members below comments that only one member has, by the comments' hashes.
  private func owners(of members: [Int], _ side: MergeSide) -> [Int: Int] {
    let tree = trees[side]
    var owners: [Int: Int?] = [:]
    for member in members {
      for hash in tree.hashes(ofComments: tree[member].lead) {
        owners.updateValue(owners.keys.contains(hash) ? nil : member, forKey: hash)
      }
    }
    return owners.compactMapValues(\.self)
  }

  /// Returns the members of steps, each on its own.
  private func expanded(_ steps: [MemberStep]) -> [MemberSides] {
    steps.flatMap { step in
      sequence(first: step.plan) { trees.sibling(of: $0, after: 1) }.prefix(step.count)
    }
  }

  private func comment(_ hash: Int, above member: Int, _ side: MergeSide) -> ArraySlice<UInt8> {
    let tree = trees[side]
    let lead = tree.bytes[tree[member].lead]
    let comments = lead.paragraphs
    guard let index = comments.firstIndex(where: { tree.hash(ofParagraph: $0) == hash }) else {
      return []
    }
    let start = index == 0 ? lead.startIndex : comments[index - 1].endIndex
    let end = index + 1 < comments.count ? comments[index + 1].startIndex : lead.endIndex
    return lead[start..<end]
  }

  /// Returns whether such comments belong above a member of the result.
  func areAbove(_ plan: MemberSides) -> Bool { comments[Place(plan)] != nil }

  /// Returns the bytes above a member with the comments that belong there, and without those that belong
  /// elsewhere.
  ///
  /// - Parameter space: returns the bytes above the member if no comment is left.
  func placed(
    in lead: (side: MergeSide, bytes: ArraySlice<UInt8>), of plan: MemberSides,
    orSpace space: () -> ArraySlice<UInt8>
  ) -> (side: MergeSide, bytes: ArraySlice<UInt8>) {
    let own = comments[Place(plan)] ?? []
    let paragraphs = lead.bytes.paragraphs
    let found = paragraphs.map(trees.ours.hash(ofParagraph:))
    let others = found.prefix { hash in
      hashes.contains(hash) && !own.contains { $0.hash == hash }
    }
    let missing = own.filter { !found.contains($0.hash) }
    var bytes = lead.bytes
    if !others.isEmpty {
      let rest = bytes[paragraphs[others.count - 1].endIndex...].drop { $0.isSpace }
      bytes = rest.isEmpty ? space() : bytes.prefix { $0.isSpace } + rest
    }
    guard let first = missing.first else { return (lead.side, bytes) }
    // The head of a file has no space before it.
    let isSpaced = first.isFirst || first.bytes.first?.isSpace ?? false
    var written = isSpaced ? [] : Array(bytes.prefix { $0.isSpace })
    for comment in missing {
      let isSpaced = written.last?.isSpace ?? false
      written += comment.bytes.drop { isSpaced && $0.isSpace }
    }
    return (first.side, (written + bytes.drop { $0.isSpace })[...])
  }
}
