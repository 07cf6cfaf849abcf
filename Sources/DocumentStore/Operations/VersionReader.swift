internal import DocumentFiles
internal import DocumentGit
internal import Foundation

/// A document's store, opened once to read everything that merging its versions needs.
///
/// It stays on the thread that opened it.
package struct VersionReader {
  private let reader: StoreReader

  package init(_ reader: StoreReader) {
    self.reader = reader
  }

  /// The progress of the operation, which can cancel it.
  package var progress: OperationProgress? { reader.environment.progress }

  /// Returns, for each reading of the history, the bases for merging one more version into already merged ones, best
  /// first.
  ///
  /// Only a result that all readings share is right.
  package func mergeBases(
    of merged: [FileVersion], and next: FileVersion
  ) throws -> [[FileVersion]] {
    try reader.merging.mergeBases(
      of: merged.map { try reader.knownRecord($0).id }, and: reader.knownRecord(next).id
    ).map { try $0.map { try reader.version($0.id) } }
  }

  /// Returns the versions of one side of a merge that were saved over a version of the other side and ignore a part of
  /// it, with that version, oldest first.
  package func partlyMissed(
    among merged: [FileVersion], and next: FileVersion
  ) throws -> [(saved: FileVersion, missed: FileVersion)] {
    try reader.merging.partlyMissed(
      among: merged.map { try reader.knownRecord($0).id }, and: reader.knownRecord(next).id
    ).map { (try reader.version($0.saved.id), try reader.version($0.missed.id)) }
  }

  /// Returns whether the contents of a version are based on those of another one, directly or indirectly.
  package func isMade(_ version: FileVersion, from other: FileVersion) throws -> Bool {
    try reader.merging.isMade(reader.knownRecord(version).id, from: reader.knownRecord(other).id)
  }

  /// Returns the answers of earlier resolutions that the versions in conflict follow, latest first.
  ///
  /// This includes resolutions that were undone, because the same questions come up again.
  package func earlierAnswers() throws -> [EarlierAnswer] {
    try reader.merging.resolutions().flatMap { record in
      let resolution = try reader.version(record.id)
      return (record.facts.answers ?? []).map { EarlierAnswer(given: $0, resolution: resolution) }
    }
  }

  /// Returns which sides of a merge are based on a resolution that their common base isn't based on.
  package func followers(
    of resolution: FileVersion, among merged: [FileVersion], and next: FileVersion
  ) throws -> (ours: Bool, theirs: Bool) {
    let id = try reader.knownRecord(resolution).id
    let ours = try merged.map { try reader.knownRecord($0).id }
    let theirs = try reader.knownRecord(next).id
    let bases = try reader.merging.mergeBases(of: ours, and: theirs).joined().map(\.id)
    let isInBase =
      try !bases.isEmpty && bases.allSatisfy { try reader.merging.isMade($0, from: id) }
    guard !isInBase else { return (false, false) }
    return (
      try ours.contains { try reader.merging.isMade($0, from: id) },
      try reader.merging.isMade(theirs, from: id)
    )
  }

  /// The document's identifier.
  package var documentIdentifier: String { reader.documentIdentifier.description }

  /// Returns a version and the versions that its contents are based on in turn, newest first.
  package func line(to version: FileVersion) throws -> [FileVersion.PersistentIdentifier] {
    try reader.merging.line(to: reader.knownRecord(version).id).map { .init($0.id) }
  }

  /// Returns the contents of a version for merging, including a removed version that can be restored; `nil` if they
  /// aren't on this device.
  package func baseContents(of version: FileVersion) throws -> VersionContents? {
    let id = try reader.knownRecord(version).id
    let isHere = try reader.chain.contents()[id] != nil || reader.trash.removedContents()[id] != nil
    return isHere ? try contents(of: version) : nil
  }

  /// Returns the contents of a version; a package's members are read on request.
  package func contents(of version: FileVersion) throws -> VersionContents {
    let document = version.documentURL
    let record = try reader.knownRecord(version)
    guard let content = record.content else { return .deleted }
    // Checked as if it were to be written.
    let item = try reader.contents.item(of: record)
    if content.isPackage {
      return .package(
        try reader.entries(of: content.tree) {
          [environment = reader.environment] entry, isChunked in
          {
            // The store is closed by then.
            try environment.reading(document) {
              try $0.contents.contents(of: entry, isChunked: isChunked, limit: content.bytes)
                .contents.read()
            }
          }
        })
    }
    if let large = LargeFile(content) { return .largeFile(large) }
    guard case .file(let isExecutable, let contents) = item,
      contents.size <= LargeFile.threshold
    else {
      throw GitError.malformed("the tree of \(record.shortName) is not one file of its size")
    }
    return .file(try contents.read(), isExecutable: isExecutable)
  }
}

extension StoreReader {
  /// Returns the files, links and empty folders below a tree.
  fileprivate func entries(
    of tree: ObjectID, below prefix: [[UInt8]] = [],
    reading: (Tree.Entry, _ isChunked: Bool) -> @Sendable () throws -> [UInt8]
  ) throws -> [PackageEntry] {
    try objects.repository.tree(tree).entries.flatMap { entry -> [PackageEntry] in
      let (name, isChunked) = MemberName.decoded(entry.name) ?? (entry.name, false)
      let path = prefix + [name]
      func file(isExecutable: Bool, size: Int) -> PackageEntry {
        PackageEntry(
          path: path,
          kind: .file(
            identity: entry.id.description, isExecutable: isExecutable, size: size,
            read: reading(entry, isChunked)))
      }
      if isChunked {
        let chunks = try ChunkList(entry.id, in: objects.repository)
        return [file(isExecutable: chunks.mode == .executable, size: chunks.size)]
      }
      switch entry.mode {
      case .file, .executable:
        let size = try objects.repository.size(of: entry.id)
        return [file(isExecutable: entry.mode == .executable, size: size)]
      case .symbolicLink:
        let target = try objects.repository.read(entry.id, as: .blob)
        return [PackageEntry(path: path, kind: .symbolicLink(target: target))]
      case .folder:
        let members = try entries(of: entry.id, below: path, reading: reading)
        return members.isEmpty ? [PackageEntry(path: path, kind: .folder)] : members
      }
    }
  }
}
