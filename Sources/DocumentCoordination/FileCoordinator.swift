internal import DocumentFiles
public import DocumentPresenting
internal import DocumentStore
public import Foundation
internal import Synchronization
internal import SystemPackage

/// Reads and writes files and folders so that programs do not get in each other's way: those who present an item are asked
/// first, and notified afterwards, and a writer is alone (`NSFileCoordinator`).
///
/// ```swift
/// try await FileCoordinator().coordinate(writingItemAt: url) { url in
///   try Data("new".utf8).write(to: url)
/// }
/// ```
///
/// An access is granted for as long as the accessor runs, and no longer; whatever it begins ends in it. It runs off the main
/// actor, unless it is declared to run there: `{ @MainActor url in … }`. No daemon is needed:
/// processes meet in the folder `.docversions` that the item is in, which the first access makes, as the first version would.
/// Programs of other users and of other machines, and those that coordinate nothing, are not excluded.
///
/// Use one coordinator for one operation. All calls are safe on any thread; nothing blocks Swift's.
public final class FileCoordinator: Sendable {
  private struct State {
    var isCancelled = false
  }

  let owner: LockTable.Owner
  let presenter: (any FilePresenter)?
  private let state = Mutex(State())
  /// The name of what is done, equal for all coordinators that do it, in all processes; nil for one of its own.
  public let purposeIdentifier: String?
  /// How long to wait for other accesses, and as long again for presenters' answers.
  package let patience: Duration
  /// Whether an access goes on without presenters that do not answer in time.
  ///
  /// What such a program has in memory is not lost: when it goes on, a ``Document`` finds the file changed, and what it then
  /// saves becomes a version in conflict.
  package let takesOver: Bool

  /// Makes a coordinator.
  ///
  /// - Parameters:
  ///   - filePresenter: the presenter for which it acts: that one gets no messages about its accesses, except about
  ///     versions. All coordinators of one presenter, and nested accesses of one coordinator, do not wait for each other.
  ///   - purposeIdentifier: coordinators with the same one never wait for each other either; an empty one counts as
  ///     none.
  ///   - patience: how long to wait for other accesses, and as long again for presenters.
  ///   - takesOver: whether to go on without presenters that do not answer in time.
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
  ///   - url: the item; it need not exist.
  ///   - options: how it is read.
  ///   - accessor: gets the place of the item, which may have been moved since.
  /// - Returns: what the accessor returns.
  /// - Throws: ``CoordinationError``, and the errors of finding the item, before anything is done; what the accessor throws.
  public func coordinate<Result: Sendable>(
    readingItemAt url: URL, options: ReadingOptions = [],
    byAccessor accessor: @concurrent @Sendable (URL) async throws -> Result
  ) async throws -> Result {
    try await coordinate(reading: url, options) { try await accessor($0) }
  }

  /// Writes, moves or deletes an item.
  ///
  /// - Parameters:
  ///   - url: the item; it need not exist.
  ///   - options: what is done to it.
  ///   - accessor: gets the place of the item, which may have been moved since.
  /// - Returns: what the accessor returns.
  /// - Throws: ``CoordinationError``, and the errors of finding the item, before anything is done; what the accessor throws.
  public func coordinate<Result: Sendable>(
    writingItemAt url: URL, options: WritingOptions = [],
    byAccessor accessor: @concurrent @Sendable (URL) async throws -> Result
  ) async throws -> Result {
    let intent = FileAccessIntent.writingIntent(with: url, options: options)
    return try await coordinate(with: [intent]) { try await accessor(intent.url) }
  }

  /// Reads one item and writes another one; both accesses are granted together.
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

  /// Writes two items, as to move one to the place of the other; both accesses are granted together.
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

  /// Reads and writes several items; all accesses are granted together.
  ///
  /// - Parameters:
  ///   - intents: the items; the accessor finds in them where these are.
  ///   - accessor: does it.
  /// - Returns: what the accessor returns.
  /// - Throws: ``CoordinationError``, and the errors of finding the items, before anything is done; what the accessor
  ///   throws.
  public func coordinate<Result: Sendable>(
    with intents: [FileAccessIntent],
    byAccessor accessor: @concurrent @Sendable () async throws -> Result
  ) async throws -> Result {
    try await coordinateInPlace(with: intents) { try await accessor() }
  }

  /// The same with an accessor that stays where the caller is isolated.
  package func coordinateInPlace<Result>(
    with intents: [FileAccessIntent], byAccessor accessor: () async throws -> Result
  ) async throws -> Result {
    let items = intents.map { RequestedItem(url: $0.url, use: $0.use) }
    // Those that wait for nothing are granted as they are.
    guard items.contains(where: { !$0.isImmediate }) else { return try await accessor() }
    let access = try await begin(items)
    for (intent, url) in zip(intents, access.urls) { intent.url = url }
    return try await during(access, of: items) { try await accessor() }
  }

