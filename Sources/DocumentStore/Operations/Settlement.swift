internal import DocumentFiles
internal import DocumentGit
package import Foundation

/// A conflict as it is now: the versions that nobody has brought together yet.
package struct ConflictState: Sendable {
  package let document: URL
  /// The versions, the current one first.
  package let versions: [FileVersion]
  /// The latest version that all were made from.
  package let base: FileVersion?
  /// The version that edits on disk became before; nil where there were none.
  package let keptEdits: FileVersion?
  /// Whether the document was not on disk.
  let isMissing: Bool
}

/// The contents of a version, apart from its store.
package enum VersionContents: Sendable {
  case file([UInt8], isExecutable: Bool)
  /// A file that is too large to be compared or merged: taken whole, or not.
  case largeFile(LargeFile)
  /// A package's files, links and empty folders.
  case package([PackageEntry])
  case deleted
}

/// A file that is told apart from others without its bytes.
package struct LargeFile: Hashable, Sendable {
  /// Files of more bytes are not loaded for comparing and merging.
  package static let threshold = 64 << 20

  /// The digest of its bytes.
  package let digest: String
  /// Bytes.
  package let size: Int
  package let isExecutable: Bool

  /// Nil for what is a package, or small enough to be loaded.
  init?(_ content: DocumentContent) {
    guard !content.isPackage, content.bytes > Self.threshold else { return nil }
    digest = content.digest
    size = content.bytes
    isExecutable = content.isExecutable
  }
}

/// A file, link or empty folder of a package.
package struct PackageEntry: Sendable {
  package enum Kind: Sendable {
    /// A file; `identity` is the same for the same bytes, of which there are `size`.
    case file(
      identity: String, isExecutable: Bool, size: Int, read: @Sendable () throws -> [UInt8])
    case symbolicLink(target: [UInt8])
    case folder
  }

  /// The names on the way to it.
  package let path: [[UInt8]]
  package let kind: Kind

  package init(path: [[UInt8]], kind: Kind) {
    self.path = path
    self.kind = kind
  }

  /// A file with contents that no version has yet; it may be merged again, with further versions.
  package init(path: [[UInt8]], newFile bytes: [UInt8], isExecutable: Bool) {
    self.path = path
    kind = .file(
      identity: ObjectID(of: .blob, bytes).description, isExecutable: isExecutable,
      size: bytes.count, read: { bytes })
  }
}

/// How a conflict shall end.
package struct Settlement: Sendable {
  package enum Contents: Sendable {
    /// Those of one of the versions.
    case version(FileVersion)
    /// New ones.
    case new(VersionContents)
  }

  package var contents: Contents
  /// The document's path afterwards.
  package var path: String
  /// ``VersionKind/resolve`` or ``VersionKind/merge``.
  package var kind: VersionKind

  package init(contents: Contents, path: String, kind: VersionKind) {
    self.contents = contents
    self.path = path
    self.kind = kind
  }
}

extension VersionStore {
  /// What is to be resolved; edits that were not saved become a version first.
  ///
  /// - Returns: nil when the document is in no conflict.
  package func conflictState(of document: URL) throws -> ConflictState? {
    // Under its former name it would be made anew beside the renamed one.
    let document = try renamedDocuments(among: [document])[document] ?? document
    return try changing(document) { try $0.conflictState(for: self) }
  }

