internal import DocumentFiles
internal import DocumentGit

/// The ids that the versions of a document name, regardless of the store's config.
package enum RecordedIdentifiers {
  /// Reads the ids; none if they can't be read.
  package static func of(
    _ location: DocumentLocation, reportingTo progress: OperationProgress?
  ) throws -> Set<String> {
    let store = location.store
    do {
      let objects = StoredObjects(
        in: store, meter: ByteMeter(progress: progress))
      let heads = try StoredReferences(in: store).below(HeadName.prefix)
      return try Set(
        heads.compactMap { _, head in
          let record = try objects.content(head.target)?.record ?? head.target
          return try objects.record(record)?.facts.document.description
        })
    } catch is FileError {
      return []
    } catch let error as GitError where !error.isFromSystem {
      return []
    }
  }
}
