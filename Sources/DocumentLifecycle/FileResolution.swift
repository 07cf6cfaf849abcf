internal import DocumentConflicts
internal import DocumentCoordination
internal import DocumentStore

/// Resolves the conflict of an open document, and shows the result.
@MainActor
struct FileResolution {
  private let document: Document
  private var file: TrackedFile { document.file }

  init(of document: Document) { self.document = document }

  /// Lets the strategy decide while the document can be edited and accessed, because a person may take long.
  func resolve(_ strategy: ResolutionStrategy) async throws -> ResolutionOutcome {
    try await document.keepEdits()
    // Unsaved changes of other programs take part, too.
    try await document.lane.run { [document] in try await document.access.reading(asking: true) {} }
    let outcome = try await ConflictResolver(strategy, store: document.environment.store)
      .resolve(document.fileURL) { settle in
        try await document.withoutEditing {
          // A version of what was edited meanwhile makes the decision outdated.
          try await document.keepEdits()
          return try await document.lane.run { try await write(settle) }
        }
      }
    try await document.lane.run { [document] in
      guard document.isOpen else { return }
      await document.refreshConflict()
      await document.observe()
    }
    return outcome
  }

  /// Writes the resolution, and shows it, in the lane.
  private func write(_ settle: ConflictResolver.Settling) async throws -> FileVersion {
    guard document.isOpen else { throw DocumentError.isClosed(document.fileURL) }
    let (former, form) = (document.fileURL, document.form)
    let intent = FileAccessIntent.writingIntent(with: former, options: .forMoving)
    return try await document.busy(form) {
      try await document.access.writing([intent]) { moved in
        let version = try await settle()
        file.url = version.documentURL
        try moved(former, file.url)
        try await document.read(because: .resolved, as: form)
        return version
      }
    }
  }
}
