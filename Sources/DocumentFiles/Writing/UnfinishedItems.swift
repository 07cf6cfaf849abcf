internal import CFileSystem
internal import Synchronization
internal import SystemPackage

/// New files and folders that another thread completes while the next ones are created; in the end, all are
/// on disk.
final class UnfinishedItems {
  /// The items that were not passed on yet.
  private var batch: [any UnfinishedItem] = []
  private var heldBytes = 0
  private let thread: FinishingThread

  /// The number of items to pass on at once; fewer would cost more than they save.
  private static let batchSize = 16
  private static let mostHeldBytes = 256 << 10

  /// - Parameter folder: the folder that contains the items, at any depth.
  init(in folder: consuming Descriptor) {
    thread = FinishingThread(folder)
  }

  deinit { thread.abandon() }

  /// Adds an item; earlier items are finished before it.
  ///
  /// - Throws: ``FileError`` if an earlier one failed.
  func add(_ item: any UnfinishedItem) throws(FileError) {
    batch.append(item)
    heldBytes += item.heldBytes
    guard batch.count >= Self.batchSize || heldBytes >= Self.mostHeldBytes else { return }
    try thread.begin(takeBatch())
  }

  /// Waits until all items are finished and on disk.
  ///
  /// - Throws: ``FileError`` if one of them failed.
  func finish() throws(FileError) {
    try thread.end(with: takeBatch())
  }

  /// Abandons the items that are not begun, and waits for the others.
  func abandon() { thread.abandon() }

  private func takeBatch() -> [any UnfinishedItem] {
    heldBytes = 0
    return exchange(&batch, with: [])
  }
}

/// The pipeline that completes items, and its results.
private final class FinishingThread: Sendable {
  /// At most two batches wait, because each holds bytes, and two descriptors for each item.
  private let work = Pipeline(depth: 2)
  /// The written items, which threads use in turn.
  private let written: Mutex<WrittenItems>
  private let state = Mutex(State())

  private struct State {
    var failure: FileError?
    /// True if no further step is taken.
    var isOver = false
  }

  init(_ folder: consuming Descriptor) {
    written = Mutex(WrittenItems(in: folder))
  }

  func begin(_ items: [any UnfinishedItem]) throws(FileError) {
    work.add { [self] in written.withLock { finish(items, &$0) } }
    try check()
  }

  func end(with items: [any UnfinishedItem]) throws(FileError) {
    work.wait()
    written.withLock { written in
      finish(items, &written)
      attempt { () throws(FileError) in try written.synchronize() }
    }
    try check()
  }

  func abandon() {
    state.withLock { $0.isOver = true }
    work.wait()
  }

  private func finish(_ items: [any UnfinishedItem], _ written: inout WrittenItems) {
    for item in items {
      attempt { () throws(FileError) in try written.add(item.finish()) }
    }
  }

  /// Runs a step, unless an earlier one has failed.
  private func attempt(_ step: () throws(FileError) -> Void) {
    guard state.withLock({ !$0.isOver }) else { return }
    do throws(FileError) {
      try step()
    } catch {
      state.withLock { $0 = State(failure: error, isOver: true) }
    }
  }

  private func check() throws(FileError) {
    if let error = state.withLock({ $0.failure }) { throw error }
  }
}

/// Complete items that may not be on disk yet.
private struct WrittenItems: ~Copyable {
  /// The items, which stay open until they are on disk, because only a descriptor that wrote a file reliably
  /// reports that the bytes didn't reach the disk.
  private var items: [OpenItem] = []
  /// True if there are enough items for one wait for the whole file system.
  ///
  /// Then they need not be open, because the file system reports all failures since the folder was opened.
  private var areMany = false
  private let folder: Descriptor

  /// The fewest items for a common wait; with fewer, each is waited for, because a common wait includes other
  /// programs' data.
  private static let many = 32
  /// The greatest number of open items.
  ///
  /// On some systems, a process may have 256 descriptors, and items that are not written yet also have some.
  private static let most = 64
  /// The number of items that are waited for at the same time.
  private static let atOnce = 16

  init(in folder: consuming Descriptor) {
    self.folder = folder
  }

  mutating func add(_ item: OpenItem) throws(FileError) {
    try item.descriptor.beginSynchronizing()
    if areMany { return }
    items.append(item)
    if items.count == Self.many, docversions_can_synchronize_all(folder.number) != 0 {
      areMany = true
      items = []
    }
    if items.count == Self.most { try synchronize() }
  }

  /// Waits until all added items are on disk.
  mutating func synchronize() throws(FileError) {
    if areMany, docversions_synchronize_all(folder.number) != 0 {
      throw .failed(to: "write to disk", folder.path, .current)
    }
    let items = exchange(&self.items, with: [])
    if items.count < Self.many {
      for item in items { try item.descriptor.synchronize() }
      return
    }
    let results = ForkJoin.map(items.count, atMost: Self.atOnce) { number in
      Result { () throws(FileError) in try items[number].descriptor.synchronize() }
    }
    for result in results { try result.get() }
  }
}
