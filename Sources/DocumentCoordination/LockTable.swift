internal import DocumentFiles
internal import DocumentStore
internal import Synchronization
internal import SystemPackage

/// The open lock files of this process, with one descriptor for all accesses that never wait for one another.
final class LockTable: Sendable {
  static let shared = LockTable()

  /// The owner of locks; accesses of one owner never wait for one another.
  enum Owner: Hashable, Sendable {
    /// One coordinator.
    case coordinator(String)
    /// All coordinators of one presenter.
    case presenter(String)
    /// All coordinators with one purpose identifier, in all processes.
    case purpose(String)
  }

  private struct Key: Hashable {
    let container: FilePath
    let owner: Owner
  }

  private struct Opening {
    weak var locks: ByteLocks?
  }

  private let openings = Mutex<[Key: Opening]>([:])

  /// Returns the locks of a container for an owner, which stay open as long as an access uses them.
  func locks(in container: FilePath, for owner: Owner) throws -> ByteLocks {
    if let known = known(container, owner) { return known }
    guard case .purpose(let purpose) = owner else { return try open(container, owner) }
    return try PurposeLocks(in: container, purpose).join {
      try open(container, owner)
    } adopting: {
      add($0, Key(container: container, owner: owner))
    }
  }

  /// Returns the locks of an owner, if they are in use, to send to another process.
  func lend(_ container: FilePath, _ owner: Owner) -> ByteLocks? {
    let locks = known(container, owner)
    locks?.share()
    return locks
  }

  private func known(_ container: FilePath, _ owner: Owner) -> ByteLocks? {
    openings.withLock { $0[Key(container: container, owner: owner)]?.locks }
  }

  private func open(_ container: FilePath, _ owner: Owner) throws -> ByteLocks {
    let path = ContainerFile.claims.path(in: container)
    let readership = try Readership.inside(path.parentFolder)
    return add(
      try ByteLocks(path, for: readership), Key(container: container, owner: owner))
  }

  /// Adds open locks, unless another thread has added them in the meantime.
  @discardableResult
  private func add(_ locks: ByteLocks, _ key: Key) -> ByteLocks {
    openings.withLock { openings in
      if let other = openings[key]?.locks { return other }
      if openings.count > 64 { openings = openings.filter { $0.value.locks != nil } }
      openings[key] = Opening(locks: locks)
      return locks
    }
  }
}

/// The locks of a purpose, which processes share.
struct PurposeLocks {
  private let container: FilePath
  private let purpose: String

  init(in container: FilePath, _ purpose: String) {
    self.container = container
    self.purpose = purpose
  }

  /// Shares the locks of a process that uses them, or opens new ones.
  ///
  /// Only one process at a time does this, so that two don't open them at once.
  ///
  /// - Parameters:
  ///   - open: opens the locks.
  ///   - adopt: registers the locks of another process in this one.
  func join(
    orOpening open: () throws -> ByteLocks, adopting adopt: (ByteLocks) -> ByteLocks
  ) throws -> ByteLocks {
    let path = ContainerFile.claims.path(in: container)
    let door = try ByteLocks(path, for: Readership.inside(path.parentFolder))
    let byte = LockByte.door(of: purpose)
    let end = ContinuousClock.now + Self.patience
    while try !door.take(byte, .exclusive) {
      guard ContinuousClock.now < end else {
        throw FileError(
          .busy, path: path, message: "A program with the same purpose doesn’t continue.")
      }
      BlockingPool.leave()
      Threads.sleep(seconds: 0.001)
    }
    defer { door.release(byte, .exclusive) }
    try PresenterRegistry.shared.beReachable(in: container)
    let folder = PresenterFolder(of: container)
    for process in try folder.processes(readingOwn: false) where !process.isThisOne {
      if let connection = try folder.connect(to: process), let locks = try ask(connection) {
        return adopt(locks)
      }
    }
    return try open()
  }

  /// A process needs only an instant for this, unless it is stopped in between.
  private static let patience = Duration.seconds(5)

  private func ask(_ connection: LocalSocket) throws -> ByteLocks? {
    let request = CoordinationRequest(number: 0, kind: .join, purpose: purpose)
    let end = ContinuousClock.now + .milliseconds(500)
    do {
      try connection.send(MessageCoding.frame(request), until: end)
      while !LocalSocket.wait(for: [connection], until: end).isEmpty {
        switch connection.receive() {
        case .nothing: continue
        case .end: return nil
        case .frame: return ByteLocks(sentOver: connection)
        }
      }
    } catch is FileError {
      // The process has ended or is stopped, and has no locks to share.
    }
    return nil
  }
}
