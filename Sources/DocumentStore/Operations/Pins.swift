internal import DocumentFiles
internal import DocumentGit
public import Foundation

/// Pins: contents that stay on this device until somebody says otherwise.
extension VersionStore {
  /// Pins versions, or takes their pins back; other devices are not told.
  ///
  /// The contents of a pinned version are never thinned, and removing it is refused.
  ///
  /// - Throws: ``VersionError`` with code `contentsNotLocal` when the contents of one of them are not on
  ///   this device; then nothing is changed.
  public func setPinned(
    _ isPinned: Bool = true, _ versions: [FileVersion], of document: URL
  ) throws {
    try changing(document) { store in
      let ids = try versions.map { try store.localRecord($0).id }
      var plan = try store.railPlan()
      let changed = ids.filter { (plan.marks[$0]?.isPinned ?? false) != isPinned }
      guard !changed.isEmpty, !isDryRun else { return }
      for id in changed { plan.marks[id, default: ContentCommit.Marks()].isPinned = isPinned }
      try store.rewriteRail(plan, keepingTrash: false)
    }
  }
}

extension OpenStore {
  /// Refuses to remove contents of which some are pinned.
  func refuseIfPinned(_ ids: Set<ObjectID>) throws {
    let rail = try rail()
    let pinned = ids.filter { rail[$0]?.marks.isPinned == true }.sorted()
    guard !pinned.isEmpty else { return }
    let identifiers = pinned.map { FileVersion.PersistentIdentifier($0) }
    let names = identifiers.map(\.short).joined(separator: " ")
    throw VersionError(
      .pinnedVersion, document: location.printable,
      message: pinned.count == 1
        ? "Version \(names) of “\(location.printable)” is pinned and can’t be removed."
        : "Versions \(names) of “\(location.printable)” are pinned and can’t be removed.",
      recovery: .unpin(versions: identifiers.map(\.description)))
  }
}
