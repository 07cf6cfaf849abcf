internal import DocumentFiles
public import DocumentPresenting
internal import DocumentStore
public import Foundation
internal import Synchronization
internal import SystemPackage

/// Coordinates access to files and folders between programs (`NSFileCoordinator`).
///
/// Presenters of an item are asked before an access and notified afterward, and a writer has exclusive access.
///
/// ```swift
/// try await FileCoordinator().coordinate(writingItemAt: url) { url in
///   try Data("new".utf8).write(to: url)
/// }
/// ```
///
/// An access lasts only while the accessor runs, so the accessor must not start work that outlasts it. It runs off the
/// main actor, unless it is declared to run there: `{ @MainActor url in … }`. No daemon is needed: processes meet in
/// the folder `.docversions` of the item's container, which the first access creates, like the first version. Programs
/// of other users and on other machines, and programs that don't coordinate, aren't excluded.
///
/// Use one coordinator for one operation. All calls are safe on any thread, and none blocks the threads of Swift's
/// cooperative pool.
public final class FileCoordinator: Sendable {
  private struct State {
    var isCancelled = false
  }

  let owner: LockTable.Owner
  let presenter: (any FilePresenter)?
  private let state = Mutex(State())
  /// The name of a purpose that coordinators share, in all processes; `nil` for a purpose of its own.
  public let purposeIdentifier: String?
  /// The longest time to wait for other accesses, and again for the answers of presenters.
  package let patience: Duration
  /// True if an access proceeds without presenters that don't answer in time.
  ///
  /// Such a program's unsaved changes aren't lost: when it continues, a ``Document`` finds the file changed, and its
  /// next save becomes a version in conflict.
  package let takesOver: Bool

  /// Creates a coordinator.
  ///
  /// - Parameters:
  ///   - filePresenter: the presenter that it acts for, which receives no messages about its accesses, except about
  ///     versions. Coordinators of one presenter, and nested accesses of one coordinator, don't wait for each other.
  ///   - purposeIdentifier: the name of a purpose; coordinators with the same purpose never wait for each other. An
  ///     empty name counts as none.
  ///   - patience: the longest time to wait for other accesses, and again for presenters.
  ///   - takesOver: whether to proceed without presenters that don't answer in time.
  public init(
    filePresenter: (any FilePresenter)? = nil, purposeIdentifier: String? = nil,
    patience: Duration = .seconds(5), takesOver: Bool = false
  ) {
    let purpose = purposeIdentifier?.isEmpty == false ? purposeIdentifier : nil
    presenter = filePresenter
    self.purposeIdentifier = purpose
    self.patience = patience
    self.takesOver = takesOver
    let known = filePresenter.flatMap { PresenterRegistry.shared.item(of: $0) }
    owner =
      purpose.map { .purpose($0) } ?? known.map { .presenter($0.identifier) }
      ?? .coordinator(UUID().uuidString)
  }

  // MARK: Accesses

  /// Reads an item.
  ///
  /// - Parameters:
  ///   - url: the item, which need not exist.
  ///   - options: how to read the item.
  ///   - accessor: a closure that receives the item's location, which may have changed.
  /// - Returns: the accessor's result.
  /// - Throws: ``CoordinationError`` and the errors of finding the item, before anything is done; the accessor's error.
  public func coordinate<Result: Sendable>(
    readingItemAt url: URL, options: ReadingOptions = [],
    byAccessor accessor: @concurrent @Sendable (URL) async throws -> Result
  ) async throws -> Result {
    try await coordinate(reading: url, options) { try await accessor($0) }
  }

  /// Writes, moves or deletes an item.
  ///
  /// - Parameters:
  ///   - url: the item, which need not exist.
  ///   - options: the kind of change.
  ///   - accessor: a closure that receives the item's location, which may have changed.
  /// - Returns: the accessor's result.
  /// - Throws: ``CoordinationError`` and the errors of finding the item, before anything is done; the accessor's error.
  public func coordinate<Result: Sendable>(
    writingItemAt url: URL, options: WritingOptions = [],
    byAccessor accessor: @concurrent @Sendable (URL) async throws -> Result
  ) async throws -> Result {
    let intent = FileAccessIntent.writingIntent(with: url, options: options)
    return try await coordinate(with: [intent]) { try await accessor(intent.url) }
  }

  /// Reads one item and writes another, with accesses that are granted together.
  public func coordinate<Result: Sendable>(
    readingItemAt readingURL: URL, options readingOptions: ReadingOptions = [],
    writingItemAt writingURL: URL, options writingOptions: WritingOptions = [],
    byAccessor accessor: @concurrent @Sendable (URL, URL) async throws -> Result
  ) async throws -> Result {
    let reading = FileAccessIntent.readingIntent(with: readingURL, options: readingOptions)
    let writing = FileAccessIntent.writingIntent(with: writingURL, options: writingOptions)
    return try await coordinate(with: [reading, writing]) {
      try await accessor(reading.url, writing.url)
    }
  }

