internal import DocumentFiles
internal import Foundation
internal import SystemPackage

/// Searches a container for documents in conflict.
struct DocumentsInConflict {
  private let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Returns the documents in conflict below a folder; see ``VersionStore/documentsInConflict(below:)``.
  func documents(below folder: URL, watchedBy watch: ConflictWatch) throws -> [URL]? {
    guard let (folder, container) = try ContainerFolder.holding(folder) else { return nil }
    return try watch.conflicts(below: folder, in: container, checking: status)
      ?? documents(below: folder, in: container, leastAge: Freshness.leastAge)
  }

  /// Returns the documents in conflict, after checking each document.
  ///
  /// - Parameter leastAge: the time for which documents must have been left alone to be recorded, in
  ///   nanoseconds.
  func documents(
    below folder: FilePath, in container: FilePath, leastAge: Int64
  ) throws -> [URL] {
    let (documents, findings) = try search(below: folder, in: container, leastAge: leastAge)
    let unclear = findings.unclear.map { documents[$0].location(in: container) }
    let areInConflict = ForkJoin.map(unclear.count, atMost: ForkJoin.coreCount) {
      status(of: unclear[$0]).isInConflict
    }
    let more = zip(findings.unclear, areInConflict).filter(\.1).map(\.0)
    return (findings.inConflict + more).sorted().map { documents[$0].location(in: container).url }
  }

  /// Returns the documents below a folder that may be in conflict, in the order of their paths.
  ///
  /// - Returns: the documents; `nil` if the folder isn't in a container.
  func candidates(below folder: URL) throws -> [URL]? {
    guard let (folder, container) = try ContainerFolder.holding(folder) else { return nil }
    let (documents, findings) = try search(
      below: folder, in: container, leastAge: Freshness.leastAge)
    return (findings.inConflict + findings.unclear).sorted()
      .map { documents[$0].location(in: container).url }
  }

  private func search(
    below folder: FilePath, in container: FilePath, leastAge: Int64
  ) throws -> (documents: [Layout.StoredDocument], findings: ConflictSearch.Findings) {
    let freshness = Freshness(readSince: environment.fileClock.now, leastAge: leastAge)
    let documents = try Layout.storedDocuments(in: container).below(folder, in: container)
    guard !documents.isEmpty else { return ([], ConflictSearch.Findings()) }
    let search = try ConflictSearch(in: container, at: documents.count)
    let findings = search.findings(among: documents)
    if !environment.isDryRun { search.record(findings, isOfAll: folder == container, freshness) }
    return (documents, findings)
  }

  /// Opens a document that may be in conflict.
  func status(of location: DocumentLocation) -> ConflictStatus {
    do {
      let reader = try StoreReader(location, in: environment)
      return ConflictStatus(
        isInConflict: try reader.heads.divergent().count > 1,
        isLasting: reader.objects.lostVersions.isEmpty)
    } catch {
      // Its state is unknown, which is not the same as no conflict.
      return ConflictStatus(isInConflict: true, isLasting: false)
    }
  }
}
