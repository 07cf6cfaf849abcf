/// Asks if one side changed the display name of a person and the other side the name's parts, because both
/// are one name.
struct CardNames {
  private(set) var rulings = MergeRulings()

  init(_ trees: MergeSides<StructureTree>, _ format: CalendarFormat) {
    guard let base = trees.base else { return }
    let (old, ours, theirs) = (
      Self.names(in: base, format), Self.names(in: trees.ours, format),
      Self.names(in: trees.theirs, format)
    )
    for (card, own) in ours {
      guard let known = old[card], let other = theirs[card] else { continue }
      let areShownChanged = [own, other].map { $0.shown.value != known.shown.value }
      let arePartsChanged = [own, other].map { $0.parts != known.parts }
      // A side that changed both is consistent.
      guard
        areShownChanged == [true, false] && arePartsChanged == [false, true]
          || areShownChanged == [false, true] && arePartsChanged == [true, false]
      else { continue }
      rulings.ours[own.shown.node] = .asked(
        "One side changed the display name, the other its parts.")
      rulings.overrulesLines = true
    }
  }

  /// The display name of a person, and the parts of the name.
  private struct Names {
    let shown: (node: Int, value: Int)
    let parts: Int
  }

  /// Returns the names of the people that have both, by the names of their cards.
  private static func names(
    in tree: StructureTree, _ format: CalendarFormat
  ) -> [[UInt8]: Names] {
    var names: [[UInt8]: Names] = [:]
    for card in tree.members(of: StructureTree.root) {
      let name = tree.name(of: card, format)
      guard name.starts(with: "VCARD ".utf8) else { continue }
      let members = tree.members(of: card)
      func member(_ name: String) -> Int? {
        members.first { tree.name(of: $0, format).elementsEqual(name.utf8) }
      }
      guard let shown = member("FN"), let parts = member("N") else { continue }
      names[name] = Names(
        shown: (shown, tree[shown].valueHash), parts: tree[parts].valueHash)
    }
    return names
  }
}
