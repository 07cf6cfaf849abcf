internal import SystemPackage

/// One attempt at reading a document.
struct ReadingPass<Visitor: DocumentVisitor> {
  var visitor: Visitor
  var facts: DocumentFacts
  /// What was counted so far, against the limits.
  private var tally: DocumentTally
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
    tally = DocumentTally(limits: limits)
    self.folder = folder
    self.progress = progress
  }

  /// Looks at the item of a name and at all that it holds, without reading a byte: what is refused is refused
  /// at once, however much there is to read before it.
  ///
  /// - Returns: bytes of all files.
  func check(_ name: [UInt8]) throws -> Int {
    var tally = DocumentTally(limits: tally.limits)
    try check(name, depth: 0, &tally)
    return tally.bytes
  }

  private func check(_ name: [UInt8], depth: Int, _ tally: inout DocumentTally) throws {
    guard let before = try folder.status(of: name) else { throw changing(name) }
    try tally.add(before, depth: depth, at: folder.place(of: name))
    guard before.kind == .folder else { return }
    try unlessChanged(name, before) { () throws(FileError) in try folder.enter(name) }
    for name in try folder.names() { try check(name, depth: depth + 1, &tally) }
    try folder.leave()
  }

  /// Reads the item of a name in the open folder.
  mutating func read(_ name: [UInt8], depth: Int) throws -> Visitor.Node {
    guard let before = try folder.status(of: name) else { throw changing(name) }
    try tally.add(before, depth: depth, at: folder.place(of: name))
    facts.fingerprint.append(before)
    facts.modified = max(facts.modified, before.modified)
    switch before.kind {
    case .file: return try readFile(name, before)
    case .folder: return try readFolder(name, before, depth: depth)
    case .symbolicLink, .other:
      // Of no other kind: those were refused when it was counted.
      facts.files += 1
      let target = try unlessChanged(name, before) { () throws(FileError) in
        try folder.linkTarget(of: name)
      }
      return try visitor.symbolicLink(target: target)
    }
  }

  private mutating func readFile(_ name: [UInt8], _ before: FileStatus) throws -> Visitor.Node {
    facts.files += 1
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
