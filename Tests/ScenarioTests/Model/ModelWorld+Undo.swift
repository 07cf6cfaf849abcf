import DocumentVersions
import Foundation

/// Undoing the last operation.
extension ModelWorld {
  /// The state of a device before a removal.
  struct Removal {
    let heads: Set<ID>
    /// The versions with contents, including deletions.
    let contents: Set<ID>
    let removed: Set<ID>
  }

  /// Records the state right before a removal.
  mutating func willRemove(_ index: Int) {
    let model = devices[index].model
    devices[index].model.removals.append(
      Removal(heads: model.heads, contents: contents(on: index), removed: model.removed))
  }

  /// Returns the versions whose contents are on a device, and the deletions, which have no contents that
  /// could be elsewhere.
  private func contents(on index: Int) -> Set<ID> {
    let model = devices[index].model
    let deletions = graph.ancestors(of: model.heads).filter { graph.content(of: $0) == nil }
    return model.contents.union(deletions.subtracting(model.removed))
  }

  /// Undoes the last operation, if the store can undo one; otherwise, nothing may change.
  mutating func undo(_ index: Int) throws {
    let outcome: UndoOutcome
    do {
      outcome = try store(index).undo(url(index))
    } catch let error as VersionError where error.code == .nothingToUndo {
      return story.append("  there is nothing to undo")
    } catch let error as VersionError where error.code == .contentsNotLocal {
      return story.append("  what is needed is not there any more")
    }
    guard let undone = outcome.undone else { return try undoRemoval(index) }
    guard devices[index].model.heads.contains(undone.id) else {
      throw mismatch("\(undone.id.short) was undone, but is no head")
    }
    if undone.parents.count > 1 {
      try undoResolution(index, undone)
    } else {
      try undoChange(index, undone, keptEdits: outcome.keptEdits)
    }
  }

  private mutating func undoRemoval(_ index: Int) throws {
    let model = devices[index].model
    let present = contents(on: index)
    let removal = model.removals.last { !$0.contents.isSubset(of: present) }
    guard let removal, removal.heads == model.heads else {
      throw mismatch("a removal was undone, but the last operation was none")
    }
    takeBack(removal, on: index)
  }

  private mutating func takeBack(_ removal: Removal, on index: Int) {
    let present = contents(on: index)
    devices[index].model.removed = removal.removed.subtracting(present)
    devices[index].model.contents = present.union(removal.contents)
  }

  private mutating func undoChange(
    _ index: Int, _ undone: FileVersion, keptEdits: FileVersion?
  ) throws {
    try noteKeptEdits(index, keptEdits)
    let parent = keptEdits.flatMap { $0.parents == [undone.id] ? $0.id : nil } ?? undone.id
    let again = try newVersions(index, following: parent)
    guard again.count == 1, let version = again.first else {
      throw mismatch("undoing \(undone.id.short) made \(short(Set(again.map(\.id))))")
    }
    let content = undone.parents.first.flatMap(graph.content)
    try note(version, parents: [parent], content: content)
    devices[index].model.follow(parent, with: version.id)
    devices[index].model.base = version.id
  }

  private mutating func undoResolution(_ index: Int, _ undone: FileVersion) throws {
    let again = try newVersions(index, following: undone.id).sorted {
      $0.savingDate > $1.savingDate
    }
    guard again.count == undone.parents.count else {
      throw mismatch("\(undone.id.short) settled \(undone.parents.count), \(again.count) are back")
    }
    // The version that was current is the latest.
    for (version, side) in zip(again, undone.parents) {
      try note(version, parents: [undone.id], content: graph.content(of: side))
    }
    let model = devices[index].model
    if let number = model.removingResolutions[undone.id] {
      takeBack(model.removals[number], on: index)
    }
    devices[index].model.settle([undone.id], with: again[0].id)
    for version in again.dropFirst() { devices[index].model.follow(nil, with: version.id) }
    if model.base == undone.id, model.unsaved == nil {
      devices[index].model.base = again[0].id
    }
  }

  /// Returns the versions that follow a version and that the model doesn't know yet.
  private func newVersions(_ index: Int, following parent: ID) throws -> [FileVersion] {
    try history(index).versions.filter {
      graph.versions[$0.id] == nil && $0.kind == .undo && $0.parents == [parent]
    }
  }
}
