/// The rules for merging documents of one syntax by their structure.
///
/// A format is its ``DocumentSyntax`` and a few properties with default values; the merge, the layout of the
/// result and the order of the steps are the same for all formats.
protocol StructuredFormat: DocumentSyntax {
  /// Returns whether a name is a step of a path, unlike the names of parts that only contain others.
  func isPlace(_ name: [UInt8]) -> Bool

  /// Returns the name of a member regardless of its kind; `nil` if members of different kinds never share a
  /// name.
  func plainName(_ name: [UInt8]) -> [UInt8]?

  /// Returns the bytes between two members of a container, which may also follow the last one; empty for no
  /// separator.
  func separator(in kind: StructureTree.Kind) -> [UInt8]

  /// Returns whether the last member of a container also has a separator, if no other container shows it.
  func endsWithSeparator(in kind: StructureTree.Kind) -> Bool

  /// The fields that distinguish the members of a list, the most reliable first.
  var identities: [MemberIdentity] { get }

  /// True if the leaves of its documents are listed as values.
  var hasPlainValues: Bool { get }

  /// Returns the value of a leaf as people write and read it; `nil` if the leaf isn't a value by itself.
  func plainValue(ofLeaf leaf: ArraySlice<UInt8>) -> [UInt8]?

  /// True if unnamed members of one kind at the same place on all sides correspond.
  var pairsInPlace: Bool { get }

  /// True if members of lists are independent, so that adjacent ones may change separately.
  var hasIndependentMembers: Bool { get }

  /// Returns whether both sides may add such members to a list at one place, where they then follow each
  /// other.
  func isCombined(_ member: Int, in tree: StructureTree) -> Bool

  /// Returns whether mappings with a name are sets of independent keys, so that two mappings that the sides
  /// added are merged.
  func isMap(_ name: [UInt8]) -> Bool

  /// True if mappings with a checksum are records of packages, which a program wrote as wholes.
  var hasLockedPackages: Bool { get }

  /// Returns the identity of a member of a list whose members have no common field.
  func looseIdentity(of member: Int, in tree: StructureTree) -> [UInt8]?

  /// Returns whether a text is made to distinguish one object from all others.
  func isIdentifier(_ text: [UInt8]) -> Bool

  /// Returns the documents, read so that the same members have the same names on all sides.
  func readAlike(_ trees: MergeSides<StructureTree>) throws -> MergeSides<StructureTree>

  /// Returns the decisions of the format itself, about values whose meaning it knows.
  func rulings(
    on trees: MergeSides<StructureTree>, options: MergeOptions
  ) throws -> MergeRulings

  /// Returns bytes of a document at another depth.
  ///
  /// Formats in which space is content may change only some of it.
  func indented(_ bytes: ArraySlice<UInt8>, _ shift: IndentShift) -> [UInt8]

  /// Returns whether a key in a block needs a space before its value, if it ends with one byte and the value
  /// starts with the other.
  func needsSpace(between last: UInt8, and next: UInt8) -> Bool

  /// Merges leaves that both sides changed; `nil` if they clash.
  func merged(_ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules) throws -> [UInt8]?

  /// Returns the targets that leaves of a document may refer to, as hashes.
  func targets(in tree: StructureTree) -> Set<Int>

  /// Returns the hash of the target that a leaf refers to; `nil` if it isn't a reference.
  func reference(of leaf: Int, in tree: StructureTree) -> Int?

  /// True if a reference to a missing target breaks a document.
  var needsTargets: Bool { get }

  /// Returns whether a result has no contents that no side has, as far as this can be determined.
  /// - Parameters:
  ///   - result: The result, which is valid.
  ///   - sides: The merged documents.
  ///   - newLeaves: The number of merged leaves, which may be on no side; `nil` for any number.
  func isSound(_ result: StructureTree, of sides: MergeSides<StructureTree>, newLeaves: Int?)
    -> Bool

  /// The reader of the names that may occur only once in documents that can't be read.
  var entries: any EntryReader { get }

  /// Returns the reason why a merge by lines may have changed the meaning of documents that can't be read;
  /// `nil` if nothing shows it.
  func doubt(about lines: [UInt8], of sides: MergeSides<[UInt8]>) -> String?
}

/// The rules by which leaves and comments are merged, which return `nil` if they leave a question.
struct LeafRules {
  /// The rules for prose.
  let mergeText: (MergeSides<[UInt8]>) -> [UInt8]?
  /// The rules for lines.
  let mergeLines: (MergeSides<[UInt8]>) throws -> [UInt8]?

  /// Merges texts of several lines by their lines; `nil` if they clash.
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

  var hasLockedPackages: Bool { false }

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

  /// Merges leaves by the rules for prose.
  func merged(_ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules) throws -> [UInt8]? {
    mergedByWords(leaves, by: rules)
  }

  /// Returns a text merged by words; `nil` if the sides clash, or aren't texts.
  func mergedByWords(
    _ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules
  ) -> [UInt8]? {
    guard leaves.base != nil, let texts = leaves.compactMap({ text(ofLeaf: $0) }),
      let merged = rules.mergeText(texts)
    else { return nil }
    return leaf(holding: merged, like: leaves.ours)
  }

  /// Returns a text of several lines merged by lines; `nil` if the sides clash.
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

  /// The reader of keys, by their columns.
  var entries: any EntryReader { ColumnKeys(.paths) }

  /// Returns a doubt if lines show that a name occurs twice.
  func doubt(about lines: [UInt8], of sides: MergeSides<[UInt8]>) -> String? {
    EntryNames.doubled(in: lines, of: sides, entries).first.map {
      "With both changes, “\($0)” stands twice."
    }
  }
}
