internal import CFileSystem
internal import Synchronization
package import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A local socket between processes on one machine, for frames of bytes and open files.
///
/// Only ``wait(for:until:)`` waits.
package final class LocalSocket: Sendable {
  /// The frames that have arrived, and the start of the next one.
  private struct Arrived {
    var bytes: [UInt8] = []
    var isAtEnd = false
    var files: [Int32] = []
  }

  /// The other end.
  package struct Owner: Sendable {
    package let process: Int32
    package let user: UInt32
  }

  /// The greatest size of a frame, in bytes; this program sends no larger ones.
  package static let mostBytes = 1 << 20

  private let file: Descriptor
  private let arrived = Mutex(Arrived())
  private let sending = Mutex(())

  private init(_ number: Int32, _ path: FilePath) {
    file = Descriptor(adopting: number, place: .at(path))
  }

  deinit {
    for file in arrived.withLock({ $0.files }) { close(file) }
  }

  /// Creates a socket with a name in a folder, and listens on it.
  package static func listen(_ path: FilePath) throws(FileError) -> LocalSocket {
    try open(path) { docversions_socket_listen($0, $1, $2) }
  }

  /// Connects to a socket.
  package static func connect(_ path: FilePath) throws(FileError) -> LocalSocket {
    try open(path) { docversions_socket_connect($0, $1, $2) }
  }

  /// Listens on a name that is in no folder, and so can be reached while a disk is away; each end has to ask
  /// which user is at the other one.
  package static func listen(named name: String) throws(FileError) -> LocalSocket {
    try adopt(docversions_socket_listen(-1, name, name), FilePath(name))
  }

  /// Connects to a name that is in no folder.
  package static func connect(named name: String) throws(FileError) -> LocalSocket {
    try adopt(docversions_socket_connect(-1, name, name), FilePath(name))
  }

  private static func open(
    _ path: FilePath,
    _ call: (Int32, UnsafePointer<CInterop.PlatformChar>, UnsafePointer<CInterop.PlatformChar>) ->
      Int32
  ) throws(FileError) -> LocalSocket {
    let folder = try Descriptor.open(folder: path.parentFolder)
    let name = FilePath(bytes: path.lastName)
    let number = name.withPlatformString { name in
      path.withPlatformString { call(folder.number, name, $0) }
    }
    return try adopt(number, path)
  }

  private static func adopt(_ number: Int32, _ path: FilePath) throws(FileError) -> LocalSocket {
    guard number >= 0 else { throw .failed(to: "reach the socket", path, .current) }
    return LocalSocket(number, path)
  }

  /// Accepts a connection; `nil` if there is none.
  package func accept() -> LocalSocket? {
    let number = docversions_socket_accept(file.number)
    return number < 0 ? nil : LocalSocket(number, file.path)
  }

  /// Stops accepting connections and bytes, and wakes the waiting thread.
  package func shutDown() { shutdown(file.number, Int32(SHUT_RDWR)) }

  /// Returns the process and the user at the other end.
  package func peer() throws(FileError) -> Owner {
    var process: pid_t = 0
    var user: uid_t = 0
    guard docversions_socket_peer(file.number, &process, &user) == 0 else {
      throw .failed(to: "ask who is at", file.path, .current)
    }
    return Owner(process: process, user: user)
  }

  // MARK: Frames

  /// Sends a frame, optionally with an open file.
  ///
  /// - Parameter end: the time at which to give up if the other end accepts nothing.
  /// - Throws: ``FileError``, with code `busy` if it accepted nothing by then.
  package func send(
    _ frame: [UInt8], passing descriptor: Int32? = nil, until end: ContinuousClock.Instant
  ) throws(FileError) {
    let length = UInt32(frame.count)
    let bytes = (0..<4).map { UInt8(truncatingIfNeeded: length >> (24 - 8 * $0)) } + frame
    try sending.withLock { _ throws(FileError) in
      var start = 0
      while start < bytes.count {
        let sent = bytes.withUnsafeBytes { all in
          docversions_socket_send(
            file.number, all.baseAddress.map { $0 + start }, all.count - start,
            start == 0 ? descriptor ?? -1 : -1)
        }
        if sent > 0 {
          start += sent
          continue
        }
        let cause = Errno.current
        guard cause == .resourceTemporarilyUnavailable || cause == .wouldBlock else {
          throw .failed(to: "send to", file.path, cause)
        }
        guard Self.wait(for: [self], writing: true, until: end).contains(0) else {
          throw FileError(
            .busy, path: file.path,
            message: "The program at “\(file.path.printable)” accepts no input.")
        }
      }
    }
  }

  /// The next frame, or the reason why there is none.
  package enum Incoming: Sendable {
    case frame([UInt8])
    /// No frame has arrived yet.
    case nothing
    /// The other end has closed the connection, or violated its format.
    case end
  }

  /// Returns the next frame that has arrived.
  package func receive() -> Incoming {
    arrived.withLock { arrived in
      if let frame = Self.frame(in: &arrived.bytes) { return frame }
      while !arrived.isAtEnd {
        var file: Int32 = -1
        var part = [UInt8](repeating: 0, count: 16 << 10)
        let count = docversions_socket_receive(self.file.number, &part, part.count, &file)
        if file >= 0 {
          // Only one is useful; others are closed.
          if arrived.files.isEmpty { arrived.files.append(file) } else { close(file) }
        }
        if count < 0 {
          let cause = Errno.current
          if cause == .resourceTemporarilyUnavailable || cause == .wouldBlock { return .nothing }
          arrived.isAtEnd = true
        } else if count == 0 {
          arrived.isAtEnd = true
        } else {
          arrived.bytes += part.prefix(count)
          if let frame = Self.frame(in: &arrived.bytes) { return frame }
        }
      }
      return .end
    }
  }

  /// Returns the descriptor of an open file that came with a frame, which the caller closes; `nil` if none
  /// did, or it was already taken.
  func takePassedFile() -> Int32? { arrived.withLock { $0.files.popLast() } }

  private static func frame(in bytes: inout [UInt8]) -> Incoming? {
    guard bytes.count >= 4 else { return nil }
    let length = bytes.prefix(4).reduce(0) { $0 << 8 | Int($1) }
    guard length <= mostBytes else {
      bytes = []
      return .end
    }
    guard bytes.count >= 4 + length else { return nil }
    defer { bytes.removeFirst(4 + length) }
    return .frame(Array(bytes[4..<4 + length]))
  }

  // MARK: Waiting

  /// Waits until one of several sockets is readable, or was closed.
  ///
  /// - Returns: the indices of these sockets; empty if the time is up.
  package static func wait(
    for sockets: [LocalSocket], until end: ContinuousClock.Instant?
  ) -> [Int] {
    wait(for: sockets, writing: false, until: end)
  }

  private static func wait(
    for sockets: [LocalSocket], writing: Bool, until end: ContinuousClock.Instant?
  ) -> [Int] {
    let events = Int16(writing ? POLLOUT : POLLIN)
    while true {
      var waiting = sockets.map { pollfd(fd: $0.file.number, events: events, revents: 0) }
      var milliseconds: Int32 = -1
      if let end {
        let left = (end - ContinuousClock.now) / .milliseconds(1)
        milliseconds = Int32(max(0, min(1e9, left.rounded(.up))))
      }
      let count = poll(&waiting, nfds_t(waiting.count), milliseconds)
      if count < 0, Errno.current == .interrupted { continue }
      return count > 0 ? waiting.indices.filter { waiting[$0].revents != 0 } : []
    }
  }
}
