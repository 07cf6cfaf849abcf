internal import Dispatch
internal import DocumentFiles
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// Receives the messages that accesses of any process send to this process's presenters in a container.
///
/// One thread accepts connections, and another one for each connection waits for its messages. An access of another
/// program takes long only in its accessor.
final class PresenterServer: Sendable {
  private let folder: PresenterFolder
  private let container: FilePath
  private let socket: LocalSocket
  private let isOver = Mutex(false)

  /// Starts to listen.
  ///
  /// - Throws: ``CoordinationError`` with code `noSockets`.
  init(in container: FilePath) throws {
    self.container = container
    folder = PresenterFolder(of: container)
    socket = try folder.listen()
    let (socket, isOver) = (
      socket, { @Sendable [weak self] in self?.isOver.withLock { $0 } ?? true }
    )
    guard
      Threads.detach({
        while !isOver() {
          _ = LocalSocket.wait(for: [socket], until: nil)
          var hasTaken = false
          while let connection = socket.accept() {
            Self.serve(connection, in: container)
            hasTaken = true
          }
          // If the process has no descriptor left, the connection waits until one is free.
          if !hasTaken { Threads.sleep(seconds: 0.01) }
        }
      })
    else {
      folder.forget()
      throw CoordinationError(
        .noSockets, URL(filePath: container.string), "The system has no thread left for messages.")
    }
  }

  /// Publishes the paths of presented items; blocks.
  func publish(_ paths: some Sequence<[UInt8]>) throws { try folder.publish(paths) }

  /// Stops listening; running accesses are served to their end.
  func end() {
    isOver.withLock { $0 = true }
    folder.forget()
    socket.shutDown()
  }

  private static func serve(_ connection: LocalSocket, in container: FilePath) {
    do {
      guard try connection.peer().user == geteuid() else { return }
    } catch {
      // The connection has ended again.
      return
    }
    // Without a thread, the connection is closed, as if the process had ended.
    _ = Threads.detach { PresenterSession(connection, in: container).run() }
  }
}
