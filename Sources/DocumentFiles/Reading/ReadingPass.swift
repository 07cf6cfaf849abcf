internal import SystemPackage

/// One attempt to read a listed document.
struct ReadingPass<Visitor: DocumentVisitor> {
  private(set) var visitor: Visitor
  /// The folder of the next file, after the folders in ``unentered`` are entered.
  private let folder: OpenFolder
  /// The folders on the path to the next member from which nothing has been read yet; a folder whose files
  /// are all known is never entered.
  private var unentered: [ItemListing] = []
  /// Called with the number of bytes just read.
  private let progress: (Int) throws -> Void
  private let clock: FileClock
  private let lastFile = LastFile()
  private var isInFolder = false
  /// The names in the path of the item that is being read.
  private var path: [[UInt8]]
  private let isExecutable: (([[UInt8]]) throws -> Bool)?
  /// True if all databases are copied, because one changed while it was read.
  private let copiesDatabases: Bool
  /// The folder for copies of databases.
  private let room: FilePath

  init(
    visitor: Visitor, in folder: OpenFolder, clock: FileClock, at path: [[UInt8]],
    isExecutable: (([[UInt8]]) throws -> Bool)?, copyingTo room: FilePath,
    copiesDatabases: Bool, progress: @escaping (Int) throws -> Void
  ) {
    self.visitor = visitor
    self.folder = folder
    self.clock = clock
    self.progress = progress
    self.path = path
    self.isExecutable = isExecutable
    self.room = room
    self.copiesDatabases = copiesDatabases
  }

  /// Reads a listed item.
  ///
  /// - Parameter mayHaveParts: whether a file may be a database with a part in a file beside it.
  /// - Throws: ``FileError`` with code `changing` for an item that differs from its listing;
  ///   ``DatabaseCopy/Refusal``.
  mutating func read(_ item: ItemListing, mayHaveParts: Bool = true) throws -> Visitor.Node {
    switch item.status.kind {
    case .file:
      if mayHaveParts, item.status.mayBeDatabase {
        let path = folder.place(of: item.name, below: unentered.map(\.name)).path
        if try LiveDatabase(withPartAt: path) != nil, try LiveDatabase.isDatabase(path) {
          return try readCopy(of: item, at: path)
        }
      }
      guard let node = try visitor.knownFile(item.status) else { return try readFile(item) }
      try progress(item.status.size)
      return node
    case .folder:
      guard let node = try visitor.knownFolder(item) else { return try readFolder(item) }
      try progress(item.bytes)
      return node
    // There are no other kinds, because they were rejected when the document was listed.
    case .symbolicLink, .other: return try visitor.symbolicLink(target: item.linkTarget ?? [])
    }
  }

  private mutating func readFile(_ item: ItemListing) throws -> Visitor.Node {
    for folder in unentered { try enter(folder) }
    unentered.removeAll()
    let (name, before) = (item.name, item.status)
    if before.mayBeDatabase, try LiveDatabase.isOpenHere(folder.path(of: name)) {
      return try readCopy(of: item, at: folder.path(of: name))
    }
    let file = try folder.unlessChanged(name, before) { () throws(FileError) in
      try folder.open(reading: name)
    }
    // A program that is writing it holds a lock, even if it keeps no journal.
    if before.mayBeDatabase, try file.isDatabase() {
      let isLocked = try file.hasLocks(in: DatabaseLocks.all, exclusive: true)
      if isLocked || copiesDatabases { return try readCopy(of: item, at: folder.path(of: name)) }
    }
    if let longest = clock.longestWriting, !file.keepWritersOut(),
      abs(clock.age(of: before)) < longest / .seconds(1)
    {
      throw folder.changing(name)
    }
    guard try file.status() == before else { throw folder.changing(name) }
    before.waitUntilNewChangesShow(in: file, by: clock)
    file.waitForWrites()
    // A small document is read again each time; of all others the status may be trusted.
    // If a program writes a page through a mapping, that stamps the file only if the page was clean before.
    // File systems in memory don't clean pages, and the program gets the error report.
    if isInFolder || before.size > FileContents.pieceSize {
      do throws(FileError) { try file.beginSynchronizing() } catch {}
    }
    lastFile.keep(file, before)
    let contents = FileContents(
      file: folder.place(of: name), status: before, in: lastFile, progress: progress)
    let node = try visitor.file(contents, isExecutable: mayBeRun(item))
    guard try lastFile.isUnchanged(since: before) else { throw folder.changing(name) }
    lastFile.letWritersIn()
    return node
  }

  private func mayBeRun(_ item: ItemListing) throws -> Bool {
    try isExecutable?(path) ?? item.status.isExecutable
  }

  /// Reads a database in its state at one moment, because its file may be incomplete, or may be being
  /// written.
  private mutating func readCopy(of item: ItemListing, at path: FilePath) throws -> Visitor.Node {
    let copy: DatabaseCopy
    do {
      copy = try DatabaseCopy(of: path, in: room) { try progress(0) }
    } catch let failure as DatabaseCopy.Failure {
      throw DatabaseCopy.Refusal(database: path, failure: failure)
    }
    return try visitor.file(
      FileContents(copy, in: lastFile, progress: progress), isExecutable: mayBeRun(item))
  }

  private func enter(_ listed: ItemListing) throws(FileError) {
    try folder.unlessChanged(listed.name, listed.status) { () throws(FileError) in
      try folder.enter(listed.name)
    }
  }

  private mutating func readFolder(_ item: ItemListing) throws -> Visitor.Node {
    unentered.append(item)
    isInFolder = true
    var members: [(name: [UInt8], node: Visitor.Node)] = []
    members.reserveCapacity(item.members?.count ?? 0)
    for member in item.members ?? [] {
      path.append(member.name)
      let mayHaveParts = item.databases?.contains(member.name) == true
      members.append((member.name, try read(member, mayHaveParts: mayHaveParts)))
      path.removeLast()
    }
    if unentered.popLast() == nil {
      guard try item.isCurrent(in: folder, since: nil) else { throw folder.changing() }
      try folder.leave()
    }
    return try visitor.folder(members, listedAs: item)
  }
}

extension OpenFolder {
  /// Runs a closure with an item; if it fails because the item is now another one, the error becomes
  /// `changing`.
  func unlessChanged<Result: ~Copyable>(
    _ name: [UInt8], _ before: FileStatus, _ body: () throws(FileError) -> Result
  ) throws(FileError) -> Result {
    do {
      return try body()
    } catch {
      guard try status(of: name) == before else { throw changing(name) }
      throw error
    }
  }

  /// Returns the error for a member, or the folder itself, that changes while it is read.
  func changing(_ name: [UInt8]? = nil) -> FileError {
    let path = name.map(path) ?? self.path
    return FileError(
      .changing, path: path, message: "“\(path.printable)” changed while it was being read.")
  }
}
