/// The rules by which documents of one syntax are merged by their structure.
///
/// A format is its ``DocumentSyntax`` and a few facts, which all have a default; the merge, the layout of the result and
/// the order of work are the same for all.
protocol StructuredFormat: DocumentSyntax {
  /// Returns whether a name is a step of a place; parts that only hold others are none.
  func isPlace(_ name: [UInt8]) -> Bool

  /// The name of a member whatever its kind; `nil` if only members of one kind have one name.
  func plainName(_ name: [UInt8]) -> [UInt8]?

  /// The bytes between two members of a container, and may stand after the last; empty for nothing.
  func separator(in kind: StructureTree.Kind) -> [UInt8]

  /// Returns whether the last member of a container has a separator, too, if no other shows it.
  func endsWithSeparator(in kind: StructureTree.Kind) -> Bool

  /// The fields that distinguish the members of a list, the surest first.
  var identities: [MemberIdentity] { get }

  /// Whether the leaves of its documents are listed as values.
  var hasPlainValues: Bool { get }

  /// The value of a leaf, as people write and read it; `nil` if it is no value by itself.
  func plainValue(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]?

  /// Whether members without names are the same if they stand in one place on all sides, and are of one kind.
  var pairsInPlace: Bool { get }

  /// Whether members of lists stand for themselves, so that those next to each other may change apart.
  var hasIndependentMembers: Bool { get }

  /// Returns whether members of a list such as this one may stand behind one another if both sides added some.
  func isCombined(_ member: Int, in tree: StructureTree) -> Bool

  /// Returns whether mappings of a name are sets of keys that do not exclude each other, so that those that both sides
  /// added are merged.
  func isMap(_ name: [UInt8]) -> Bool

  /// The identity of a member of a list whose members have no field in common.
  func looseIdentity(of member: Int, in tree: StructureTree) -> [UInt8]?

  /// Returns whether a text is made to tell one thing from all others.
  func isIdentifier(_ text: [UInt8]) -> Bool

  /// The documents, read so that what is the same is called the same on all sides.
  func readAlike(_ trees: MergeSides<StructureTree>) throws -> MergeSides<StructureTree>

  /// The decisions that the format makes itself about values whose meaning it knows.
  func rulings(
    on trees: MergeSides<StructureTree>, options: MergeOptions
  ) throws -> MergeRulings

  /// Some bytes of a document, at another depth.
  ///
  /// Formats in which space is content may not change all of it.
  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8]

  /// Returns whether a key in a block that ends with one byte is apart from a value only by a space.
  func needsSpace(between last: UInt8, and next: UInt8) -> Bool

  /// Merges leaves that both sides changed; `nil` if they clash.
  func merged(_ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules) throws -> [UInt8]?

  /// The targets that leaves of a document may refer to, each by a hash.
  func targets(in tree: StructureTree) -> Set<Int>

  /// The hash of the target that a leaf refers to; `nil` if it is no reference.
  func reference(of leaf: Int, in tree: StructureTree) -> Int?

  /// Whether a document is broken with a reference to what is not there.
  var needsTargets: Bool { get }

  /// Returns whether a result says nothing that no side says, as far as that can be seen.
  /// - Parameters:
  ///   - result: The result, which is valid.
  ///   - sides: What was merged.
  ///   - newLeaves: How many leaves may be on no side, because they were merged; `nil` for any number.
  func isSound(_ result: StructureTree, of sides: MergeSides<StructureTree>, newLeaves: Int?)
    -> Bool

  /// The reader of the names of which none may stand twice in documents that cannot be read.
  var entries: any EntryReader { get }

  /// The reason why documents that cannot be read may have come to mean something else where their lines were merged;
  /// `nil` if nothing shows it.
  func doubt(about lines: [UInt8], of sides: MergeSides<[UInt8]>) -> String?
}

/// The rules that leaves are merged by.
struct LeafRules {
  /// The rules for prose, if the caller has some.
  let mergeText: TextRule?
  /// The rules for lines, which ask about nothing.
  let mergeLines: (MergeSides<[UInt8]>) throws -> [UInt8]?

  /// Merges leaves of several lines by their lines; `nil` if they clash.
  func mergedLines(_ leaves: MergeSides<ArraySlice<UInt8>>) throws -> [UInt8]? {
    guard leaves.base != nil, leaves.all.allSatisfy({ $0.contains(.lineFeed) }) else { return nil }
    return try mergeLines(leaves.map { $0 + [.lineFeed] })?.dropLast()
  }
}

extension StructuredFormat {
  func plainName(_ name: [UInt8]) -> [UInt8]? { nil }

  func separator(in kind: StructureTree.Kind) -> [UInt8] { [] }
  var identities: [MemberIdentity] { [] }
  var hasPlainValues: Bool { false }

  func plainValue(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]? { Array(leaf) }

  var pairsInPlace: Bool { false }

  var hasIndependentMembers: Bool { true }

  func isCombined(_ member: Int, in tree: StructureTree) -> Bool { false }

  func isMap(_ name: [UInt8]) -> Bool { false }

  func isPlace(_ name: [UInt8]) -> Bool { true }

  func endsWithSeparator(in kind: StructureTree.Kind) -> Bool { false }

  func readAlike(_ trees: MergeSides<StructureTree>) throws -> MergeSides<StructureTree> { trees }

  func rulings(
    on trees: MergeSides<StructureTree>, options: MergeOptions
  ) throws -> MergeRulings { MergeRulings() }

  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8] {
    shift.applied(to: bytes)
  }

  func looseIdentity(of member: Int, in tree: StructureTree) -> [UInt8]? { nil }

  func isIdentifier(_ text: [UInt8]) -> Bool { false }

  func needsSpace(between last: UInt8, and next: UInt8) -> Bool { false }

  /// By the rules for prose.
  func merged(_ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules) throws -> [UInt8]? {
    mergedByWords(leaves, by: rules)
  }

  /// A text in words; `nil` if they clash, or if it is none.
  func mergedByWords(
    _ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules
  ) -> [UInt8]? {
    guard let mergeText = rules.mergeText, leaves.base != nil,
      let texts = leaves.compactMap({ text(ofLeaf: $0) }), let merged = mergeText(texts)
    else { return nil }
    return leaf(holding: merged, like: leaves.ours)
  }

  /// A text of several lines by its lines; `nil` if they clash.
  func mergedByLines(
    _ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules
  ) throws -> [UInt8]? {
    guard let merged = try rules.mergedLines(leaves.map { (text(ofLeaf: $0) ?? [])[...] }) else {
      return nil
    }
    return leaf(holding: merged, like: leaves.ours)
  }

  func targets(in tree: StructureTree) -> Set<Int> { [] }

  func reference(of leaf: Int, in tree: StructureTree) -> Int? { nil }

  var needsTargets: Bool { false }

  func isSound(
    _ result: StructureTree, of sides: MergeSides<StructureTree>, newLeaves: Int?
  ) -> Bool { true }

  /// Keys by their columns.
  var entries: any EntryReader { ColumnKeys(.paths) }

  /// That a name stands twice, as far as lines show it.
  func doubt(about lines: [UInt8], of sides: MergeSides<[UInt8]>) -> String? {
    EntryNames.doubled(in: lines, of: sides, entries).first.map {
      "With both changes, “\($0)” stands twice."
    }
  }
}
