/// Asks about keys that one side renumbered, if the result has the other side's changes under numbers of different
/// records.
struct RenumberedKeys: MergeCheck {
  private typealias Records = [Int: NumberedKeys.Fields]

  private let form: NumberedKeys.Form

  init(_ form: NumberedKeys.Form) { self.form = form }

  func doubts(about merge: CleanMerge) -> [MergeDecision] {
    names(in: merge).map {
      .doubt("“\($0)” differs between the sides: one of them renumbered.")
    }
  }

  /// Returns the keys without the part after their numbers.
  private func names(in merge: CleanMerge) -> [String] {
    let base = NumberedKeys(merge.base, form).groups
    guard !base.isEmpty else { return [] }
    let ours = NumberedKeys(merge.ours, form).groups
    let theirs = NumberedKeys(merge.theirs, form).groups
    let changed = base.filter { group, records in
      let (own, other) = (ours[group] ?? [:], theirs[group] ?? [:])
      return own != records && other != records && own != other
    }
    guard !changed.isEmpty else { return [] }
    let merged = NumberedKeys(merge.result, form).groups
    return changed.compactMap { group, records in
      Self.misplaced(records, ours[group] ?? [:], theirs[group] ?? [:], merged[group] ?? [:])
        .map { String(decoding: group.prefix, as: UTF8.self) + "\($0)" }
    }
    .sorted()
  }

  /// Returns the number of a record that the result has in a wrong place; `nil` for none.
  private static func misplaced(
    _ base: Records, _ ours: Records, _ theirs: Records, _ result: Records
  ) -> Int? {
    let pairs = (places(of: base, in: ours), places(of: base, in: theirs))
    switch pairs {
    case (nil, nil): return nil
    case (let places?, nil): return misplaced(base, ours, places, theirs, result)
    case (nil, let places?): return misplaced(base, theirs, places, ours, result)
    // Both sides renumbered everything, in different ways.
    case (_?, _?): return base.keys.min()
    }
  }

  private static func misplaced(
    _ base: Records, _ side: Records, _ places: [Int: Int], _ other: Records, _ result: Records
  ) -> Int? {
    for (number, record) in base.sorted(by: { $0.key < $1.key }) {
      let edited = other[number]
      guard let place = places[number], let own = side[place] else {
        // The record was removed, and must not be edited under a number that another record has now.
        if edited != record { return number }
        continue
      }
      guard let edited else {
        // A record that the other side removed must not appear under its new number.
        if result[place] == own { return number }
        continue
      }
      if edited != record, result[place] != merged(record, own, edited) { return number }
    }
    return nil
  }

  /// Returns a record that both sides changed; `nil` if they contradict each other.
  private static func merged(
    _ base: NumberedKeys.Fields, _ ours: NumberedKeys.Fields, _ theirs: NumberedKeys.Fields
  ) -> NumberedKeys.Fields? {
    var merged: NumberedKeys.Fields = [:]
    for field in Set(base.keys).union(ours.keys).union(theirs.keys) {
      let (old, own, other) = (base[field], ours[field], theirs[field])
      guard own == other || own == old || other == old else { return nil }
      merged[field] = own == old ? other : own
    }
    return merged
  }

  /// Returns the new number of each remaining record; `nil` if no number went to another record.
  private static func places(of base: Records, in side: Records) -> [Int: Int]? {
    guard base != side else { return nil }
    let (old, new) = (base.keys.sorted(), side.keys.sorted())
    func record(_ records: Records, _ numbers: [Int], _ index: Int) -> NumberedKeys.Fields {
      records[numbers[index]] ?? [:]
    }
    func parts(_ record: NumberedKeys.Fields) -> [Int] {
      record.map { field, value in
        var hasher = Hasher()
        hasher.combine(field)
        hasher.combine(value)
        return hasher.finalize()
      }
      .sorted()
    }
    let outcome = Renumbering(oldIDs: old, newIDs: new).outcome(
      isUnchanged: { record(base, old, $0) == record(side, new, $1) },
      oldParts: { parts(record(base, old, $0)) }, newParts: { parts(record(side, new, $0)) },
      areAlike: { first, second in
        let (one, other) = (record(base, old, first), record(side, new, second))
        return one.count > 1 && one.count(where: { other[$0.key] == $0.value }) * 2 >= one.count
      })
    switch outcome {
    case .kept: return nil
    // Every record may have moved.
    case .doubtful: return [:]
    case .pairs(let pairs):
      return Dictionary(
        zip(new, pairs).compactMap { number, place in place.map { (old[$0], number) } },
        uniquingKeysWith: { first, _ in first })
    }
  }
}
