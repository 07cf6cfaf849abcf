/// Decides about the parts of entries that depend on each other.
struct GettextRulings {
  private let trees: MergeSides<StructureTree>
  private let format = GettextFormat()

  init(_ trees: MergeSides<StructureTree>) { self.trees = trees }

  func rulings(_ labels: MergeLabels) -> MergeRulings {
    let (ours, theirs) = (entries(in: trees.ours), entries(in: trees.theirs))
    let base = trees.base.map(entries) ?? [:]
    var rulings = MergeRulings()
    for (name, own) in ours {
      guard let other = theirs[name] else { continue }
      if let old = base[name] {
        let nodes = MergeSides(base: old, ours: own, theirs: other)
        if let explanation = doubt(about: nodes, labels) {
          rulings.overrulesLines = true
          for node in translations(of: own, in: trees.ours) {
            rulings.ours[node] = .asked(explanation)
          }
        }
      } else {
        rulings.ours.merge(rulingsOnAdded(own, other)) { first, _ in first }
      }
    }
    let explanation = "Only its places in the source were changed, by a program."
    for entry in entries(ours, in: trees.ours, withOtherPlacesThan: base, lackingIn: trees.theirs) {
      rulings.ours[entry] = .taken(.theirs, explanation)
    }
    for entry in entries(theirs, in: trees.theirs, withOtherPlacesThan: base, lackingIn: trees.ours)
    {
      rulings.theirs[entry] = .taken(.ours, explanation)
    }
    return rulings
  }

  /// Returns the entries that the other side removed, and of which only the places in the source differ from base's.
  private func entries(
    _ own: [[UInt8]: Int], in tree: StructureTree, withOtherPlacesThan base: [[UInt8]: Int],
    lackingIn other: StructureTree
  ) -> [Int] {
    guard let old = trees.base else { return [] }
    let known = Set(other.members(of: StructureTree.root).map { other.name(of: $0, format) })
    func contents(_ entry: Int, in tree: StructureTree) -> [[UInt8]: Int] {
      let parts = tree.members(of: entry).map { part in
        (tree.name(of: part, format), tree.contentHash(ofMember: part))
      }
      return Dictionary(parts) { $0 ^ $1 }.filter { $0.key != GettextEntry.places }
    }
    return own.compactMap { name, entry in
      guard !known.contains(name), let former = base[name],
        tree.contentHash(ofMember: entry) != old.contentHash(ofMember: former),
        tree.hash(ofComments: tree[entry].lead) == old.hash(ofComments: old[former].lead),
        contents(entry, in: tree) == contents(former, in: old)
      else { return nil }
      return entry
    }
  }

  /// Returns the entries whose names are unique, by name.
  private func entries(in tree: StructureTree) -> [[UInt8]: Int] {
    var doubled: Set<[UInt8]> = []
    var entries: [[UInt8]: Int] = [:]
    for entry in tree.members(of: StructureTree.root) {
      let name = tree.name(of: entry, format)
      if entries.updateValue(entry, forKey: name) != nil { doubled.insert(name) }
    }
    for name in doubled { entries[name] = nil }
    return entries
  }

  private func part(_ name: [UInt8], of entry: Int, in tree: StructureTree) -> Int? {
    tree.members(of: entry).first { tree.name(of: $0, format) == name }
  }

  private func translations(of entry: Int, in tree: StructureTree) -> [Int] {
    tree.members(of: entry).filter { tree.name(of: $0, format).starts(with: "msgstr".utf8) }
  }

  /// Returns a doubt about a translation that one side marked as correct while the other side changed it.
  private func doubt(about nodes: MergeSides<Int>, _ labels: MergeLabels) -> String? {
    guard let base = trees.base, let old = nodes.base, isFuzzy(old, in: base) else { return nil }
    let known = said(old, in: base)
    func confirms(_ entry: Int, _ tree: StructureTree) -> Bool {
      !isFuzzy(entry, in: tree) && said(entry, in: tree) == known
    }
    func explanation(_ one: String, _ other: String) -> String {
      "\(one) marked the translation as right, and \(other) changed it."
    }
    let (ours, theirs) = (said(nodes.ours, in: trees.ours), said(nodes.theirs, in: trees.theirs))
    if theirs != known, confirms(nodes.ours, trees.ours) {
      return explanation(labels.ours, labels.theirs)
    }
    if ours != known, confirms(nodes.theirs, trees.theirs) {
      return explanation(labels.theirs, labels.ours)
    }
    return nil
  }

  private func isFuzzy(_ entry: Int, in tree: StructureTree) -> Bool {
    guard let flags = part(GettextEntry.flags, of: entry, in: tree) else { return false }
    return GettextFlags(tree.bytes[tree[flags].value]).areFuzzy
  }

  /// Returns the translations of an entry, as hashes.
  private func said(_ entry: Int, in tree: StructureTree) -> [Int] {
    translations(of: entry, in: tree).map { tree[$0].valueHash }
  }

  /// Returns the rulings on entries that both sides added.
  ///
  /// A translation takes precedence over none, and either side's places in the source are correct.
  private func rulingsOnAdded(_ own: Int, _ other: Int) -> [Int: MergeRulings.Ruling] {
    let (ours, theirs) = (trees.ours, trees.theirs)
    var rulings: [Int: MergeRulings.Ruling] = [:]
    for node in translations(of: own, in: ours) {
      guard let theirNode = part(ours.name(of: node, format), of: other, in: theirs) else {
        continue
      }
      let areEmpty = [
        format.text(ofLeaf: ours.bytes[ours[node].value])?.isEmpty ?? false,
        format.text(ofLeaf: theirs.bytes[theirs[theirNode].value])?.isEmpty ?? false,
      ]
      guard areEmpty[0] != areEmpty[1] else { continue }
      rulings[node] = .taken(areEmpty[0] ? .theirs : .ours, "Only one side has translated it.")
    }
    if let node = part(GettextEntry.places, of: own, in: ours),
      let theirNode = part(GettextEntry.places, of: other, in: theirs)
    {
      let (one, two) = (ours.bytes[ours[node].value], theirs.bytes[theirs[theirNode].value])
      if one != two {
        let isOurs = RevisedLines.isAfter(one, two)
        rulings[node] = .taken(isOurs ? .ours : .theirs, "Either side's places are right.")
      }
    }
    return rulings
  }
}
