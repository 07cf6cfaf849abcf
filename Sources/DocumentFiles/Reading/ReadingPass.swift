internal import SystemPackage

/// One attempt at reading a document as it was listed.
struct ReadingPass<Visitor: DocumentVisitor> {
  private(set) var visitor: Visitor
  /// The folder of the next file, once those in ``unentered`` are entered.
  private let folder: OpenFolder
  /// Folders on the path to the next member of which nothing was read yet; a folder whose files are all known is never
  /// entered.
  private var unentered: [ItemListing] = []
  /// Called with the number of bytes just read.
  private let progress: (Int) throws -> Void
  private let clock: FileClock
  private let lastFile = LastFile()
  private var isInFolder = false
  /// The names that lead to the item that is read, in the document.
  private var path: [[UInt8]]
  private let isExecutable: (([[UInt8]]) throws -> Bool)?

  init(
    visitor: Visitor, in folder: OpenFolder, clock: FileClock, at path: [[UInt8]],
    isExecutable: (([[UInt8]]) throws -> Bool)?,
    progress: @escaping (Int) throws -> Void
  ) {
    self.visitor = visitor
    self.folder = folder
    self.clock = clock
    self.progress = progress
    self.path = path
    self.isExecutable = isExecutable
  }

  /// Reads a listed item.
  ///
  /// - Throws: ``FileError`` with code `changing` for an item that is not as it was listed.
  mutating func read(_ item: ItemListing) throws -> Visitor.Node {
    switch item.status.kind {
    case .file:
      guard let node = try visitor.knownFile(item.status) else { return try readFile(item) }
      try progress(item.status.size)
      return node
    case .folder:
      guard let node = try visitor.knownFolder(item) else { return try readFolder(item) }
      try progress(item.bytes)
      return node
    // Of no other kind: those were refused when it was listed.
    case .symbolicLink, .other: return try visitor.symbolicLink(target: item.linkTarget ?? [])
    }
  }

  private mutating func readFile(_ item: ItemListing) throws -> Visitor.Node {
    for folder in unentered { try enter(folder) }
    unentered.removeAll()
    let (name, before) = (item.name, item.status)
    let file = try folder.unlessChanged(name, before) { () throws(FileError) in
      try folder.open(reading: name)
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
    if isInFolder || before.size > FileContents.pieceSize { file.beginSynchronizing() }
    lastFile.keep(file, before)
    let contents = FileContents(
      file: folder.place(of: name), status: before, in: lastFile, progress: progress)
    let isExecutable = try isExecutable?(path) ?? before.isExecutable
    let node = try visitor.file(contents, isExecutable: isExecutable)
    guard try lastFile.isUnchanged(since: before) else { throw folder.changing(name) }
    lastFile.letWritersIn()
    return node
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
      members.append((member.name, try read(member)))
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
  /// Does something with an item; a failure because the item is another one now becomes `changing`.
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

  /// Makes the error for a member, or the folder itself, that changes while it is read.
  func changing(_ name: [UInt8]? = nil) -> FileError {
    let path = name.map(path) ?? self.path
    return FileError(
      .changing, path: path, message: "“\(path.printable)” changed while it was being read.")
  }
}
