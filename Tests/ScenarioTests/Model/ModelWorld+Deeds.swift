import DocumentVersions
import Foundation

/// The deeds on one device, for the store and the model.
extension ModelWorld {
  mutating func edit(_ index: Int, to text: String) throws {
    try Data(text.utf8).write(to: url(index))
    devices[index].model.unsaved = text
  }

  mutating func save(_ index: Int, base given: ID? = nil) throws {
    guard let text = devices[index].model.unsaved else { return }
    let base = given ?? devices[index].model.base
    let outcome = try store(index).save(
      url(index), base: try given.map { try version($0, on: index) })
    let origin = given == nil ? origin(of: outcome.version, on: base) : base
    try note(outcome.version, parents: Set([origin].compactMap(\.self)), content: text)
    graph.setMissed(outcome.missedVersion?.id, by: outcome.version.id)
    devices[index].model.follow(origin, with: outcome.version.id)
    devices[index].model.base = outcome.version.id
    devices[index].model.unsaved = nil
  }

  /// Returns the version that edits are based on: the one that the document showed, or an earlier one if they
  /// have nothing of the later ones.
  func origin(of version: FileVersion, on base: ID?) -> ID? {
    guard let base, let parent = version.parents.first, version.parents.count == 1,
      graph.ancestors(of: [base]).contains(parent)
    else { return base }
    return parent
  }

  mutating func resolve(_ index: Int, by strategy: ResolutionStrategy) async throws {
    let isConflict = devices[index].model.heads.count > 1
    let resolver = ConflictResolver(strategy, store: VersionStore(store(index)))
    switch try await resolver.resolve(url(index)) {
    case .noConflict:
      if isConflict { throw mismatch("no conflict was found to resolve") }
    case .unresolved:
      throw mismatch("the strategy left the conflict open")
    case .resolved(let resolution):
      guard isConflict else { throw mismatch("something was resolved, but there is no conflict") }
      try noteKeptEdits(index, resolution.keptEdits)
      let version = resolution.version
      let content = try version.isDeletion ? nil : text(of: version)
      let heads = devices[index].model.heads
      try note(version, parents: heads, content: content)
      if let chosen = resolution.chosen, graph.content(of: chosen.id) != content {
        throw mismatch("\(version.id.short) has not the contents of \(chosen.id.short)")
      }
      devices[index].model.settle(heads, with: version.id)
      devices[index].model.base = version.id
    }
  }

  mutating func restore(_ index: Int, to id: ID) throws {
    let outcome = try store(index).restore(version(id, on: index))
    try noteKeptEdits(index, outcome.keptEdits)
    guard let current = graph.ranked(devices[index].model.heads).first else { return }
    if graph.content(of: id) != graph.content(of: current) {
      try note(outcome.version, parents: [current], content: graph.content(of: id))
      devices[index].model.follow(current, with: outcome.version.id)
    } else if outcome.version.id != current {
      throw mismatch("restoring what is current made \(outcome.version.id.short)")
    }
    devices[index].model.base = outcome.version.id
  }

  mutating func remove(_ index: Int, _ id: ID) throws {
    let version = try version(id, on: index)
    willRemove(index)
    try version.remove()
    devices[index].model.removed.insert(id)
    devices[index].model.contents.remove(id)
  }

  mutating func removeOthers(_ index: Int) throws {
    let heads = devices[index].model.heads
    guard let current = graph.ranked(heads).first else { return }
    willRemove(index)
    let version = try store(index).removeOthers(of: url(index))
    if heads.count > 1 {
      try note(version, parents: heads, content: graph.content(of: current))
      devices[index].model.settle(heads, with: version.id)
      showIfClean(index, version.id, settling: heads)
      let number = devices[index].model.removals.count - 1
      devices[index].model.removingResolutions[version.id] = number
    }
    devices[index].model.removed = graph.ancestors(of: [version.id]).subtracting([version.id])
    devices[index].model.contents = [version.id]
  }

  mutating func markResolved(_ index: Int, _ settled: Set<ID>) throws {
    guard let current = graph.ranked(devices[index].model.heads).first else { return }
    let versions = try settled.map { try version($0, on: index) }
    let marking = try store(index).markResolved(versions, of: url(index))
    let parents = settled.union([current])
    // It has the current version's contents, follows it, and so is the current one now.
    try note(marking, parents: parents, content: graph.content(of: current))
    devices[index].model.settle(parents, with: marking.id)
    showIfClean(index, marking.id, settling: parents)
  }

  private mutating func showIfClean(_ index: Int, _ id: ID, settling settled: Set<ID>) {
    let model = devices[index].model
    guard model.unsaved == nil, let base = model.base, settled.contains(base) else { return }
    devices[index].model.base = id
  }

  mutating func delete(_ index: Int) throws {
    let version = try store(index).delete(url(index))
    if devices[index].model.unsaved != nil {
      // The edits became a version, which the deletion follows.
      let kept = try history(index).versions.first { $0.id == version.parents.first }
      try noteKeptEdits(index, kept)
    }
    guard let base = devices[index].model.base else { return }
    if graph.content(of: base) != nil {
      try note(version, parents: [base], content: nil)
      devices[index].model.follow(base, with: version.id)
    } else if version.id != base {
      throw mismatch("deleting what is deleted made \(version.id.short)")
    }
    devices[index].model.base = version.id
  }
}