  /// Writes two items, for example to move one, with accesses that are granted together.
  public func coordinate<Result: Sendable>(
    writingItemAt url1: URL, options options1: WritingOptions = [],
    writingItemAt url2: URL, options options2: WritingOptions = [],
    byAccessor accessor: @concurrent @Sendable (URL, URL) async throws -> Result
  ) async throws -> Result {
    let first = FileAccessIntent.writingIntent(with: url1, options: options1)
    let second = FileAccessIntent.writingIntent(with: url2, options: options2)
    return try await coordinate(with: [first, second]) {
      try await accessor(first.url, second.url)
    }
  }

  /// Reads and writes several items, with accesses that are granted together.
  ///
  /// - Parameters:
  ///   - intents: the items, which have their present location when the accessor runs.
  ///   - accessor: a closure that accesses the items.
  /// - Returns: the accessor's result.
  /// - Throws: ``CoordinationError`` and the errors of finding the items, before anything is done; the accessor's
  ///   error.
  public func coordinate<Result: Sendable>(
    with intents: [FileAccessIntent],
    byAccessor accessor: @concurrent @Sendable () async throws -> Result
  ) async throws -> Result {
    try await coordinateInPlace(with: intents) { try await accessor() }
  }

  /// Coordinates accesses in the same way, with an accessor that stays in the caller's isolation.
  package func coordinateInPlace<Result>(
    with intents: [FileAccessIntent], byAccessor accessor: () async throws -> Result
  ) async throws -> Result {
    let items = intents.map { RequestedItem(url: $0.url, use: $0.use) }
    // Items that wait for nothing are granted at once.
    guard items.contains(where: { !$0.isImmediate }) else { return try await accessor() }
    let access = try await begin(items)
    for (intent, url) in zip(intents, access.urls) { intent.url = url }
    return try await during(access, of: items) { try await accessor() }
  }

  /// Asks the presenters of items and their contents once, before many accesses to these.
  ///
  /// This excludes nothing, so coordinate the accesses inside the closure as usual.
  ///
  /// - Parameters:
  ///   - readingURLs: the items to read.
  ///   - readingOptions: how to read them.
  ///   - writingURLs: the items to write.
  ///   - writingOptions: the kind of change.
  ///   - body: a closure that makes the accesses.
  public func prepare<Result: Sendable>(
    forReadingItemsAt readingURLs: [URL] = [], options readingOptions: ReadingOptions = [],
    writingItemsAt writingURLs: [URL] = [], options writingOptions: WritingOptions = [],
    _ body: @concurrent @Sendable () async throws -> Result
  ) async throws -> Result {
    guard let first = (readingURLs + writingURLs).first else { return try await body() }
    guard !readingOptions.contains(.resolvesSymbolicLink), !writingOptions.contains(.forReplacing)
    else {
      throw CoordinationError(
        .invalidOptions, first,
        "These options aren’t available for preparing accesses, which follows no links and replaces nothing."
      )
    }
    let items =
      readingURLs.map { RequestedItem(url: $0, use: .reading(readingOptions), isPreparation: true) }
      + writingURLs.map {
        RequestedItem(url: $0, use: .writing(writingOptions), isPreparation: true)
      }
    let access = try await begin(items)
    return try await during(access, of: items) { try await body() }
  }

  // MARK: Inside an access

  /// Announces that an item is about to be moved; call this inside a coordinated write of the item.
  ///
  /// The announcement is optional; ``item(at:didMoveTo:)`` reports the move.
  public func item(at url: URL, willMoveTo target: URL) throws {
    _ = try writeAccess(to: url)
  }

  /// Reports that an item was moved; call this inside a coordinated write of the item.
  ///
  /// When the access is over, presenters of the item, of its contents and of the folders around it follow the move, and
  /// waiting accesses use its new location.
  ///
  /// - Throws: ``CoordinationError`` with code `outsideAccess` if this coordinator doesn't write the item.
  public func item(at url: URL, didMoveTo target: URL) throws {
    let access = try writeAccess(to: url)
    try access.noteMove(from: url, to: target)
  }

  /// Reports that attributes that concern syncing changed; call this inside a coordinated write of the item.
  ///
  /// - Throws: ``CoordinationError`` with code `outsideAccess` if this coordinator doesn't write the item.
  public func item(at url: URL, didChangeUbiquityAttributes attributes: Set<String>) throws {
    let access = try writeAccess(to: url)
    access.note(
      ItemChange(
        kind: .attributes, path: MessagePath(try Self.normalized(url)),
        attributes: attributes.sorted()))
  }

  private func writeAccess(to url: URL) throws -> GrantedAccess {
    let path = try Self.normalized(url)
    let scopes = AccessScope.current.reversed()
    guard
      let scope = scopes.first(where: {
        $0.owner == owner && !$0.access.isOver && $0.access.covers(path)
      })
    else {
      throw CoordinationError(
        .outsideAccess, url,
        "\(url.quoted) is not written by this coordinator: say so inside its accessor.")
    }
    return scope.access
  }

  /// Returns the absolute path, with links to the outer folders followed, even for an item that no longer
  /// exists.
  static func normalized(_ url: URL) throws -> FilePath { try normalized(url.filePath) }

