internal import DocumentFiles
package import DocumentStore
public import Foundation

/// Blocking accesses for synchronous code, such as a C callback.
extension FileCoordinator {
  /// Reads an item, and blocks the thread until the access is over.
  ///
  /// Presenters of this process that are isolated to the main actor can't answer while the main thread is blocked.
  ///
  /// - Parameters:
  ///   - url: the item, which need not exist.
  ///   - options: how to read the item; `forUploading` isn't supported.
  ///   - accessor: a closure that is called on this thread with the item's location, which may have changed.
  /// - Returns: the accessor's result.
  /// - Throws: ``CoordinationError`` and the errors of finding the item, before anything is done; the accessor's error.
  @available(*, noasync, message: "use coordinate, which suspends")
  public func coordinateAndWait<Result>(
    readingItemAt url: URL, options: ReadingOptions = [],
    byAccessor accessor: (URL) throws -> Result
  ) throws -> Result {
    guard !options.contains(.forUploading) else {
      throw CoordinationError(
        .invalidOptions, url, "A copy for uploading is made by the coordinate that suspends.")
    }
    let intent = FileAccessIntent.readingIntent(with: url, options: options)
    return try coordinateAndWait(with: [intent]) { try accessor(intent.url) }
  }

  /// Writes, moves or deletes an item, and blocks the thread until the access is over.
  ///
  /// - Parameters:
  ///   - url: the item, which need not exist.
  ///   - options: the kind of change.
  ///   - accessor: a closure that is called on this thread with the item's location, which may have changed.
  /// - Returns: the accessor's result.
  /// - Throws: ``CoordinationError`` and the errors of finding the item, before anything is done; the accessor's error.
  @available(*, noasync, message: "use coordinate, which suspends")
  public func coordinateAndWait<Result>(
    writingItemAt url: URL, options: WritingOptions = [],
    byAccessor accessor: (URL) throws -> Result
  ) throws -> Result {
    let intent = FileAccessIntent.writingIntent(with: url, options: options)
    return try coordinateAndWait(with: [intent]) { try accessor(intent.url) }
  }

  /// Reads and writes several items with accesses that are granted together, and blocks the thread until they are over.
  ///
  /// - Parameters:
  ///   - intents: the items, which have their present location when the accessor runs.
  ///   - accessor: a closure that is called on this thread.
  /// - Returns: the accessor's result.
  /// - Throws: ``CoordinationError`` and the errors of finding the items, before anything is done; the accessor's
  ///   error.
  @available(*, noasync, message: "use coordinate, which suspends")
  public func coordinateAndWait<Result>(
    with intents: [FileAccessIntent], byAccessor accessor: () throws -> Result
  ) throws -> Result {
    let items = intents.map { RequestedItem(url: $0.url, use: $0.use) }
    guard items.contains(where: { !$0.isImmediate }) else { return try accessor() }
    for item in items { try check(item) }
    try AccessScope.check(items, by: owner, inside: AccessScope.current)
    let access = try AccessDriver.begin(request(items) { false })
    for (intent, url) in zip(intents, access.urls) { intent.url = url }
    let watch = presenter.flatMap { PresenterRegistry.shared.item(of: $0)?.watch }
    watch?.beginAccess()
    defer {
      access.end()
      Task {
        await followPresenter()
        await watch?.endAccess()
      }
    }
    let scope = AccessScope(owner: owner, access: access, items: items)
    return try AccessScope.$current.withValue(AccessScope.current + [scope]) { try accessor() }
  }
  /// Creates a coordinator for operations of a store, which waits as long as the store waits for a lock, but at least
  /// long enough for a program that isn't busy.
  ///
  /// - Parameter seconds: the time that the store waits, in seconds.
  package convenience init(forStoreWaiting seconds: Double) {
    self.init(patience: max(.milliseconds(250), .patience(seconds: seconds / 2)))
  }

