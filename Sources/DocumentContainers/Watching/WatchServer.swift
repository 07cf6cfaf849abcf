internal import DocumentFiles
internal import DocumentGit
package import DocumentStore
package import Foundation
internal import Synchronization
internal import SystemPackage

/// A server that reports a watcher's status to its user's programs.
///
/// It has a socket in the container, and one with the folder's name in no folder, which answers while the disk
/// with the container is away.
final class WatchServer: Sendable {
  private let sockets: [LocalSocket]
  private let file: FilePath
  private let end: End

  private final class End: Sendable {
    let isReached = Mutex(false)
  }

  /// Starts to answer; the caller holds the lock of the container's watcher.
  ///
  /// - Parameter folder: the watched folder, without links.
  init(_ file: FilePath, of folder: FilePath, _ record: WatchRecord) throws {
    // A killed watcher left the file.
    if try FileStatus.of(file) != nil { try Folder.removeTree(file) }
    var sockets = [try LocalSocket.listen(file)]
    do { sockets.append(try LocalSocket.listen(named: Self.name(of: folder))) } catch {
      // The socket in the container answers.
    }
    let end = End()
    (self.sockets, self.file, self.end) = (sockets, file, end)
    let isStarted = Threads.detach { [sockets] in
      while !end.isReached.withLock({ $0 }) {
        _ = LocalSocket.wait(for: sockets, until: nil)
        let connections = sockets.compactMap { $0.accept() }
        for connection in connections {
          do {
            guard try connection.peer().user == geteuid() else { continue }
            try connection.send(
              Array(JSONEncoder().encode(record.status)), until: .now + .seconds(1))
          } catch {
            // The client has disconnected.
          }
        }
        if connections.isEmpty { Threads.sleep(seconds: 0.01) }
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
    for socket in sockets { socket.shutDown() }
  }

  /// Keeps the server at least until this call.
  func keep() {}

  /// Returns the name of the socket that is in no folder.
  private static func name(of folder: FilePath) -> String {
    "docversions-watch-\(geteuid())-\(ObjectID(of: .blob, folder.bytes))"
  }

  /// Returns the status of the watcher at a socket; nil if there is none.
  static func status(at file: FilePath) throws -> WatchStatus? {
    do { return try status(from: LocalSocket.connect(file), file) } catch let error as FileError {
      guard error.systemError == ECONNREFUSED || error.code == .notFound else { throw error }
      return nil
    }
  }

  /// Returns the status of the watcher of a folder, or of the nearest one above it, which may be away; nil if
  /// there is none.
  static func status(watching folder: FilePath) throws -> WatchStatus? {
    var folder = folder
    repeat {
      let connection: LocalSocket
      do { connection = try LocalSocket.connect(named: name(of: folder)) } catch { continue }
      if let status = try status(from: connection, folder) { return status }
    } while folder.removeLastComponent()
    return nil
  }

  private static func status(from connection: LocalSocket, _ file: FilePath) throws -> WatchStatus?
  {
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
    if let status = try WatchServer.status(watching: resolved(folder.absoluteURL.filePath)) {
      return status
    }
    guard try FileStatus.of(folder.filePath) != nil,
      let container = try store.container(around: folder)
    else { return nil }
    return try WatchServer.status(at: ContainerFile.watchSocket.path(in: container.filePath))
  }

  /// Returns a path without the links in the part of it that is there.
  private static func resolved(_ path: FilePath) throws -> FilePath {
    guard try FileStatus.of(path) == nil, let name = path.lastComponent else {
      return try path.resolvingLinks()
    }
    return try resolved(path.parentFolder).appending(name)
  }
}
