import DocumentVersions
import Foundation

/// All versions that were ever made, and the versions that each is based on: causality in plain Swift, with
/// which the stores are compared.
struct ModelGraph {
  typealias ID = FileVersion.PersistentIdentifier

  struct Version {
    let parents: [ID]
    /// The contents; nil for a deletion.
    let content: String?
    let date: Date
    /// The version that it reverts, if it has the contents from before that version.
    var reverted: ID?
  }

  private(set) var versions: [ID: Version] = [:]

  mutating func add(_ id: ID, _ version: Version) {
    versions[id] = version
  }

  /// Records the version that a version reverts.
  mutating func setMissed(_ missed: ID?, by id: ID) {
    guard let version = versions[id], version.parents.count == 1,
      let parent = version.parents.first,
      content(of: parent) == version.content
    else { return }
    versions[id]?.reverted = missed
  }

  func content(of id: ID) -> String? {
    versions[id]?.content
  }

  /// Returns versions and all their ancestors.
  func ancestors(of ids: some Sequence<ID>) -> Set<ID> {
    var found: Set<ID> = []
    var pending = Array(ids)
    while let next = pending.popLast() {
      if found.insert(next).inserted { pending += versions[next]?.parents ?? [] }
    }
    return found
  }

  /// Returns the versions that are no ancestors of the others.
  func maximal(_ ids: Set<ID>) -> Set<ID> {
    ids.subtracting(ids.flatMap { ancestors(of: versions[$0]?.parents ?? []) })
  }

  /// Returns several heads in order, the current one first.
  func ranked(_ heads: Set<ID>) -> [ID] {
    heads.sorted { left, right in
      guard let first = versions[left], let second = versions[right] else { return false }
      if (first.content == nil) != (second.content == nil) { return first.content != nil }
      return first.date != second.date
        ? first.date > second.date : left.description > right.description
    }
  }

  // MARK: What nobody disputes

  /// Returns the heads that must be joined, if any: they have the same contents, or only one of two has
  /// changed them.
  func undisputed(among heads: Set<ID>) -> Set<ID>? {
    let equal = Dictionary(grouping: heads) { content(of: $0) }.values.first { $0.count > 1 }
    if let equal { return Set(equal) }
    let sorted = heads.sorted { $0.description < $1.description }
    for (index, left) in sorted.enumerated() {
      for right in sorted.dropFirst(index + 1) where meet(left, right) { return [left, right] }
    }
    return nil
  }

  /// Returns whether only one of two versions has changed the contents of their base.
  func meet(_ left: ID, _ right: ID) -> Bool {
    guard content(of: left) != nil, content(of: right) != nil, let base = base(of: left, right)
    else { return false }
    // Only a person can tell whether a change was reverted on purpose.
    guard !mayTakeBack(left, from: right), !mayTakeBack(right, from: left) else { return false }
    return !hasChanged(left, since: base) || !hasChanged(right, since: base)
  }

  private func mayTakeBack(_ side: ID, from other: ID) -> Bool {
    guard let reverted = versions[side]?.reverted else { return false }
    return ancestors(of: [other]).contains(reverted) && !ancestors(of: [side]).contains(reverted)
  }

  /// Returns the latest version that both are based on, or that they have in common by its contents.
  private func base(of left: ID, _ right: ID) -> ID? {
    let (ours, theirs) = (ancestors(of: [left]), ancestors(of: [right]))
    let common = maximal(ours.intersection(theirs).filter { content(of: $0) != nil })
    if !common.isEmpty { return common.count == 1 ? common.first : nil }
    func shared(_ own: Set<ID>, with others: Set<ID>) -> Set<ID> {
      let texts = Set(others.compactMap(content))
      return maximal(own.filter { content(of: $0).map(texts.contains) == true })
    }
    let both = shared(ours, with: theirs).union(shared(theirs, with: ours))
    return Set(both.map { content(of: $0) }).count == 1 ? both.first : nil
  }

  private func hasChanged(_ side: ID, since base: ID) -> Bool {
    let way = ancestors(of: [side]).subtracting(ancestors(of: [base]))
      .filter { $0 == side || ancestors(of: [$0]).contains(base) }
    return way.contains { content(of: $0) != content(of: base) }
  }
}

/// The expected state of the document on one device.
struct ModelDevice {
  typealias ID = ModelGraph.ID

  var heads: Set<ID> = []
  /// The version that the file was last saved as or written from.
  var base: ID?
  /// The versions whose contents are on the device.
  var contents: Set<ID> = []
  /// The versions that were removed on the device.
  var removed: Set<ID> = []
  /// The state before each removal, oldest first.
  var removals: [ModelWorld.Removal] = []
  /// The resolutions that removed everything else, with the number of that removal.
  var removingResolutions: [ID: Int] = [:]
  /// The contents of the edited file, until it is saved.
  var unsaved: String?

  /// Adds a version that follows only the base.
  mutating func follow(_ old: ID?, with new: ID) {
    if let old { heads.remove(old) }
    heads.insert(new)
    contents.insert(new)
  }

  /// Adds a version that settles heads.
  mutating func settle(_ old: some Sequence<ID>, with new: ID) {
    heads.subtract(old)
    heads.insert(new)
    contents.insert(new)
  }
}

/// The expected state of the folder between the devices.
struct ModelFolder {
  var heads: Set<ModelGraph.ID> = []
  var contents: Set<ModelGraph.ID> = []
}
