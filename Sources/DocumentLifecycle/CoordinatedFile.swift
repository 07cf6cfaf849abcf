internal import DocumentCoordination
internal import DocumentFiles
internal import DocumentStore
internal import Foundation

/// The accesses of an open document to its file, coordinated with those of other programs.
@MainActor
struct CoordinatedFile {
  private let document: Document

  init(of document: Document) { self.document = document }

  /// Reads the file while no other program writes it.
  ///
  /// Opening a document only to view it leaves no trace: outside a container, it is read without coordination.
  ///
  /// - Parameter asking: whether other programs are asked to save first.
  func reading<Result>(
    asking: Bool, _ body: @MainActor () async throws -> Result
  ) async throws -> Result {
    guard document.environment.isCoordinated, await hasMeetingPlace() else {
      return try await body()
    }
    let intent = FileAccessIntent.readingIntent(
      with: document.fileURL, options: asking ? [] : .withoutChanges)
    return try await coordinated([intent]) { _ in try await body() }
  }

  /// Writes one or more files while no other program reads or writes them.
  ///
  /// - Parameter body: receives a function that reports the new location of a moved item.
  func writing<Result>(
    _ intents: [FileAccessIntent],
    _ body: @MainActor (_ moved: @MainActor (URL, URL) throws -> Void) async throws -> Result
  ) async throws -> Result {
    guard document.environment.isCoordinated else { return try await body { _, _ in } }
    return try await coordinated(intents, body)
  }

  /// Writes the file while no other program reads or writes it.
  func writing<Result>(
    _ body: @MainActor () async throws -> Result
  ) async throws -> Result {
    try await writing([.writingIntent(with: document.fileURL)]) { _ in try await body() }
  }

  /// Performs a coordinated access, or an uncoordinated one if the system doesn't support coordination; even
  /// then, no save reverts another one.
  private func coordinated<Result>(
    _ intents: [FileAccessIntent],
    _ body: @MainActor (_ moved: @MainActor (URL, URL) throws -> Void) async throws -> Result
  ) async throws -> Result {
    let coordinator = coordinator
    var hasBegun = false
    do {
      let result = try await coordinator.coordinateInPlace(with: intents) {
        hasBegun = true
        return try await body { try coordinator.item(at: $0, didMoveTo: $1) }
      }
      // What prevented the coordination of an earlier access may be over.
      if document.state.contains(.uncoordinated) { await present() }
      return result
    } catch {
      guard !hasBegun, !(error is CoordinationError), !(error is CancellationError) else {
        throw error
      }
      // If this fails, too, the error is about the file.
      let result = try await body { _, _ in }
      if document.isOpen { document.state.insert(.uncoordinated) }
      return result
    }
  }

  /// A program that doesn't answer in time is bypassed: its contents in memory become a version in conflict.
  private var coordinator: FileCoordinator {
    FileCoordinator(
      filePresenter: document, patience: document.environment.patience, takesOver: true)
  }

  private func hasMeetingPlace() async -> Bool {
    let url = document.fileURL
    do {
      return try await BlockingPool.shared.run {
        try !ItemLocation(of: url, in: SynchronousStore()).containers.isEmpty
      }
    } catch {
      // Reading then reports the error.
      return false
    }
  }

  /// Registers the document as a presenter; if that fails, the state shows it.
  func present() async {
    guard document.environment.isCoordinated else { return }
    do {
      try await FileCoordinator.addFilePresenterIfInContainer(document)
      document.state.remove(.uncoordinated)
    } catch {
      if document.isOpen { document.state.insert(.uncoordinated) }
    }
  }

  func endPresenting() async {
    guard document.environment.isCoordinated else { return }
    await FileCoordinator.removeFilePresenter(document)
  }
}
