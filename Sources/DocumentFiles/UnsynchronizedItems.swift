internal import Synchronization

/// Files and folders that were written and have to reach the disk.
///
/// They stay open until then: only who wrote a file is sure to be told that it did not get there.
final class UnsynchronizedItems {
  private final class Item: Sendable {
    let descriptor: Descriptor

    init(_ descriptor: consuming Descriptor) {
      self.descriptor = descriptor
    }
  }

  private var items: [Item] = []

  /// As many as may be open; a process may have 256 on some systems.
  private static let most = 96
  /// How many the disk is asked for at the same time.
  private static let atOnce = 16

  /// Adds an item; waits if there are many.
  func add(_ descriptor: consuming Descriptor) throws(FileError) {
    items.append(Item(descriptor))
    if items.count >= Self.most { try synchronize() }
  }

  /// Waits until all are on the disk, and closes them.
  ///
  /// - Throws: ``FileError`` if one of them does not get there.
  func synchronize() throws(FileError) {
    let items = items
    self.items = []
    let failure = Mutex<FileError?>(nil)
    Threads.perform(items.count, atMost: Self.atOnce) { number in
      do throws(FileError) {
        try items[number].descriptor.synchronize()
      } catch {
        failure.withLock { $0 = $0 ?? error }
      }
    }
    if let error = failure.withLock({ $0 }) { throw error }
  }
}
