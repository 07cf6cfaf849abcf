internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// The folder of a container with two files for each presenting process: its socket, and the paths of its presented
/// items, so that only concerned processes are asked.
///
/// Only processes of the folder's owner can reach one another. Names are never reused, so any process may remove the
/// files of a process that has ended.
struct PresenterFolder {
  /// A process that presents something in the container.
  struct Process: Sendable {
    /// The name of its socket, the same in all containers.
    let name: String
    let program: ProgramIdentity
    /// The paths of the presented items.
    fileprivate let presented: [ArraySlice<UInt8>]
    fileprivate let socket: FilePath

    var isThisOne: Bool { name == PresenterFolder.ownName }

    /// The presented items.
    var paths: [FilePath] { presented.map { FilePath(bytes: $0) } }

    /// Returns whether an access to items concerns anything that it presents.
    func isConcerned(by reaches: [ItemReach]) -> Bool {
      presented.contains { path in reaches.contains { $0.concern(of: path) != nil } }
    }
  }

  private let path: FilePath

  init(of container: FilePath) { path = ContainerFile.presenters.path(in: container) }

  private static let ownName = "\(getpid())-\(UUID().uuidString.prefix(8))"
  private static let suffix = ".items"

  private static func process(of name: String) -> Int32 {
    Int32(name.prefix { $0 != "-" }) ?? 0
  }

  private var ownSocket: FilePath { path.appending(Self.ownName) }
  private var ownItems: FilePath { path.appending(Self.ownName + Self.suffix) }

  // MARK: This process

  /// Listens on a socket of this process.
  ///
  /// - Throws: ``CoordinationError`` with code `noSockets`.
  func listen() throws -> LocalSocket {
    try reporting {
      try Folder.create(path, permissions: 0o700, isDurable: false)
      guard let status = try FileStatus.of(path), status.owner == geteuid() else {
        throw FileError(
          .notPermitted, path: path, message: "“\(path.printable)” belongs to another user.")
      }
      // Left behind by this process, which no longer listens on it.
      if try FileStatus.of(ownSocket) != nil { try Folder.removeTree(ownSocket) }
      return try LocalSocket.listen(ownSocket)
    }
  }

  /// Publishes the paths that this process presents in the container.
  func publish(_ paths: some Sequence<[UInt8]>) throws {
    try reporting {
      var bytes = Array(ProgramIdentity.current.name.utf8) + [0]
      for path in paths { bytes += path + [0] }
      try SmallFile.replaceCache(ownItems, bytes, isPrivate: true)
    }
  }

  /// Removes the files that ``listen()`` and ``publish(_:)`` created.
  func forget() {
    do { try remove(Self.ownName) } catch {
      // The next process that finds the file removes it.
    }
  }

  private func reporting<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch let error as FileError {
      throw CoordinationError(
        .noSockets, URL(filePath: path.string),
        "Programs that change documents can’t reach this one: \(error.message)", cause: error)
    }
  }

  // MARK: All processes

  /// Returns the processes that present something in the container; removes files of ended processes.
  ///
  /// - Parameter readingOwn: whether to read the paths of this process, which it may know already.
  func processes(readingOwn: Bool = true) throws -> [Process] {
    guard let status = try FileStatus.of(path), status.kind == .folder, status.owner == geteuid()
    else { return [] }
    return try Folder.names(in: path).compactMap { name in
      let name = String(decoding: name, as: UTF8.self)
      guard name.hasSuffix(Self.suffix) else { return nil }
      let owner = String(name.dropLast(Self.suffix.count))
      guard ProcessStatus.isAlive(Self.process(of: owner)) else {
        try remove(owner)
        return nil
      }
      let socket = path.appending(owner)
      guard readingOwn || owner != Self.ownName else {
        return Process(name: owner, program: .current, presented: [], socket: socket)
      }
      let bytes = try SmallFile.read(path.appending(name), limit: Self.mostBytes) ?? []
      let parts = bytes.split(separator: 0)
      let program = ProgramIdentity(
        name: String(decoding: parts.first ?? [], as: UTF8.self),
        process: Self.process(of: owner))
      return Process(
        name: owner, program: program, presented: Array(parts.dropFirst()), socket: socket)
    }
  }

  private static let mostBytes = 64 << 20

  /// Connects to a process; `nil` if it has ended, or belongs to another user.
  func connect(to process: Process) throws -> LocalSocket? {
    do {
      let socket = try LocalSocket.connect(process.socket)
      return try socket.peer().user == geteuid() ? socket : nil
    } catch {
      guard error.systemError == ECONNREFUSED || error.code == .notFound else { throw error }
      try remove(process.name)
      return nil
    }
  }

  private func remove(_ name: String) throws(FileError) {
    try Folder.removeTree(path.appending(name))
    try Folder.removeTree(path.appending(name + Self.suffix))
  }
}