  /// Performs work with items while accesses to them are granted; blocks.
  ///
  /// Items outside containers are accessed without coordination, because programs meet only in containers.
  ///
  /// - Parameters:
  ///   - intents: the items and the kinds of access, with their final locations.
  ///   - isCancelled: called repeatedly while waiting for others.
  ///   - body: the work; it receives a function that reports the new location of a moved item.
  package func perform<Result>(
    with intents: [FileAccessIntent], isCancelled: @escaping @Sendable () -> Bool = { false },
    _ body: (_ moved: (URL, URL) throws -> Void) throws -> Result
  ) throws -> Result {
    let items = try intents.map { RequestedItem(url: $0.url, use: $0.use) }.filter {
      try !ItemLocation(of: $0.url, in: .forPlaces).containers.isEmpty
    }
    guard !items.isEmpty else { return try body { _, _ in } }
    let access = try AccessDriver.begin(request(items, isCancelled: isCancelled))
    defer { access.end() }
    if items.count == intents.count {
      for (intent, url) in zip(intents, access.urls) { intent.url = url }
    }
    return try body { try access.noteMove(from: $0, to: $1) }
  }

  /// Moves or renames a document: programs that have it open save it first, and follow it; blocks.
  ///
  /// - Parameter body: moves the document; it receives a function that reports the new location.
  package func moving<Result>(
    _ document: URL, to destination: URL, in store: SynchronousStore,
    _ body: (_ moved: (URL, URL) throws -> Void) throws -> Result
  ) throws -> Result {
    guard !store.isDryRun else { return try body { _, _ in } }
    let isCancelled: @Sendable () -> Bool = { store.progress?.isCancelled == true }
    try askToSave(in: document, isCancelled: isCancelled)
    return try perform(
      with: [
        .writingIntent(with: document, options: .forMoving),
        .writingIntent(with: destination, options: .forReplacing),
      ], isCancelled: isCancelled, body)
  }

  /// Asks the presenters of items in a folder to save them; blocks.
  package func askToSave(
    in folder: URL, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws {
    let item = RequestedItem(url: folder, use: .reading([]), isPreparation: true)
    try AccessDriver.begin(request([item], isCancelled: isCancelled)).endUnused()
  }

  /// Asks the presenters of items to save them; blocks.
  package func askToSave(
    _ items: [URL], isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws {
    for url in try PresenterListing.presented(among: items) {
      try askToSave(in: url, isCancelled: isCancelled)
    }
  }

  /// Notifies the presenters of a folder that items have appeared in it; blocks.
  package func announce(_ items: [URL]) throws {
    for url in try PresenterListing.presented(among: items) {
      let item = RequestedItem(url: url, use: .writing([]))
      let access = try AccessDriver.begin(request([item]) { false })
      access.noteAppearance()
      access.end()
    }
  }
}

extension GrantedAccess {
  /// Records that the accessor moved an item.
  func noteMove(from url: URL, to target: URL) throws {
    let paths = try [url, target].map { MessagePath(try FileCoordinator.normalized($0)) }
    guard paths[0] != paths[1] else { return }
    note(ItemChange(kind: .moved, path: paths[0], target: paths[1]))
  }

  /// Records that the items didn't exist before.
  func noteAppearance() {
    for item in items { note(ItemChange(kind: .appeared, path: MessagePath(item.place.path))) }
  }
}

/// A granted access, which ends with `end()` or when it is released, like that of a killed process.
package final class HeldAccess: Sendable {
  private let access: GrantedAccess

  init(_ access: GrantedAccess) { self.access = access }

  /// Ends the access, and notifies presenters; blocks.
  package func end() { access.end() }
}

extension FileCoordinator {
  /// Starts a write access to an item; blocks.
  package func beginWriting(_ url: URL) throws -> HeldAccess {
    let item = RequestedItem(url: url, use: .writing([]))
    return HeldAccess(try AccessDriver.begin(request([item]) { false }))
  }
}
