internal import DocumentFiles
package import DocumentStore
package import Foundation
internal import Synchronization
internal import SystemPackage

/// A server that reports a watcher's status to its user's programs.
final class WatchServer: Sendable {
  private let socket: LocalSocket
  private let file: FilePath
  private let end: End

  private final class End: Sendable {
    let isReached = Mutex(false)
  }

  /// Starts to answer; the caller holds the lock of the container's watcher.
  init(_ file: FilePath, _ record: WatchRecord) throws {
    // A killed watcher left the file.
    if try FileStatus.of(file) != nil { try Folder.removeTree(file) }
    let (socket, end) = (try LocalSocket.listen(file), End())
    (self.socket, self.file, self.end) = (socket, file, end)
    let isStarted = Threads.detach {
      while !end.isReached.withLock({ $0 }) {
        _ = LocalSocket.wait(for: [socket], until: nil)
        var hasTaken = false
        while let connection = socket.accept() {
          hasTaken = true
          do {
            guard try connection.peer().user == geteuid() else { continue }
            try connection.send(
              Array(JSONEncoder().encode(record.status)), until: .now + .seconds(1))
          } catch {
            // The client has disconnected.
          }
        }
        if !hasTaken { Threads.sleep(seconds: 0.01) }
      }
    }
    guard isStarted else {
      throw FileError(
        .system, path: file, message: "The system has no thread left to answer --status.")
    }
  }

  deinit {
    end.isReached.withLock { $0 = true }
    do { try Folder.removeTree(file) } catch {
      // The next watcher removes it.
    }
    socket.shutDown()
  }

  /// Keeps the server at least until this call.
  func keep() {}

  /// Returns the status of the watcher at a socket; nil if there is none.
  static func status(at file: FilePath) throws -> WatchStatus? {
    let connection: LocalSocket
    do { connection = try LocalSocket.connect(file) } catch {
      guard error.systemError == ECONNREFUSED || error.code == .notFound else { throw error }
      return nil
    }
    guard try connection.peer().user == geteuid() else { return nil }
    let end = ContinuousClock.now + .seconds(5)
    while ContinuousClock.now < end {
      switch connection.receive() {
      case .frame(let frame): return try JSONDecoder().decode(WatchStatus.self, from: Data(frame))
      case .end: return nil
      case .nothing: _ = LocalSocket.wait(for: [connection], until: end)
      }
    }
    throw FileError(.busy, path: file, message: "The watcher doesn’t answer.")
  }
}

extension FolderWatcher {
  /// Returns the status of the watcher of a folder; blocks.
  ///
  /// - Returns: nil if no watcher watches the folder.
  package static func status(
    of folder: URL, in store: SynchronousStore
  ) throws -> WatchStatus? {
    guard let container = try store.container(around: folder) else { return nil }
    return try WatchServer.status(at: WatchFile.socket(of: container.filePath))
  }
}