  /// Asks the presenters of items, and of all that is in them, before many accesses to these: each is asked once.
  ///
  /// Nothing is excluded meanwhile: the accesses inside of this one are coordinated all the same.
  ///
  /// - Parameters:
  ///   - readingURLs: what is about to be read.
  ///   - readingOptions: how.
  ///   - writingURLs: what is about to be written.
  ///   - writingOptions: what is done.
  ///   - body: does it.
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
        "Preparing accesses follows no links and replaces nothing: these options are not for it.")
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

  /// Says that an item is about to be moved; inside a coordinated write of it.
  ///
  /// Nothing depends on it: ``item(at:didMoveTo:)`` says what has happened.
  public func item(at url: URL, willMoveTo target: URL) throws {
    _ = try writeAccess(to: url)
  }

  /// Says that an item was moved; inside a coordinated write of it.
  ///
  /// When the access is over, presenters of the item, of what is in it and of the folders that it was in follow it; accesses
  /// that wait for it are to its new place.
  ///
  /// - Throws: ``CoordinationError`` with code `outsideAccess` where this coordinator does not write the item.
  public func item(at url: URL, didMoveTo target: URL) throws {
    let access = try writeAccess(to: url)
    try access.noteMove(from: url, to: target)
  }

  /// Says that attributes of an item changed that have to do with syncing; inside a coordinated write of it.
  ///
  /// - Throws: ``CoordinationError`` with code `outsideAccess` where this coordinator does not write the item.
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
    guard let scope = scopes.first(where: { $0.owner == owner && $0.access.covers(path) }) else {
      throw CoordinationError(
        .outsideAccess, url,
        "\(url.quoted) is not written by this coordinator: say so inside its accessor.")
    }
    return scope.access
  }

  /// The absolute path with the links of the folders above followed, also of an item that has gone.
  static func normalized(_ url: URL) throws -> FilePath {
    let path = try url.filePath
    guard let name = path.lastComponent else { return path }
    return try path.parentFolder.resolvingLinks().appending(name)
  }

  /// Ends the waiting of this coordinator: accesses that wait fail, and later ones as well; those that were granted go
  /// on to their end.
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
      takesOver: takesOver, isCancelled: { [self] in self.isCancelled || isCancelled() })
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
    guard !isCancelled else {
      throw CoordinationError(
        .cancelled, item.url, "The access to \(item.url.quoted) was cancelled.")
    }
  }

  /// Runs an accessor, and ends the access whatever comes of it.
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
    await withCheckedContinuation { continuation in
      BlockingPool.shared.add {
        access.end()
        continuation.resume()
      }
    }
    await followPresenter()
  }

  /// Notes where the presenter's item is now.
  func followPresenter() async {
    guard let presenter, let item = PresenterRegistry.shared.item(of: presenter) else { return }
    let url = await presenter.presentedItemURL
    guard url != item.url else { return }
    if item.watch != nil { await Self.watch(presenter, at: url) }
    await withCheckedContinuation { continuation in
      BlockingPool.shared.add {
        do { try PresenterRegistry.shared.move(item, to: url) } catch {
          // It is asked again after the next access.
        }
        continuation.resume()
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

  /// Copies an item to a folder of its own.
  private static func snapshot(of url: URL) async throws -> URL {
    let folder = try await FileVersion.temporaryDirectoryForNewVersion(of: url)
    let copy = folder.appending(path: url.lastPathComponent)
    do {
      try await BlockingPool.shared.run { try FileManager.default.copyItem(at: url, to: copy) }
    } catch {
      try await BlockingPool.shared.run { try Folder.removeTree(folder.filePath) }
      throw error
    }
    return copy
  }

  // MARK: Presenters

  /// Registers a presenter: from now on it is asked before coordinated accesses to its item, and notified afterwards.
  ///
  /// It is not kept in memory by that.
  ///
  /// Register it inside a coordinated read of the item, so that it misses no change between reading and registering. Each
  /// presenter is registered once, and removed before it goes.
  ///
  /// - Throws: ``CoordinationError`` with code `noSockets` where other programs could not reach it; then it is not
  ///   registered. The errors of finding the item.
  public static func addFilePresenter(_ presenter: any FilePresenter) async throws {
    let url = await presenter.presentedItemURL
    try await BlockingPool.shared.run {
      if let url { try LocatedItem.makeContainer(around: url) }
      try PresenterRegistry.shared.add(presenter, at: url)
    }
    await watch(presenter, at: url)
  }

  private static func watch(_ presenter: any FilePresenter, at url: URL?) async {
    let watch = url.map { PresenterWatch(presenter, at: $0) }
    await PresenterRegistry.shared.item(of: presenter)?.setWatch(watch)
  }

  /// Registers a presenter, or notes where its item is now; one whose item is in no container is reached once it is.
  package static func addFilePresenterIfInContainer(_ presenter: any FilePresenter) async throws {
    let url = await presenter.presentedItemURL
    try await BlockingPool.shared.run { try PresenterRegistry.shared.add(presenter, at: url) }
  }

  /// Removes a presenter.
  public static func removeFilePresenter(_ presenter: any FilePresenter) async {
    await PresenterRegistry.shared.item(of: presenter)?.setWatch(nil)
    await withCheckedContinuation { continuation in
      BlockingPool.shared.add {
        PresenterRegistry.shared.remove(presenter)
        continuation.resume()
      }
    }
  }

  /// The presenters of this process.
  public static var filePresenters: [any FilePresenter] {
    PresenterRegistry.shared.items.compactMap(\.presenter)
  }
}
