internal import DocumentFiles
public import DocumentPresenting
internal import DocumentStore
internal import Foundation

/// The presenters of this process.
extension FileCoordinator {
  /// Registers a presenter, which is then asked before coordinated accesses to its item, and notified afterward.
  ///
  /// Registration doesn't keep the presenter in memory.
  ///
  /// Register it inside a coordinated read of the item, so that it misses no change between reading and registering.
  /// Register each presenter once, and remove it before it is released.
  ///
  /// - Throws: ``CoordinationError`` with code `noSockets` if other programs couldn't reach the presenter, and the
  ///   errors of finding the item; then it isn't registered.
  public static func addFilePresenter(_ presenter: any FilePresenter) async throws {
    let url = await presenter.presentedItemURL
    try await BlockingPool.shared.run {
      if let url { try LocatedItem.makeContainer(around: url) }
      try PresenterRegistry.shared.add(presenter, at: url)
    }
    await watch(presenter, at: url)
  }

  /// Watches the item for its presenter from now on; one without an item has nothing to watch.
  static func watch(_ presenter: any FilePresenter, at url: URL?) async {
    let watch = url.map { PresenterWatch(presenter, at: $0) }
    await PresenterRegistry.shared.item(of: presenter)?.setWatch(watch)
  }

  /// Registers a presenter, or updates the location of its item; outside a container, it can be reached once there is
  /// one.
  package static func addFilePresenterIfInContainer(_ presenter: any FilePresenter) async throws {
    let url = await presenter.presentedItemURL
    try await BlockingPool.shared.run { try PresenterRegistry.shared.add(presenter, at: url) }
  }

  /// Removes a presenter.
  public static func removeFilePresenter(_ presenter: any FilePresenter) async {
    await PresenterRegistry.shared.item(of: presenter)?.setWatch(nil)
    await BlockingPool.shared.run { PresenterRegistry.shared.remove(presenter) }
  }

  /// The presenters of this process.
  public static var filePresenters: [any FilePresenter] {
    PresenterRegistry.shared.items.compactMap(\.presenter)
  }
}
