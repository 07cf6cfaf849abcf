import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation

/// The exchange between devices.
extension ModelWorld {
  /// Exchanges one device with the folder, and predicts its state afterward.
  ///
  /// - Returns: whether the model has changed anywhere.
  @discardableResult
  mutating func exchange(_ index: Int) throws -> Bool {
    let before = (devices[index].model, folder)
    let results = try meet(index)
    if let failure = results.compactMap(\.failure).first { throw mismatch("exchange: \(failure)") }
    try receive(index)
    try showCurrent(index)
    send(index)
    return (before.0.heads, before.0.contents, before.1.heads, before.1.contents)
      != (devices[index].model.heads, devices[index].model.contents, folder.heads, folder.contents)
  }

  private mutating func receive(_ index: Int) throws {
    var model = devices[index].model
    var arrived = graph.maximal(model.heads.union(folder.heads))
    let wanted = folder.contents.subtracting(model.contents).subtracting(model.removed)
    guard arrived != model.heads || !wanted.isEmpty else { return }
    if arrived != model.heads, model.unsaved != nil, model.base != nil {
      try noteKeptEdits(index, keptEdits(index))
      model = devices[index].model
      arrived = graph.maximal(model.heads.union(folder.heads))
    }
    devices[index].model.heads = arrived
    try takeContents(index, from: wanted)
    try takeJoins(index)
  }

  /// Adds the versions in which a device joined heads without asking, and checks that there are no others and
  /// none is missing.
  private mutating func takeJoins(_ index: Int) throws {
    let joins = try history(index).versions.filter {
      $0.kind == .join && graph.versions[$0.id] == nil
    }
    for join in joins.sorted(by: { $0.savingDate < $1.savingDate }) {
      let parents = Set(join.parents)
      let contents = Set(parents.map(graph.content))
      let text = try text(ofJoin: join)
      let isRight =
        contents.contains(text)
        && (contents.count == 1
          || parents.count == 2 && graph.meet(join.parents[0], join.parents[1]))
      guard isRight || hasUndone, parents.isSubset(of: devices[index].model.heads) else {
        throw mismatch("\(devices[index].name) has joined \(short(parents))")
      }
      try note(join, parents: parents, content: text)
      devices[index].model.settle(parents, with: join.id)
    }
    // If a merge was undone, more than its versions matters.
    guard !hasUndone, let rest = graph.undisputed(among: devices[index].model.heads) else { return }
    throw mismatch("\(devices[index].name) has not joined \(short(rest))")
  }

  private func text(ofJoin join: FileVersion) throws -> String? {
    try join.isDeletion ? nil : text(of: join)
  }

  private var hasUndone: Bool { story.contains { $0.hasSuffix("undoes") } }

  // MARK: Devices that start apart

  /// Resets a device to a file with some text, without its former versions.
  mutating func startApart(_ index: Int, with text: String) throws {
    try FileManager.default.removeItem(at: devices[index].device[".docversions"])
    devices[index].model = ModelDevice()
    try edit(index, to: text)
    try save(index)
  }

  /// Adds contents: those of heads always arrive; those of other versions arrive if some device still
  /// publishes them, which depends on its withdrawals.
  private mutating func takeContents(_ index: Int, from published: Set<ID>) throws {
    let local = Set(try history(index).versions.filter(\.hasLocalContents).map(\.id))
    devices[index].model.contents.formUnion(published.intersection(local))
    for head in devices[index].model.heads where graph.content(of: head) != nil {
      guard devices[index].model.contents.contains(head) else {
        throw mismatch("\(devices[index].name) lacks the contents of the head \(head.short)")
      }
    }
  }

  /// Returns the version that this device's edits became, which follows the base, and which no other device
  /// has yet.
  private func keptEdits(_ index: Int) throws -> FileVersion? {
    let base = devices[index].model.base
    return try history(index).versions.first {
      graph.versions[$0.id] == nil && $0.kind == .save
        && $0.parents.first == origin(of: $0, on: base)
    }
  }

  private mutating func showCurrent(_ index: Int) throws {
    let model = devices[index].model
    guard model.unsaved == nil, let current = graph.ranked(model.heads).first else { return }
    devices[index].model.base = current
  }

  private mutating func send(_ index: Int) {
    let heads = devices[index].model.heads
    let settled = graph.ancestors(of: heads).subtracting(heads)
    folder.heads = folder.heads.union(heads).subtracting(settled)
    folder.contents.formUnion(
      devices[index].model.contents.filter { graph.content(of: $0) != nil })
  }

  // MARK: Copies of whole containers

  /// Copies a device with everything on it, so that two devices have the same identity.
  mutating func clone(_ index: Int) throws {
    try devices.append(copy(index, as: "clone-\(devices.count)"))
  }

  /// Replaces a device by an earlier copy of its container.
  mutating func replace(_ index: Int, by copy: ModelledDevice) throws {
    let container = devices[index].device.container
    try FileManager.default.removeItem(at: container)
    devices[index].device = try copy.device.copied(to: container)
    devices[index].model = copy.model
  }

  /// Makes a backup copy of a device's container.
  func backup(_ index: Int, number: Int) throws -> ModelledDevice {
    try copy(index, as: "backup-\(number)")
  }

  private func copy(_ index: Int, as name: String) throws -> ModelledDevice {
    var copy = devices[index]
    copy.device = try copy.device.copied(to: world.scratch[name])
    return copy
  }
}