  private static func normalized(_ path: FilePath) throws -> FilePath {
    guard let name = path.lastComponent else { return path }
    let folder = path.parentFolder
    // The folder of an item that was moved or deleted may be gone, too.
    let place = try FileStatus.of(folder) == nil ? normalized(folder) : folder.resolvingLinks()
    return place.appending(name)
  }

  /// Cancels this coordinator: waiting and later accesses fail with the code `cancelled`; granted accesses continue to
  /// their end.
  public func cancel() { state.withLock { $0.isCancelled = true } }

  private var isCancelled: Bool { state.withLock { $0.isCancelled } }

  // MARK: Beginning and ending

  private func begin(_ items: [RequestedItem]) async throws -> GrantedAccess {
    for item in items { try check(item) }
    let (scopes, owner) = (AccessScope.current, owner)
    let wasCancelled = Mutex(false)
    let request = request(items) { wasCancelled.withLock { $0 } }
    return try await withTaskCancellationHandler {
      try await BlockingPool.shared.run {
        try AccessScope.check(items, by: owner, inside: scopes)
        return try AccessDriver.begin(request)
      }
    } onCancel: {
      wasCancelled.withLock { $0 = true }
    }
  }

  func request(
    _ items: [RequestedItem], isCancelled: @escaping @Sendable () -> Bool
  ) -> AccessRequest {
    AccessRequest(
      items: items, owner: owner,
      presenter: presenter.flatMap { PresenterRegistry.shared.item(of: $0) }, patience: patience,
      takesOver: takesOver,
      cancellation: { [self] in
        self.isCancelled
          ? Self.cancellation(of: items[0]) : isCancelled() ? CancellationError() : nil
      })
  }

  func check(_ item: RequestedItem) throws {
    guard item.url.isFileURL else {
      throw CoordinationError(
        .notAFile, item.url,
        "“\(Printable.text(item.url.absoluteString))” is not the address of a file.")
    }
    if case .writing(let options) = item.use, options.rawValue.nonzeroBitCount > 1 {
      throw CoordinationError(
        .invalidOptions, item.url, "\(item.url.quoted) can be written in one way at a time.")
    }
    guard !isCancelled else { throw Self.cancellation(of: item) }
  }

  private static func cancellation(of item: RequestedItem) -> CoordinationError {
    CoordinationError(.cancelled, item.url, "The access to \(item.url.quoted) was cancelled.")
  }

  /// Runs an accessor, and ends the access regardless of the outcome.
  private func during<Result>(
    _ access: GrantedAccess, of items: [RequestedItem], _ accessor: () async throws -> Result
  ) async throws -> Result {
    let scope = AccessScope(owner: owner, access: access, items: items)
    let watch = presenter.flatMap { PresenterRegistry.shared.item(of: $0)?.watch }
    watch?.beginAccess()
    let result: Swift.Result<Result, any Error>
    do {
      result = .success(
        try await AccessScope.$current.withValue(AccessScope.current + [scope]) {
          try await accessor()
        })
    } catch { result = .failure(error) }
    await end(access)
    await watch?.endAccess()
    return try result.get()
  }

  private func end(_ access: GrantedAccess) async {
    await BlockingPool.shared.run { access.end() }
    await followPresenter()
  }

  /// Updates the location of the presenter's item.
  func followPresenter() async {
    guard let presenter, let item = PresenterRegistry.shared.item(of: presenter) else { return }
    let url = await presenter.presentedItemURL
    guard url != item.url else { return }
    if item.watch != nil { await Self.watch(presenter, at: url) }
    await BlockingPool.shared.run {
      do { try PresenterRegistry.shared.move(item, to: url) } catch {
        // Tried again after the next access.
      }
    }
  }

  private func coordinate<Result: Sendable>(
    reading url: URL, _ options: ReadingOptions,
    _ accessor: @concurrent @Sendable (URL) async throws -> Result
  ) async throws -> Result {
    let intent = FileAccessIntent.readingIntent(with: url, options: options)
    guard options.contains(.forUploading) else {
      return try await coordinate(with: [intent]) { try await accessor(intent.url) }
    }
    let copy = try await coordinate(with: [intent]) { try await Self.snapshot(of: intent.url) }
    let result: Swift.Result<Result, any Error>
    do { result = .success(try await accessor(copy)) } catch { result = .failure(error) }
    try await BlockingPool.shared.run { try Folder.removeTree(copy.filePath.parentFolder) }
    return try result.get()
  }

  /// Copies an item to a separate folder.
  private static func snapshot(of url: URL) async throws -> URL {
    let folder = try await FileVersion.temporaryDirectoryForNewVersion(of: url)
    let copy = folder.appending(path: url.lastPathComponent)
    do {
      try await BlockingPool.shared.run {
        try FileError.typed(to: "copy", url.filePath) {
          try FileManager.default.copyItem(at: url, to: copy)
        }
      }
    } catch {
      try await BlockingPool.shared.run { try Folder.removeTree(folder.filePath) }
      throw error
    }
    return copy
  }
}
