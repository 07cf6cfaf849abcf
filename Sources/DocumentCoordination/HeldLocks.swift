internal import DocumentFiles
internal import Synchronization
internal import SystemPackage

/// The locks that one access holds.
final class HeldLocks: Sendable {
  private let containers: [FilePath]
  private let files: [ByteLocks]
  private let invitation: Invitation?
  private let held = Mutex<[AccessMachine.Lock]>([])

  /// Opens the lock files.
  ///
  /// - Parameters:
  ///   - isWrite: whether the access needs locks; a read doesn't, in a place where nothing can be written.
  ///   - invitation: an access that waits for this one, and lends its locks.
  init(
    _ containers: [FilePath], for owner: LockTable.Owner, isWrite: Bool,
    under invitation: Invitation?
  ) throws {
    self.invitation = invitation
    let own: [ByteLocks]
    do {
      own = try containers.map { try LockTable.shared.locks(in: $0, for: owner) }
      self.containers = containers
    } catch let error as FileError where !isWrite && error.code == .notPermitted {
      own = []
      self.containers = []
    } catch {
      invitation?.leave()
      throw error
    }
    files = own + (invitation?.locks.map { [$0] } ?? [])
  }

  /// True if this access has locks of its own.
  var hasOwn: Bool { !containers.isEmpty }

  /// The number of the lent lock file; `nil` if there is none.
  var lent: Int? { files.count > containers.count ? containers.count : nil }

  /// Tries to take a lock.
  func take(_ lock: AccessMachine.Lock) throws -> Bool {
    guard try files[lock.file].take(lock.byte, lock.isExclusive ? .exclusive : .shared) else {
      return false
    }
    held.withLock { $0.append(lock) }
    return true
  }

  func release(_ lock: AccessMachine.Lock) {
    let isHeld = held.withLock { held in
      guard let index = held.firstIndex(of: lock) else { return false }
      held.remove(at: index)
      return true
    }
    if isHeld { files[lock.file].release(lock.byte, lock.isExclusive ? .exclusive : .shared) }
  }

  func releaseAll() {
    for lock in held.withLock({ $0 }).reversed() { release(lock) }
    invitation?.leave()
  }

  /// Records that this process accesses an item.
  func record(_ item: LockByte, of container: FilePath) {
    guard let index = containers.firstIndex(of: container) else { return }
    LockRecord.write(item, in: files[index])
  }

  /// Returns the process that last accessed the item of a lock.
  func holder(of lock: AccessMachine.Lock) throws -> ProgramIdentity? {
    try LockRecord.read(LockByte(containing: lock.byte), in: files[lock.file])
  }

  /// Returns the open lock file of a container, to send to presenters that save under this access; `nil` if
  /// it has none, or takes part in another access.
  func number(in container: FilePath) -> Int32? {
    guard invitation == nil else { return nil }
    return containers.firstIndex(of: container).map { files[$0].number }
  }
}
