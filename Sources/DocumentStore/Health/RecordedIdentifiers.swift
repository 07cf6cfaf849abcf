internal import DocumentFiles
internal import DocumentGit

extension DocumentLocation {
  /// The ids that the document's versions name, whatever its store says; none where they can't be read.
  package func recordedIdentifiers(
    reportingTo progress: OperationProgress?
  ) throws -> Set<String> {
    do {
      let objects = StoredObjects(
        in: store, meter: ByteMeter(progress: progress))
      let heads = try StoredReferences(in: store).below(Head.prefix)
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
