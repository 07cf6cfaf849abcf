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
  /// - Parameter isWrite: whether the access needs locks; a read doesn't, in a place where nothing can be written.
  init(_ containers: [FilePath], for owner: LockTable.Owner, isWrite: Bool) throws {
    invitation = nil
    do {
      files = try containers.map { try LockTable.shared.locks(in: $0, for: owner) }
      self.containers = containers
    } catch let error as FileError where !isWrite && error.code == .notPermitted {
      files = []
      self.containers = []
    }
  }

  /// Uses the locks of an access that waits for this one.
  init(of invitation: Invitation) {
    self.invitation = invitation
    files = invitation.locks.map { [$0] } ?? []
    containers = []
  }

  var isEmpty: Bool { files.isEmpty }

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
  /// it has none.
  func number(in container: FilePath) -> Int32? {
    containers.firstIndex(of: container).map { files[$0].number }
  }
}
