internal import Dispatch
internal import DocumentFiles
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// Takes the messages that accesses of other processes, and of this one, send to presenters of this process in a container.
///
/// One thread takes connections, and one more for each of them waits for its messages: an access of another program takes
/// long only in its accessor.
final class PresenterServer: Sendable {
  private let folder: PresenterFolder
  private let container: FilePath
  private let socket: LocalSocket
  private let isOver = Mutex(false)

  /// Begins to listen.
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
          // Where the process has no descriptor left, the connection waits until it has one.
          if !hasTaken { Threads.sleep(seconds: 0.01) }
        }
      })
    else {
      folder.forget()
      throw CoordinationError(
        .noSockets, URL(filePath: container.string), "The system has no thread left for messages.")
    }
  }

  /// Says what is presented; blocks.
  func publish(_ paths: some Sequence<[UInt8]>) throws { try folder.publish(paths) }

  /// Listens no more; accesses that are under way are served to their end.
  func end() {
    isOver.withLock { $0 = true }
    folder.forget()
    socket.shutDown()
  }

  private static func serve(_ connection: LocalSocket, in container: FilePath) {
    do {
      guard try connection.peer().user == geteuid() else { return }
    } catch {
      // Gone again.
      return
    }
    // Without a thread the connection is closed, as that of a process that has ended.
    _ = Threads.detach { PresenterSession(connection, in: container).run() }
  }
}
