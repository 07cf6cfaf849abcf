internal import SystemPackage

/// One attempt at reading a document.
struct ReadingPass<Visitor: DocumentVisitor> {
  var visitor: Visitor
  var facts: DocumentFacts
  let limits: DocumentLimits
  /// The folder that the next member is in.
  let folder: OpenFolder
  /// Called with the number of bytes just read.
  let progress: (Int) throws -> Void
  private let lastFile = LastFile()

  init(
    visitor: Visitor, facts: DocumentFacts, limits: DocumentLimits, folder: OpenFolder,
    progress: @escaping (Int) throws -> Void
  ) {
    self.visitor = visitor
    self.facts = facts
    self.limits = limits
    self.folder = folder
    self.progress = progress
  }

  /// Reads the item of a name in the open folder.
  mutating func read(_ name: [UInt8], depth: Int) throws -> Visitor.Node {
    guard let before = try folder.status(of: name) else { throw changing(name) }
    facts.members += 1
    if depth > limits.depth || facts.members > limits.members {
      let path = folder.path(of: name)
      throw FileError(
        .tooLarge, path: path,
        message: """
          “\(path.printable)” is beyond the limit of \(limits.members) members and \(limits.depth) \
          nested folders.
          """)
    }
    facts.fingerprint.append(before)
    facts.modified = max(facts.modified, before.modified)
    switch before.kind {
    case .file: return try readFile(name, before)
    case .folder: return try readFolder(name, before, depth: depth)
    case .symbolicLink:
      facts.files += 1
      let target = try unlessChanged(name, before) { () throws(FileError) in
        try folder.linkTarget(of: name)
      }
      return try visitor.symbolicLink(target: target)
    case .other(let kind):
      let path = folder.path(of: name)
      throw FileError(
        .unsupportedKind, path: path,
        message: "“\(path.printable)” is \(kind); only files, folders and links can be saved.")
    }
  }

  private mutating func readFile(_ name: [UInt8], _ before: FileStatus) throws -> Visitor.Node {
    facts.files += 1
    if before.size > limits.fileSize || before.size > limits.totalSize - facts.bytes {
      let path = folder.path(of: name)
      throw FileError(
        .tooLarge, path: path,
        message: "“\(path.printable)” has \(before.size) bytes, more than can be saved.")
    }
    facts.bytes += before.size
    let file = try unlessChanged(name, before) { () throws(FileError) in
      try folder.open(reading: name)
    }
    guard try file.status() == before else { throw changing(name) }
    before.waitUntilNewChangesShow()
    file.waitForWrites()
    lastFile.keep(file)
    let contents = FileContents(
      file: folder.place(of: name), status: before, in: lastFile, progress: progress)
    let node = try visitor.file(contents, isExecutable: before.isExecutable)
    guard try lastFile.isUnchanged(since: before) else { throw changing(name) }
    return node
  }

  private mutating func readFolder(
    _ name: [UInt8], _ before: FileStatus, depth: Int
  ) throws -> Visitor.Node {
    try unlessChanged(name, before) { () throws(FileError) in try folder.enter(name) }
    let names = try folder.names()
    var members: [(name: [UInt8], node: Visitor.Node)] = []
    for name in names { members.append((name, try read(name, depth: depth + 1))) }
    let namesAfterwards = try folder.names()
    try folder.leave()
    guard try namesAfterwards == names && folder.status(of: name) == before else {
      throw changing(name)
    }
    return try visitor.folder(members)
  }

  /// Does something with an item; when that fails because the item is another one now, it changes.
  private func unlessChanged<Result: ~Copyable>(
    _ name: [UInt8], _ before: FileStatus, _ body: () throws(FileError) -> Result
  ) throws(FileError) -> Result {
    do {
      return try body()
    } catch {
      guard try folder.status(of: name) == before else { throw changing(name) }
      throw error
    }
  }

  private func changing(_ name: [UInt8]) -> FileError {
    let path = folder.path(of: name)
    return FileError(
      .changing, path: path, message: "“\(path.printable)” changes while it is read.")
  }
}
