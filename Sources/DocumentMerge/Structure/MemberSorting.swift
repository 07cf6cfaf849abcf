/// Sorts the members of a result if all sides keep them sorted.
struct MemberSorting<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>
  let matching: MemberMatching
  /// The nodes of each member, by its number.
  let sides: [MemberSides]
  /// The fields that name the members; `nil` if there are none.
  let fields: MemberIdentity?

  /// Returns the members of a result sorted by name, if both sides added some and keep them sorted.
  ///
  /// - Returns: `nil` otherwise; at one place, additions of ours then come before those of theirs.
  func sorted(_ numbers: [Int]) -> [Int]? {
    func isAdded(_ side: Side) -> Bool {
      numbers.contains { sides[$0].base == nil && sides[$0].present.map(\.side) == [side] }
    }
    guard numbers.count >= 5, isAdded(.ours), isAdded(.theirs) else { return nil }
    var names: [Int: [UInt8]] = [:]
    for number in numbers {
      guard let name = sides[number].present.first.flatMap({ sortName($0.node, $0.side) })
      else { return nil }
      names[number] = name
    }
    func precedes(_ one: Int, _ other: Int) -> Bool {
      (names[one] ?? []).lexicographicallyPrecedes(names[other] ?? [])
    }
    func isSorted(_ numbers: [Int]) -> Bool {
      let known = numbers.filter { names[$0] != nil }
      return zip(known, known.dropFirst()).allSatisfy { !precedes($1, $0) }
    }
    guard matching.numbers.all.allSatisfy(isSorted) else { return nil }
    return numbers.enumerated().sorted { one, other in
      precedes(one.element, other.element)
        || !precedes(other.element, one.element) && one.offset < other.offset
    }
    .map(\.element)
  }

  /// Returns the key by which a member is sorted: its name, or its text.
  private func sortName(_ node: Int, _ side: Side) -> [UInt8]? {
    let tree = tree(side)
    if let fields { return tree.name(of: node, by: fields.leading, format) }
    // The dash of an entry isn't a name.
    let name = tree.isNameless(node) ? [] : tree.name(of: node, format)
    guard name.allSatisfy({ $0.isSpace || $0 == UInt8(ascii: "-") }) else { return name }
    return tree[node].kind == .leaf ? format.text(ofLeaf: tree.bytes[tree[node].value]) : nil
  }
}