  /// Ends a conflict with one version that follows all of its versions, and writes the document.
  ///
  /// - Throws: ``VersionError`` with code `changedMeanwhile` when the versions are not those of the
  ///   state any more, or the document was edited; ``FileError`` with code `changing` when it was moved away. Then nothing
  ///   was changed.
  package func settle(_ state: ConflictState, with settlement: Settlement) throws -> FileVersion {
    let settled = try changing(state.document) { store in
      let heads = try store.divergentHeads()
      let present = try store.workingCopy()
      guard present != nil || state.isMissing || isDryRun else {
        throw FileError(
          .changing, path: store.location.document,
          message: """
            “\(store.location.printable)” was moved away while its conflict was resolved; nothing was changed.
            """)
      }
      let isUntouched = try present == nil || store.shownVersion(present) != nil
      let expected = Set(state.versions.map(\.persistentIdentifier))
      guard Set(heads.map { .init($0.record.id) }) == expected, isUntouched || isDryRun else {
        throw VersionError(
          .changedMeanwhile, document: store.location.printable,
          message: "“\(store.location.printable)” changed while its conflict was resolved.",
          recovery: .tryAgain, hint: "Nothing was changed; resolve it again.")
      }
      if isDryRun { return try store.currentVersion(for: self) }
      let staged = try store.chosenRecord(of: settlement).flatMap {
        try store.stage($0, replacing: present)
      }
      let (content, objects) = try store.content(
        of: settlement, settling: heads.map(\.record), replacing: present)
      let former = try store.referenceState()
      let record = try store.settle(
        heads.dropFirst().map(\.record), under: heads[0].record, kind: settlement.kind,
        content: content, path: settlement.path, from: settlement.chosen, objects: objects)
      try store.show(record, replacing: present, staged: staged, orElse: former)
      return try store.version(record.id, for: self)
    }
    if isDryRun { return settled }
    // The versions may have agreed on another name.
    let place = try followWinnersName(DocumentLocation(of: settled.documentURL))
    return try reading(place.url) { store in
      try store.version(store.knownRecord(settled).id, for: self)
    }
  }
}

extension OpenStore {
  /// What is to be resolved; edits that were not saved become a version first, except where nothing shall change.
  ///
  /// - Returns: nil when the document is in no conflict.
  func conflictState(for versions: VersionStore) throws -> ConflictState? {
    guard try divergentHeads().count > 1 else { return nil }
    let present = try workingCopy()
    var kept: Record?
    if !versions.isDryRun {
      kept = try keepEdits(present)
      try keepName(of: present)
    }
    let heads = try divergentHeads()
    return ConflictState(
      document: location.url,
      versions: try heads.map { try version($0.record.id, for: versions) },
      base: try conflictBase(heads).map { try version($0.id, for: versions) },
      keptEdits: try kept.map { try version($0.id, for: versions) },
      isMissing: present == nil)
  }
}

extension Settlement {
  /// The version that was chosen, where one was.
  fileprivate var chosen: String? {
    guard case .version(let version) = contents else { return nil }
    return version.persistentIdentifier.description
  }
}

extension OpenStore {
  /// The content that a settlement asks for, and the objects that may not be stored yet.
  ///
  /// - Parameters:
  ///   - heads: the versions that are settled.
  ///   - present: the document on disk.
  fileprivate func content(
    of settlement: Settlement, settling heads: [Record], replacing present: WorkingCopy?
  ) throws -> (content: DocumentContent?, objects: [GitObject]) {
    switch settlement.contents {
    case .version(let version):
      let record = try knownRecord(version)
      if record.content != nil { _ = try item(of: record) }
      return (record.content, [])
    case .new(.deleted):
      return (nil, [])
    case .new(.file(let bytes, let isExecutable)):
      var builder = ContentBuilder()
      let node = try builder.file(FileContents(bytes), isExecutable: isExecutable)
      let name = Array(ContainerPath.name(of: settlement.path).utf8)
      return (try builder.content(of: node, named: name), builder.objects)
    case .new(.largeFile):
      return (try chosenRecord(of: settlement)?.content, [])
    case .new(.package(let entries)):
      let package = try MergedPackage(entries, of: heads, knowing: present, in: self)
      return (package.content, package.objects)
    }
  }

  /// The version whose contents were chosen as they are; nil where they are new.
  fileprivate func chosenRecord(of settlement: Settlement) throws -> Record? {
    switch settlement.contents {
    case .version(let version): return try knownRecord(version)
    case .new(.largeFile(let file)):
      let known = try rail().keys.map(record)
      guard let chosen = known.first(where: { $0.content.flatMap(LargeFile.init) == file }) else {
        throw GitError.malformed("no version has the contents that were chosen")
      }
      return chosen
    case .new: return nil
    }
  }
}
