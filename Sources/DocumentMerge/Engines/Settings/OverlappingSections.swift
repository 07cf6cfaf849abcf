/// Finds sections that both sides added with different values for the same key.
///
/// If section names are patterns, both sections may apply to the same file, and their order determines the
/// value.
struct OverlappingSections {
  private let format: SettingsFormat

  init(_ format: SettingsFormat) { self.format = format }

  /// Asks about such sections.
  func rulings(on trees: MergeSides<StructureTree>) -> MergeRulings {
    var rulings = MergeRulings()
    guard let base = trees.base.map(sections) else { return rulings }
    let (ours, theirs) = (sections(in: trees.ours), sections(in: trees.theirs))
    func added(
      _ side: [[UInt8]: Int], _ other: [[UInt8]: Int]
    ) -> [Int] {
      side.filter { base[$0.key] == nil && other[$0.key] == nil }.values.sorted()
    }
    for own in added(ours, theirs) {
      for other in added(theirs, ours) {
        guard let key = contradiction(own, in: trees.ours, other, in: trees.theirs) else {
          continue
        }
        let name = String(decoding: key, as: UTF8.self)
        let ruling = MergeRulings.Ruling.asked(
          "Both sides added a section with another value of “\(name)”; the last one counts.")
        rulings.ours[own] = ruling
        rulings.theirs[other] = ruling
        rulings.overrulesLines = true
      }
    }
    return rulings
  }

  private func sections(in tree: StructureTree) -> [[UInt8]: Int] {
    let sections = tree.members(of: StructureTree.root).filter { tree[$0].kind == .table }
    return Dictionary(
      sections.map { (tree.name(of: $0, format), $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the first key to which two sections give different values.
  private func contradiction(
    _ own: Int, in ours: StructureTree, _ other: Int, in theirs: StructureTree
  ) -> [UInt8]? {
    let values = Dictionary(
      theirs.members(of: other).map { (theirs.name(of: $0, format), theirs[$0].valueHash) },
      uniquingKeysWith: { first, _ in first })
    for member in ours.members(of: own) {
      let key = ours.name(of: member, format)
      if let value = values[key], value != ours[member].valueHash { return key }
    }
    return nil
  }
}
