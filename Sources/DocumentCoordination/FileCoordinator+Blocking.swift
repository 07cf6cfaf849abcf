internal import DocumentFiles
internal import DocumentStore
public import Foundation

/// Accesses of callers that wait themselves: of code that is not asynchronous, as a callback of C.
extension FileCoordinator {
  /// Reads an item, and blocks the thread meanwhile.
  ///
  /// Presenters of this process that are isolated to the main actor cannot answer while the main thread is blocked.
  ///
  /// - Parameters:
  ///   - url: the item; it need not exist.
  ///   - options: how it is read; not `forUploading`.
  ///   - accessor: called on this thread with the place of the item, which may have been moved since.
  /// - Returns: what the accessor returns.
  /// - Throws: ``CoordinationError``, and the errors of finding the item, before anything is done; what the accessor throws.
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

  /// Writes, moves or deletes an item, and blocks the thread meanwhile.
  ///
  /// - Parameters:
  ///   - url: the item; it need not exist.
  ///   - options: what is done to it.
  ///   - accessor: called on this thread with the place of the item, which may have been moved since.
  /// - Returns: what the accessor returns.
  /// - Throws: ``CoordinationError``, and the errors of finding the item, before anything is done; what the accessor throws.
  @available(*, noasync, message: "use coordinate, which suspends")
  public func coordinateAndWait<Result>(
    writingItemAt url: URL, options: WritingOptions = [],
    byAccessor accessor: (URL) throws -> Result
  ) throws -> Result {
    let intent = FileAccessIntent.writingIntent(with: url, options: options)
    return try coordinateAndWait(with: [intent]) { try accessor(intent.url) }
  }

  /// Reads and writes several items, and blocks the thread meanwhile; all accesses are granted together.
  ///
  /// - Parameters:
  ///   - intents: the items; the accessor finds in them where these are.
  ///   - accessor: called on this thread.
  /// - Returns: what the accessor returns.
  /// - Throws: ``CoordinationError``, and the errors of finding the items, before anything is done; what the accessor
  ///   throws.
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
  /// Makes a coordinator for operations of a store: in all it waits as long as the store waits for a lock, and in any case
  /// long enough for a program that is not busy.
  ///
  /// - Parameter seconds: the time that the store waits.
  package convenience init(forStoreWaiting seconds: Double) {
    self.init(patience: max(.milliseconds(250), .patience(seconds: seconds / 2)))
  }

  /// Does something with items while the accesses to them are granted; blocks.
  ///
  /// Items in no container are accessed as they are: where nothing is kept, programs don't meet.
  ///
  /// - Parameters:
  ///   - intents: the items and how they are accessed; where they are in the end.
  ///   - isCancelled: asked again and again while others are waited for.
  ///   - body: does it; it gets a function that says where an item was moved.
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

  /// Asks those who present something in a folder to save it; blocks.
  package func askToSave(
    in folder: URL, isCancelled: @escaping @Sendable () -> Bool = { false }
  ) throws {
    let item = RequestedItem(url: folder, use: .reading([]), isPreparation: true)
    try AccessDriver.begin(request([item], isCancelled: isCancelled)).endUnused()
  }

  /// Tells those who present a folder that something has appeared in it; blocks.
  package func announce(_ items: [URL]) throws {
    for url in items where try PresenterListing.isPresented(url) {
      let item = RequestedItem(url: url, use: .writing([]))
      let access = try AccessDriver.begin(request([item]) { false })
      access.noteAppearance()
      access.end()
    }
  }
}

extension GrantedAccess {
  /// Notes that the accessor moved an item.
  func noteMove(from url: URL, to target: URL) throws {
    let paths = try [url, target].map { MessagePath(try FileCoordinator.normalized($0)) }
    guard paths[0] != paths[1] else { return }
    note(ItemChange(kind: .moved, path: paths[0], target: paths[1]))
  }

  /// Notes that the items were not there before.
  func noteAppearance() {
    for item in items { note(ItemChange(kind: .appeared, path: MessagePath(item.place.path))) }
  }
}

/// An access that was granted, which ends by `end()`, or when it goes, as that of a killed process does.
package final class HeldAccess: Sendable {
  private let access: GrantedAccess

  init(_ access: GrantedAccess) { self.access = access }

  /// Ends it, and tells presenters; blocks.
  package func end() { access.end() }
}

extension FileCoordinator {
  /// Begins to write an item; blocks.
  package func beginWriting(_ url: URL) throws -> HeldAccess {
    let item = RequestedItem(url: url, use: .writing([]))
    return HeldAccess(try AccessDriver.begin(request([item]) { false }))
  }
}
