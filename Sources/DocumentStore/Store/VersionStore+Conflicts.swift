internal import DocumentFiles
public import Foundation
internal import Synchronization
internal import SystemPackage

extension VersionStore {
  /// The documents below a folder that are in a conflict nobody has resolved, in the order of their paths.
  ///
  /// Quick: of the others only the reference and the ledger are read, and of those that have not changed since they
  /// were looked at, not even these. Where the same store, or a copy of it, is asked for the same folder again,
  /// only what the system says has changed meanwhile is looked at. A document whose versions cannot be read is
  /// in the list: ask for its history to see why.
  ///
  /// - Parameter folder: a container, or a folder inside one.
  /// - Returns: nil when the folder is in no container.
  public func documentsInConflict(below folder: URL) throws -> [URL]? {
    guard let (folder, container) = try containerFolder(of: folder) else { return nil }
    return try conflictWatch.conflicts(below: folder, in: container, for: self)
      ?? documentsInConflict(below: folder, in: container, leastAge: KnownMembers.leastAge)
  }

  /// The same by looking at each document.
  ///
  /// - Parameter leastAge: how long documents must have been left alone to be noted, in nanoseconds.
  func documentsInConflict(
    below folder: FilePath, in container: FilePath, leastAge: Int64
  ) throws -> [URL] {
    let (documents, findings) = try look(below: folder, in: container, leastAge: leastAge)
    let unclear = findings.unclear.map {
      (place: $0, location: documents[$0].location(in: container))
    }
    let found = Mutex(findings.inConflict)
    ForkJoin.perform(unclear.count, atMost: ForkJoin.coreCount) { index in
      guard lookClosely(at: unclear[index].location).isInConflict else { return }
      found.withLock { $0.append(unclear[index].place) }
    }
    return found.withLock { $0.sorted().map { documents[$0].location(in: container).url } }
  }

  /// The documents below a folder that may be in a conflict, in the order of their paths: for who looks at each
  /// anyway.
  ///
  /// - Returns: nil when the folder is in no container.
  package func documentsMaybeInConflict(below folder: URL) throws -> [URL]? {
    guard let (folder, container) = try containerFolder(of: folder) else { return nil }
    let (documents, findings) = try look(
      below: folder, in: container, leastAge: KnownMembers.leastAge)
    return (findings.inConflict + findings.unclear).sorted()
      .map { documents[$0].location(in: container).url }
  }

  private func look(
    below folder: FilePath, in container: FilePath, leastAge: Int64
  ) throws -> (documents: [Layout.StoredDocument], findings: ConflictLook.Findings) {
    // What changes while somebody looks may not show.
    let latest = FileClock.system.now &- leastAge
    let documents = try Layout.storedDocuments(in: container).below(folder, in: container)
    guard !documents.isEmpty else { return ([], ConflictLook.Findings()) }
    let look = try ConflictLook(in: container, at: documents.count)
    let findings = look.findings(among: documents)
    if !isDryRun {
      look.note(findings, isOfAll: folder == container, unchangedSince: latest)
    }
    return (documents, findings)
  }

  /// What opening a document tells of it.
  struct CloseLook {
    /// Whether it is in a conflict, as far as can be told.
    let isInConflict: Bool
    /// Whether that can change only with the references and what else is beside them, not by objects that appear.
    let isLasting: Bool
  }

  /// Opens a document that may be in a conflict.
  func lookClosely(at location: DocumentLocation) -> CloseLook {
    do {
      let store = try OpenStore(reading: location, for: self)
      return CloseLook(
        isInConflict: try store.divergentHeads().count > 1, isLasting: store.lostVersions.isEmpty)
    } catch {
      // Nothing is known of it: that is not the same as no conflict.
      return CloseLook(isInConflict: true, isLasting: false)
    }
  }
}
