internal import CFileSystem
internal import Synchronization
internal import SystemPackage

/// New files and folders that another thread completes while the next ones are made; in the end all are on the disk.
final class UnfinishedItems {
  /// The items that were not handed over yet.
  private var batch: [any UnfinishedItem] = []
  private var heldBytes = 0
  private let thread: FinishingThread

  /// Handing over less would cost more than it spares.
  private static let batchSize = 16
  private static let mostHeldBytes = 256 << 10

  /// - Parameter folder: the folder that holds the items, at any depth.
  init(in folder: consuming Descriptor) {
    thread = FinishingThread(folder)
  }

  deinit { thread.abandon() }

  /// Adds an item; those that were added before it are finished before it.
  ///
  /// - Throws: ``FileError`` if an earlier one failed.
  func add(_ item: any UnfinishedItem) throws(FileError) {
    batch.append(item)
    heldBytes += item.heldBytes
    guard batch.count >= Self.batchSize || heldBytes >= Self.mostHeldBytes else { return }
    try thread.begin(takeBatch())
  }

  /// Waits until all are finished and on the disk.
  ///
  /// - Throws: ``FileError`` if one of them failed.
  func finish() throws(FileError) {
    try thread.end(with: takeBatch())
  }

  /// Gives up the items that are not begun, and waits for the others.
  func abandon() { thread.abandon() }

  private func takeBatch() -> [any UnfinishedItem] {
    heldBytes = 0
    return exchange(&batch, with: [])
  }
}

/// The pipeline that completes items, and its results.
private final class FinishingThread: Sendable {
  /// At most two batches wait: each holds bytes, and two descriptors an item.
  private let work = Pipeline(depth: 2)
  /// Used by one thread after the other.
  private let written: Mutex<WrittenItems>
  private let state = Mutex(State())

  private struct State {
    var failure: FileError?
    /// Whether no further step is taken.
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

  /// Takes a step, unless one has failed before.
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

/// Items that are complete, and may not be on the disk yet.
private struct WrittenItems: ~Copyable {
  /// They are open until they were waited for: only a descriptor that wrote a file surely reports that it did not get
  /// there.
  private var items: [OpenItem] = []
  /// Whether there are enough items for one wait for the whole file system.
  ///
  /// Then they need not be open: the file system reports all that failed since the folder was opened.
  private var areMany = false
  private let folder: Descriptor

  /// Fewer are waited for one by one: waiting for the whole file system includes what other programs wrote.
  private static let many = 32
  /// The most that are open.
  ///
  /// A process may have 256 descriptors on some systems, and those that are not written yet have some.
  private static let most = 64
  /// The number that is waited for at the same time.
  private static let atOnce = 16

  init(in folder: consuming Descriptor) {
    self.folder = folder
  }

  mutating func add(_ item: OpenItem) throws(FileError) {
    try item.beginSynchronizing()
    if areMany { return }
    items.append(item)
    if items.count == Self.many, docversions_can_synchronize_all(folder.number) != 0 {
      areMany = true
      items = []
    }
    if items.count == Self.most { try synchronize() }
  }

  /// Waits until all that were added are on the disk.
  mutating func synchronize() throws(FileError) {
    if areMany, docversions_synchronize_all(folder.number) != 0 {
      throw .failed(to: "write to disk", folder.path, .current)
    }
    let items = exchange(&self.items, with: [])
    if items.count < Self.many {
      for item in items { try item.descriptor.synchronize() }
      return
    }
    let failure = Mutex<FileError?>(nil)
    ForkJoin.perform(items.count, atMost: Self.atOnce) { number in
      do throws(FileError) {
        try items[number].descriptor.synchronize()
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
