/// Finds values of repeated keys that both sides replaced differently.
///
/// Such values are identified by their contents, so nothing else shows that two new values replace the same
/// one.
struct ReplacedKeys {
  private let format: SettingsFormat

  init(_ format: SettingsFormat) { self.format = format }

  /// Asks about the different replacements of the same values.
  func rulings(on trees: MergeSides<StructureTree>) -> MergeRulings {
    var rulings = MergeRulings()
    guard let base = trees.base.map(keys) else { return rulings }
    let (ours, theirs) = (keys(in: trees.ours), keys(in: trees.theirs))
    for (key, old) in base {
      guard let own = ours[key], let other = theirs[key], max(own.count, other.count) > 1 else {
        continue
      }
      let areReplaced = old.keys.contains { own[$0] == nil && other[$0] == nil }
      let added = own.filter { old[$0.key] == nil && other[$0.key] == nil }
      let otherAdded = other.filter { old[$0.key] == nil && own[$0.key] == nil }
      guard areReplaced, !added.isEmpty, !otherAdded.isEmpty else { continue }
      let name = String(decoding: key.last ?? [], as: UTF8.self)
      let ruling = MergeRulings.Ruling.asked("Both sides replaced the same “\(name)”, differently.")
      for node in added.values { rulings.ours[node] = ruling }
      for node in otherAdded.values { rulings.theirs[node] = ruling }
      rulings.overrulesLines = true
    }
    return rulings
  }

  /// Returns the values of each key in each section, with their nodes.
  private func keys(in tree: StructureTree) -> [[[UInt8]]: [[UInt8]: Int]] {
    var keys: [[[UInt8]]: [[UInt8]: Int]] = [:]
    for member in tree.members(of: StructureTree.root) {
      let isSection = tree[member].kind == .table
      let section = isSection ? [tree.name(of: member, format)] : []
      for entry in isSection ? tree.members(of: member) : [member] {
        let key = format.name(ofKey: tree.bytes[tree[entry].key])
        keys[section + [key], default: [:]][Array(tree.bytes[tree[entry].value])] = entry
      }
    }
    return keys
  }
}
