internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// A place in a tree of folders, represented by an open folder rather than by a path.
///
/// Each call takes one name in the open folder, and links are never followed. So even if another program
/// swaps or links items in the meantime, nothing outside the tree is reached, and no path gets too long.
///
/// Only one folder is open at a time, however deep it is. The way back is the folder's own "..", which must
/// lead to the folder that it was entered from.
final class OpenFolder {
  private var folder: Descriptor
  /// The folders around the open one, outermost first.
  private var enclosing: [(place: ItemPath, status: FileStatus)] = []

  /// Opens a folder.
  init(_ path: FilePath) throws(FileError) {
    folder = try Descriptor.open(folder: path)
  }

  /// Opens an already open folder again.
  ///
  /// - Parameters:
  ///   - number: its descriptor.
  ///   - place: its location, for messages.
  init(another number: Int32, at place: ItemPath) throws(FileError) {
    let another = openat(number, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard another >= 0 else { throw .failed(to: "open", place.path, .current) }
    folder = Descriptor(adopting: another, place: place)
  }

  /// The path of the open folder, for messages.
  var path: FilePath { folder.path }

  // MARK: Reading

  /// Returns the path of an item, for messages.
  func path(of name: [UInt8]) -> FilePath { place(of: name).path }

  /// Returns the place of an item, for later messages.
  func place(of name: [UInt8]) -> ItemPath { folder.place.member(name) }

  /// Returns the place of an item some folders further down.
  func place(of name: [UInt8], below folders: [[UInt8]]) -> ItemPath {
    (folders + [name]).reduce(folder.place) { $0.member($1) }
  }

  /// Reads the status of the open folder itself.
  func status() throws(FileError) -> FileStatus { try folder.status() }

  /// Reads the status of an item; `nil` if there is none.
  func status(of name: [UInt8]) throws(FileError) -> FileStatus? {
    try FileStatus.of(checked(name), in: folder)
  }

  /// Lists the names in the open folder, in byte order.
  func names() throws(FileError) -> [[UInt8]] {
    try Folder.names(in: folder)
  }

  /// Opens a file for reading, without waiting for a FIFO.
  func open(reading name: [UInt8]) throws(FileError) -> Descriptor {
    try .open(
      checked(name), in: folder, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC,
      action: "read")
  }

  /// Reads the target of a link, as stored.
  func linkTarget(of name: [UInt8]) throws(FileError) -> [UInt8] {
    let checked = try checked(name)
    let (parent, text) = (folder.number, checked.cString)
    let target = [UInt8](unsafeUninitializedCapacity: Int(PATH_MAX)) { buffer, count in
      buffer.withMemoryRebound(to: CChar.self) { buffer in
        guard let start = buffer.baseAddress else { return }
        count = max(0, readlinkat(parent, text, start, buffer.count))
      }
    }
    guard !target.isEmpty else { throw .failed(to: "read the link", path(of: name), .current) }
    return target
  }

  /// Returns an item in the form of system calls: the descriptor of the open folder, and the name in it.
  func systemName(of name: [UInt8]) throws(FileError) -> (folder: Int32, name: [CChar]) {
    (folder.number, try checked(name).cString)
  }

  // MARK: Moving

  /// Enters a folder.
  func enter(_ name: [UInt8]) throws(FileError) {
    let inner = try Descriptor.open(
      checked(name), in: folder, flags: O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC,
      action: "open")
    enclosing.append((folder.place, try folder.status()))
    folder = inner
  }

  /// Returns to the folder from which ``enter(_:)`` was called.
  ///
  /// - Throws: ``FileError`` with code `changing` if the folder was moved away or removed in the meantime.
  func leave() throws(FileError) {
    guard let (place, status) = enclosing.popLast() else { return }
    let number = openat(
      folder.number, "..", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)
    let cause = Errno.current
    guard number >= 0 || cause == .noSuchFileOrDirectory else {
      throw .failed(to: "open", place.path, cause)
    }
    if number >= 0 {
      let outer = Descriptor(adopting: number, place: place)
      if try outer.status().isSameItem(as: status) {
        folder = outer
        return
      }
    }
    throw FileError(
      .changing, path: folder.path,
      message: "“\(folder.path.printable)” was moved while it was in use.")
  }

  // MARK: Creating

  /// Creates a file that must not exist yet.
  func create(_ name: [UInt8], permissions: UInt32) throws(FileError) -> Descriptor {
    try .open(
      checked(name), in: folder, flags: O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
      permissions: permissions, action: "create")
  }

  /// Creates a folder that must not exist yet.
  func makeFolder(_ name: [UInt8], permissions: UInt32) throws(FileError) {
    let text = try checked(name).cString
    guard mkdirat(folder.number, text, mode_t(permissions)) == 0 else {
      throw .failed(to: "create", path(of: name), .current)
    }
  }

  /// Creates a link that must not exist yet.
  func makeLink(_ name: [UInt8], target: [UInt8]) throws(FileError) {
    guard PathName.isLinkTarget(target) else {
      throw FileError(
        .invalidName, path: path(of: name),
        message: "The link “\(path(of: name).printable)” has an invalid target.")
    }
    let text = try checked(name).cString
    guard symlinkat(target.map { CChar(bitPattern: $0) } + [0], folder.number, text) == 0 else {
      throw .failed(to: "create the link", path(of: name), .current)
    }
  }

  /// Gives a file of another folder a second name in this folder.
  ///
  /// - Returns: false if the file system, or the file's owner, doesn't allow it.
  func makeSecondName(_ name: [UInt8], of original: [UInt8], in other: OpenFolder)
    throws(FileError) -> Bool
  {
    let (from, to) = (try other.checked(original).cString, try checked(name).cString)
    if linkat(other.folder.number, from, folder.number, to, 0) == 0 { return true }
    let cause = Errno.current
    guard cause != .fileExists else { throw .failed(to: "create", path(of: name), cause) }
    return false
  }

  /// Opens the open folder again.
  func duplicate() throws(FileError) -> Descriptor { try folder.duplicate() }

  /// Passes the open folder itself to a closure, for its permissions and attributes.
  func withFolder<Result>(
    _ body: (borrowing Descriptor) throws(FileError) -> Result
  ) throws(FileError) -> Result {
    try body(folder)
  }

  // MARK: Removing

  /// Removes an item with everything in it; links are removed, never followed.
  ///
  /// A missing item is not an error.
  func removeTree(_ name: [UInt8]) throws(FileError) {
    try removeTree(name, isInSlice: false)
  }

  /// - Parameter isInSlice: whether other parts of the tree are removed at the same time.
  private func removeTree(_ name: [UInt8], isInSlice: Bool) throws(FileError) {
    let checked = try checked(name)
    if unlinkat(folder.number, checked.cString, 0) == 0 { return }
    let cause = Errno.current
    guard let status = try status(of: name) else { return }
    guard status.kind == .folder else { throw .failed(to: "remove", path(of: name), cause) }
    // A folder without write permission can't be emptied; it is the user's own, so permit it first.
    if status.permissions & 0o700 != 0o700 {
      _ = fchmodat(folder.number, checked.cString, mode_t(status.permissions | 0o700), 0)
    }
    try enter(name)
    let names = try names()
    if isInSlice || names.count < Self.leastForSlices {
      for member in names { try removeTree(member, isInSlice: isInSlice) }
    } else {
      try removeInSlices(names)
    }
    try leave()
    guard unlinkat(folder.number, checked.cString, AT_REMOVEDIR) == 0 else {
      throw .failed(to: "remove", path(of: name), .current)
    }
  }

  /// The fewest members for which a folder is emptied by several threads.
  private static let leastForSlices = 8

  /// Removes the items of the open folder, some at the same time, because nearly all of the work is the
  /// system's.
  private func removeInSlices(_ names: [[UInt8]]) throws(FileError) {
    let (number, place) = (folder.number, folder.place)
    let size = (names.count - 1) / (4 * ForkJoin.coreCount) + 1
    let results = ForkJoin.mapRanges(of: names.count, upTo: size) { range in
      Result { () throws(FileError) in
        let folder = try OpenFolder(another: number, at: place)
        for name in names[range] { try folder.removeTree(name, isInSlice: true) }
      }
    }
    for result in results { try result.get() }
  }

  private func checked(_ name: [UInt8]) throws(FileError) -> PathName {
    try PathName(name, in: folder.place)
  }
}
