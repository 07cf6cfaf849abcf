package import SystemPackage

/// What an item is and holds, by names and status; with the bytes of its files, where they were read too.
package struct ItemListing: Sendable {
  package let name: [UInt8]
  package let status: FileStatus
  /// Where a link leads, as it is written there; nil for everything else.
  package let linkTarget: [UInt8]?
  /// In byte order of their names; nil for what is no folder.
  package let members: [ItemListing]?
  /// The bytes of a file that was read.
  package let contents: [UInt8]?

  /// Lists an item without reading a byte.
  ///
  /// - Parameter limits: what is refused.
  /// - Throws: ``FileError``: `notFound`; `unsupportedKind` for anything but files, folders and links; `tooLarge`;
  ///   `changing` when a folder is replaced meanwhile.
  package init(_ path: FilePath, limits: DocumentLimits = DocumentLimits()) throws(FileError) {
    let folder = try OpenFolder(path.parentFolder)
    guard let status = try folder.status(of: path.lastName) else {
      throw FileError(.notFound, path: path, message: "There is no item “\(path.printable)”.")
    }
    var tally = DocumentTally(limits: limits)
    try self.init(path.lastName, status, in: folder, depth: 0, &tally)
  }

  private init(
    _ name: [UInt8], _ status: FileStatus, in folder: OpenFolder, depth: Int,
    _ tally: inout DocumentTally
  ) throws(FileError) {
    try tally.add(status, depth: depth, at: folder.place(of: name))
    self.name = name
    self.status = status
    contents = nil
    switch status.kind {
    case .file: (linkTarget, members) = (nil, nil)
    case .symbolicLink, .other:
      // Of no other kind: those were refused when it was counted.
      (linkTarget, members) = (try folder.linkTarget(of: name), nil)
    case .folder:
      linkTarget = nil
      try folder.enter(name)
      var found: [ItemListing] = []
      for name in try folder.names() {
        // What went meanwhile is not there.
        guard let status = try folder.status(of: name) else { continue }
        found.append(
          try ItemListing(name, status, in: folder, depth: depth + 1, &tally))
      }
      try folder.leave()
      members = found
    }
  }
}

// MARK: Snapshots

extension ItemListing {
  /// Reads an item whole, as it was at one moment.
  ///
  /// - Throws: ``FileError``: what ``DocumentReader`` throws.
  package init(reading path: FilePath) throws {
    let (_, node, facts) = try DocumentReader.read(path) { SnapshotVisitor() }
    var statuses = facts.fingerprint[...]
    self = try Self(path.lastName, node, &statuses, path)
  }

  private init(
    _ name: [UInt8], _ node: SnapshotVisitor.Node, _ statuses: inout ArraySlice<FileStatus>,
    _ path: FilePath
  ) throws(FileError) {
    guard let status = statuses.popFirst() else {
      throw FileError(.changing, path: path, message: "“\(path.printable)” changes.")
    }
    self.name = name
    self.status = status
    switch node {
    case .file(let bytes): (linkTarget, members, contents) = (nil, nil, bytes)
    case .link(let target): (linkTarget, members, contents) = (target, nil, nil)
    case .folder(let nodes):
      var found: [ItemListing] = []
      for (name, node) in nodes { found.append(try Self(name, node, &statuses, path)) }
      (linkTarget, members, contents) = (nil, found, nil)
    }
  }
}

/// Keeps all it sees.
private struct SnapshotVisitor: DocumentVisitor {
  indirect enum Node {
    case file([UInt8])
    case link([UInt8])
    case folder([(name: [UInt8], node: Node)])
  }

  func file(_ contents: FileContents, isExecutable: Bool) throws -> Node {
    .file(try contents.read())
  }

  func symbolicLink(target: [UInt8]) -> Node { .link(target) }

  func folder(_ members: [(name: [UInt8], node: Node)]) -> Node { .folder(members) }
}
