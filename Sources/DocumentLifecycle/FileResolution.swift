internal import DocumentConflicts
internal import DocumentCoordination
internal import DocumentStore

/// Resolves the conflict of an open document, in the lane, and shows the result.
@MainActor
struct FileResolution {
  private let document: Document
  private var file: TrackedFile { document.file }

  init(of document: Document) { self.document = document }

  func resolve(_ strategy: ResolutionStrategy, as form: DiskForm) async throws -> ResolutionOutcome
  {
    let former = document.fileURL
    let intent = FileAccessIntent.writingIntent(with: former, options: .forMoving)
    return try await document.access.writing([intent]) { moved in
      let outcome = try await ConflictResolver(strategy, store: document.environment.store)
        .resolve(former)
      if case .resolved(let resolution) = outcome {
        file.url = resolution.version.documentURL
        try moved(former, file.url)
        try await document.read(because: .resolved, as: form)
        file.lastKept = file.base
      }
      await document.refreshConflict()
      return outcome
    }
  }
}
