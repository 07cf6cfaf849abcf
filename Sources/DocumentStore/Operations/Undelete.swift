internal import DocumentFiles
internal import DocumentGit
public import Foundation

/// Bringing removed and thinned versions back.
extension VersionStore {
  /// The versions that were removed or thinned on this device, and whose contents can still be brought back,
  /// newest first.
  public func removedVersions(of document: URL) throws -> [FileVersion] {
    try reading(document) { store in
      try store.removedContents().keys.map { try store.version($0, for: self) }
        .filter { !$0.isDeletion }
        .sorted { ($0.savingDate, $0.id.description) > ($1.savingDate, $1.id.description) }
    }
  }

  /// Brings the contents of removed versions back; they are listed again as they were.
  ///
  /// That works until the store is collected after the removal's grace time.
  ///
  /// - Parameters:
  ///   - versions: some of ``removedVersions(of:)``; nil for all. Those that are there are passed over.
  ///   - document: the document.
  /// - Returns: the versions that are back.
  /// - Throws: ``VersionError`` with code `contentsNotLocal` for one that cannot be brought back; then none
  ///   is.
  @discardableResult
  public func undelete(_ versions: [FileVersion]? = nil, of document: URL) throws -> [FileVersion] {
    try changing(document) { store in
      let removed = try store.removedContents()
      let present = try store.rail()
      let ids = try versions?.map { try store.knownRecord($0).id } ?? Array(removed.keys)
      let wanted = Set(ids).filter { present[$0] == nil }
      if let lost = wanted.first(where: { removed[$0] == nil }) {
        throw VersionError(
          .contentsNotLocal, document: store.location.printable,
          message: """
            The contents of \(try store.record(lost).shortName) of “\(store.location.printable)” can’t be \
            brought back: they are not on this device any more.
            """)
      }
      if wanted.isEmpty { return [] }
      let plan = try store.railPlan(bringingBack: wanted)
      if let stray = try store.unreachable(wanted, by: plan).min() {
        throw VersionError(
          .contentsNotLocal, document: store.location.printable,
          message: """
            \(try store.record(stray).shortName) of “\(store.location.printable)” was not removed: what followed it \
            is lost, and nothing leads to it any more.
            """,
          recovery: .repairFindingLost)
      }
      if !isDryRun { try store.rewriteRail(plan, keepingTrash: false) }
      return try wanted.map { try store.version($0, for: self) }
        .sorted { $0.savingDate > $1.savingDate }
    }
  }
}
