/// Scalars that both sides changed, and whether a result has the contents of the sides.
extension YAMLFormat {
  func merged(_ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules) throws -> [UInt8]? {
    guard let base = leaves.base, leaves.all.allSatisfy({ $0.first == base.first }) else {
      return nil
    }
    switch base.first {
    case UInt8(ascii: "|"), UInt8(ascii: ">"):
      return try mergedBlock(leaves, by: rules)
    case UInt8(ascii: "\""), UInt8(ascii: "'"):
      let isSimple = leaves.all.allSatisfy { leaf in
        !leaf.contains(UInt8(ascii: "\\")) && !leaf.dropFirst().dropLast().contains(leaf.first ?? 0)
      }
      guard isSimple, let leaf = mergedByWords(leaves, by: rules) else { return nil }
      return YAMLQuoted(at: 0, in: leaf[...])?.end == leaf.count ? leaf : nil
    default:
      guard leaves.all.allSatisfy({ YAMLScalar.isText($0) }),
        let leaf = mergedByWords(leaves, by: rules), YAMLScalar.isText(leaf[...])
      else { return nil }
      // The result must still be a single plain scalar.
      let tree = try? YAMLParser(Array("k: ".utf8) + leaf + [.lineFeed]).parse()
      return tree?.count == 3 && tree?[2].value == 3..<3 + leaf.count ? leaf : nil
    }
  }

  /// Merges prose by words, with the line breaks of ours.
  private func mergedByWords(
    _ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules
  ) -> [UInt8]? {
    guard let merged = rules.mergeText(leaves.map { unindented($0) }) else { return nil }
    let feed = leaves.ours.firstIndex(of: .lineFeed)
    guard feed != nil || !merged.contains(.lineFeed) else { return nil }
    let indent = feed.flatMap { feed in
      leaves.ours[feed...].drop { $0 == .lineFeed }.prefix { $0 == 0x20 }
    }
    return indented(merged, by: indent ?? [], includingFirst: false)
  }

  /// Returns a text in lines without the space at their start.
  private func unindented(_ leaf: ArraySlice<UInt8>) -> [UInt8] {
    let lines = leaf.split(separator: .lineFeed, omittingEmptySubsequences: false)
    return Array(lines.map { $0.drop { $0 == 0x20 } }.joined(separator: [.lineFeed]))
  }

  private func indented(
    _ text: [UInt8], by indent: ArraySlice<UInt8>, includingFirst: Bool
  ) -> [UInt8] {
    var result: [UInt8] = []
    let lines = text.split(separator: .lineFeed, omittingEmptySubsequences: false)
    for (number, line) in lines.enumerated() {
      if number > 0 { result.append(.lineFeed) }
      if !line.isEmpty, number > 0 || includingFirst { result += indent }
      result += line
    }
    return result
  }

  /// Merges folded texts by words, and literal ones by lines, because they may be programs.
  private func mergedBlock(
    _ leaves: MergeSides<ArraySlice<UInt8>>, by rules: LeafRules
  ) throws -> [UInt8]? {
    func scalar(_ leaf: ArraySlice<UInt8>) -> YAMLBlockScalar? {
      YAMLBlockScalar(at: leaf.startIndex, in: leaf + [.lineFeed], column: -1)
    }
    let scalars = leaves.all.compactMap(scalar)
    guard let ours = scalar(leaves.ours), scalars.count == 3, ours.indent > 0,
      scalars.allSatisfy({ $0.header == ours.header && $0.end > $0.start }),
      // An explicit indentation depends on the place.
      ours.header.allSatisfy({ !$0.isDigit })
    else { return nil }
    let texts = leaves.map { scalar($0)?.lines ?? [] }
    let isProse =
      ours.isFolded
      && texts.all.allSatisfy { text in
        text.split(separator: .lineFeed).allSatisfy { $0.first?.isSpace == false }
      }
    var merged: [UInt8]?
    if isProse {
      merged = rules.mergeText(texts)
    } else {
      let engine = TextMergeEngine(style: .lines)
      let outcome = try engine.merge(texts.map { $0 + [.lineFeed] }, options: MergeOptions())
      if outcome.isComplete { merged = outcome.bytes.dropLast() }
    }
    guard let merged, merged.first?.isSpace == false else { return nil }
    let indent = [UInt8](repeating: 0x20, count: ours.indent)
    let header = leaves.ours[..<ours.start]
    let leaf = header + indented(merged, by: indent[...], includingFirst: true)
    guard let again = scalar(leaf), again.lines == merged, again.end == leaf.endIndex else {
      return nil
    }
    return Array(leaf)
  }
}

extension YAMLFormat {
  /// Returns the names after each `&` of a document, which include those of all anchors.
  func targets(in tree: StructureTree) -> Set<Int> {
    let parts = tree.bytes.split(
      separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
    return Set(
      parts.dropFirst().map { tree.hash(of: $0.prefix(while: \.isInName)) })
  }

  func reference(of leaf: Int, in tree: StructureTree) -> Int? {
    let value = tree.bytes[tree[leaf].value]
    return value.first == UInt8(ascii: "*") ? tree.hash(of: value.dropFirst()) : nil
  }

  var needsTargets: Bool { true }

  func isSound(
    _ result: StructureTree, of sides: MergeSides<StructureTree>, newLeaves: Int?
  ) -> Bool {
    let known = YAMLClaims(of: sides.all)
    let claims = YAMLClaims(of: [result])
    // A line at another place would be a key of a different mapping; another anchor would be a different
    // reference.
    guard claims.places.isSubset(of: known.places), claims.references.isSubset(of: known.leaves)
    else { return false }
    return newLeaves.map { claims.leaves.subtracting(known.leaves).count <= $0 } ?? true
  }
}

/// The contents of documents: their keys, the leaves at them, and the references.
private struct YAMLClaims {
  private(set) var places: Set<Int> = []
  private(set) var leaves: Set<Int> = []
  private(set) var references: Set<Int> = []

  init(of trees: [StructureTree]) {
    let format = YAMLFormat()
    for tree in trees {
      var pending = [(node: StructureTree.root, place: 0)]
      while let (node, place) = pending.popLast() {
        for member in tree.members(of: node) {
          var hasher = Hasher()
          hasher.combine(place)
          if tree[node].kind.isMapping { hasher.combine(tree.name(of: member, format)) }
          let inner = hasher.finalize()
          places.insert(inner)
          guard tree[member].kind == .leaf else {
            pending.append((member, inner))
            continue
          }
          let leaf = tree.mixed(tree[member].valueHash, inner)
          leaves.insert(leaf)
          if tree.bytes[tree[member].value].first == UInt8(ascii: "*") { references.insert(leaf) }
        }
      }
    }
  }
}
