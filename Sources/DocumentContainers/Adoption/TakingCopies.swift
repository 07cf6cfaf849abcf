internal import DocumentFiles
internal import DocumentGit
internal import DocumentMerge
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// Imports conflicted copies as versions that are the same on every device, and removes the copies' files.
struct TakingCopies {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  // MARK: Taking in

  /// Imports copies of a document; unsaved edits become a version first.
  ///
  /// A copy becomes a version without parents and, if its base is known, a second version that follows the first and
  /// the base. So the first version is the same on devices that find a different base or none.
  ///
  /// - Parameter identifier: the text that, with the path and contents, determines the id of a document without
  ///   versions.
  /// - Returns: the versions, in the order of the copies.
  func take(
    _ copies: [CopyToTake], into document: URL, identifier: String
  ) throws -> [TakenCopy] {
    let location = try DocumentLocation(of: document)
    let status = try location.status()
    if try !location.hasVersions(by: environment.fileClock) {
      let present = try WorkingCopy.read(location, clock: environment.fileClock)
      let text = [identifier, location.path, present?.content.digest ?? ""].joined(separator: "\n")
      _ = try Saving(asOnAnyDevice(status)).save(
        document, asPackage: status.kind == .folder,
        identifier: DocumentIdentifier(madeOf: text))
    }
    return try environment.changing(document) { reader in
      StorePlan(preview: []) { writer in
        let present = try reader.document.copy()
        try writer.keepEdits(present)
        try writer.keepName(of: present)
        let read = try copies.map { try ReadCopy($0, in: reader, clock: environment.fileClock) }
        try continueDocument(beside: read, showing: present, by: writer)
        let records = try read.map { try take($0, by: writer) }
        let open = Set(try reader.heads.divergent().dropFirst().map(\.record.id))
        return try records.map {
          TakenCopy(version: try reader.version($0), isOpen: open.contains($0))
        }
      }
    }
  }

  /// Returns an environment in which every device makes the same first version of a file: with an unknown author, and
  /// with the time of the file, which tools sync.
  private func asOnAnyDevice(_ status: FileStatus) -> StoreEnvironment {
    var environment = environment
    let date = Date(milliseconds: status.modified / 1_000_000_000 * 1_000)
    environment.identity = Identity(author: Identity.unknown, device: Identity.unknown)
    environment.clock = { date }
    return environment
  }

  /// Imports one copy.
  ///
  /// - Returns: the record with its contents.
  private func take(_ read: ReadCopy, by writer: borrowing StoreWriter) throws -> ObjectID {
    let reader = writer.reader
    let known = try read.knownRecord(in: reader)
    let base = try read.base(in: reader)
    if let known, try !read.lacksBase(known, in: reader) { return known.id }
    let facts = try read.facts(in: reader)
    try StoreReadership(of: writer.location).narrow(to: read.source.readership)
    guard let base else {
      return try (known ?? writer.append(facts, to: nil, of: read.saved, and: read.objects)).id
    }
    var linked = facts
    linked.note = "\(facts.note ?? ""), made from \(base.shortName)"
    // Both versions become known at once: without its base, every line of a copy would be a change.
    let new = try known == nil ? [NewVersion(facts, read.savedObjects)] : []
    let parents = [base, known].compactMap(\.self)
    return try append(linked, following: parents, and: new, by: writer).id
  }

  /// Makes the current version follow new bases, and a base that is itself the current version, so that the copies
  /// diverge from it.
  private func continueDocument(
    beside copies: [ReadCopy], showing present: WorkingCopy?, by writer: borrowing StoreWriter
  ) throws {
    let reader = writer.reader
    let current = try reader.heads.current()
    var isContinued = false
    var bases: [ObjectID: NewVersion] = [:]
    for copy in copies {
      if let known = try copy.knownRecord(in: reader), try !copy.lacksBase(known, in: reader) {
        continue
      }
      if let new = try copy.newBase(in: reader) {
        let id = new.record.id
        // It may exist since an unfinished adoption.
        let isThere =
          try reader.objects.repository.contains(id)
          && reader.objects.isAncestor(id, of: current.id)
        if !isThere { bases[id] = new }
      } else if try copy.base(in: reader)?.id == current.id {
        isContinued = true
      }
    }
    guard isContinued || !bases.isEmpty else { return }
    let shown = try reader.document.shownVersion(present)
    let joined = try join(
      current, bases.values.sorted { $0.record.id < $1.record.id }, by: writer)
    if shown?.id == current.id { try writer.setBase(joined) }
  }

  /// Makes a version that follows the current version and new ones.
  private func join(
    _ current: Record, _ bases: [NewVersion], by writer: borrowing StoreWriter
  ) throws -> Record {
    var facts = current.facts
    facts.kind = .join
    (facts.note, facts.from, facts.withdrawn) = (nil, nil, nil)
    return try append(facts, following: [current], and: bases, by: writer)
  }

  /// Makes a version that follows known versions and new ones, none of which is ever a head.
  private func append(
    _ facts: Record.Facts, following known: [Record], and new: [NewVersion],
    by writer: borrowing StoreWriter
  ) throws -> Record {
    let reader = writer.reader
    let parents = known + new.map(\.record)
    let (record, recordObject) = try Record.make(
      facts.later(than: parents), parents: parents.map(\.id))
    var objects = [recordObject]
    var predecessors = try reader.chain.contents(upTo: known).map(\.id)
    for version in new {
      let (content, contentObject) = try ContentCommit.make(for: version.record, predecessors: [])
      reader.objects.remember(version.record)
      predecessors.append(content.id)
      objects += version.objects + [version.object, contentObject]
    }
    let (content, contentObject) = try ContentCommit.make(
      for: record, predecessors: predecessors)
    reader.objects.remember(record)
    let others = try reader.heads.divergent().filter { head in
      !known.contains { $0.id == head.record.id }
    }
    var targets = Dictionary(others.map { ($0.record.id, $0.target) }, uniquingKeysWith: { $1 })
    targets[record.id] = content.id
    try writer.moveHeads(
      to: [record.id] + others.map(\.record.id), targets: targets,
      objects: objects + [contentObject])
    return record
  }

  // MARK: Removing

  /// Removes a copy's file if a version on this device has its bytes.
  ///
  /// - Throws: ``FileError`` with code `changing` if the file has other contents now; ``VersionError`` with code
  ///   `contentsNotLocal`. Then it stays.
  func remove(_ copy: URL, keptAs version: FileVersion) throws {
    let path = try copy.filePath
    try environment.reading(version.documentURL) { reader in
      let record = try reader.localRecord(version)
      // Reads and checks everything that writing the version would need.
      _ = try reader.contents.item(of: record)
      let present = try WorkingCopy.read(
        path, named: path.lastComponent?.string ?? "",
        after: record.content.map { FormerMembers(of: $0, in: reader.contents) },
        leavingOut: IgnoreRules(forMembersOf: reader.location), clock: environment.fileClock)
      guard present.content.isSame(as: record.content) else { throw FileError.hasChanged(path) }
      try DocumentWriter.removeElsewhere(path, displacing: present.listing)
    }
  }
}

/// A conflicted copy that was read for import.
private struct ReadCopy {
  let copy: CopyToTake
  /// The copy's own file or folder.
  let source: WorkingCopy
  /// The contents of the version.
  let content: DocumentContent
  /// The objects of the contents, for a copy of a member.
  let objects: [GitObject]

  init(_ copy: CopyToTake, in reader: StoreReader, clock: FileClock) throws {
    self.copy = copy
    let path = try copy.url.filePath
    try DocumentLocation.refuseContainer(at: path)
    let name = copy.member?.last.map { String(decoding: $0, as: UTF8.self) }
    source = try WorkingCopy.read(
      path, named: name ?? ContainerPath.name(of: reader.location.path),
      after: copy.member == nil ? reader.document.formerMembers() : nil,
      leavingOut: copy.member == nil ? IgnoreRules(forMembersOf: reader.location) : nil,
      clock: clock)
    guard let member = copy.member else {
      (content, objects) = (source.content, [])
      return
    }
    (content, objects) = try Self.package(
      with: source.bytes(at: path), isExecutable: source.content.isExecutable, at: member,
      in: reader)
  }

  /// The working copy to save; `nil` for a copy of a member, which has separate objects.
  var saved: WorkingCopy? { copy.member == nil ? source : nil }

  /// The objects of the contents, wherever they are.
  var savedObjects: [GitObject] { saved?.objects ?? objects }

  /// Returns the record that already has these contents; `nil` if there is none.
  func knownRecord(in reader: StoreReader) throws -> Record? {
    var heads = try reader.heads.divergent().map(\.record)
    if copy.isOvertaken { heads.removeFirst() }
    // Sides of a conflict come first, because it is still open.
    if let head = heads.last(where: { content.isSame(as: $0.content) }) { return head }
    guard !copy.isOvertaken else { return nil }
    let known = try reader.chain.contents().keys.map(reader.record)
    return known.filter { content.isSame(as: $0.content) }.max { $0.facts.date < $1.facts.date }
  }

  /// Returns the facts of its version, which don't depend on this device's clock or name.
  func facts(in reader: StoreReader) throws -> Record.Facts {
    let current = try reader.heads.current()
    let date = copy.date.milliseconds
    var facts = Record.Facts(
      document: reader.documentIdentifier.description, kind: .importCopy,
      path: current.facts.path, author: copy.identity.author, device: copy.identity.device,
      date: date, modified: date, note: Printable.text(copy.url.lastPathComponent))
    facts.describe(content)
    facts.permissions = current.facts.permissions?.intersection(
      copy.member == nil ? source.permissions : nil)
    return facts
  }

  // MARK: The base

  /// Returns the record of its base, which exists by then; `nil` if it has none.
  func base(in reader: StoreReader) throws -> Record? {
    guard let base = copy.base else { return nil }
    if case .version(let identifier) = base { return try reader.record(identifier.objectID) }
    return try newBase(in: reader)?.record
  }

  /// Returns whether a side of an open conflict has the copy’s contents and doesn't follow its base yet.
  func lacksBase(_ known: Record, in reader: StoreReader) throws -> Bool {
    guard let base = try base(in: reader),
      try reader.heads.divergent().dropFirst().contains(where: { $0.record.id == known.id })
    else { return false }
    return try !reader.objects.repository.contains(base.id)
      || !reader.objects.isAncestor(base.id, of: known.id)
  }

  /// Returns the version that its base becomes; `nil` if the base is a version.
  func newBase(in reader: StoreReader) throws -> NewVersion? {
    guard case .file(let bytes, let from, let date)? = copy.base else { return nil }
    let current = try reader.heads.current()
    let (content, objects) = try contents(of: bytes, in: reader)
    var facts = Record.Facts(
      document: reader.documentIdentifier.description, kind: .importCopy,
      path: current.facts.path, author: Identity.unknown, device: Identity.unknown,
      date: date.milliseconds, modified: date.milliseconds, note: from)
    facts.describe(content)
    facts.permissions = current.facts.permissions
    return try NewVersion(facts, objects)
  }

  private func contents(
    of bytes: [UInt8], in reader: StoreReader
  ) throws -> (DocumentContent, [GitObject]) {
    if let member = copy.member {
      return try Self.package(
        with: bytes, isExecutable: source.content.isExecutable, at: member, in: reader)
    }
    return try DocumentContent.ofFile(
      bytes, isExecutable: source.content.isExecutable,
      named: Array(ContainerPath.name(of: reader.location.path).utf8))
  }

  /// Returns the current version with different bytes in one member.
  private static func package(
    with bytes: [UInt8], isExecutable: Bool, at member: [[UInt8]], in reader: StoreReader
  ) throws -> (DocumentContent, [GitObject]) {
    let current = try reader.heads.current()
    guard
      case .package(let entries) = try VersionReader(reader).contents(
        of: reader.version(current.id))
    else {
      throw VersionError(
        .noSuchMember, document: reader.location.printable,
        message: "“\(reader.location.printable)” isn’t a package.")
    }
    let new = PackageEntry(path: member, newFile: bytes, isExecutable: isExecutable)
    let package = try MergedPackage(
      entries.filter { $0.path != member } + [new], of: [current], knowing: nil, in: reader)
    return (package.content, package.objects)
  }
}

/// A version without parents that is about to be written.
private struct NewVersion {
  let record: Record
  /// The record’s object.
  let object: GitObject
  /// The objects of its contents.
  let objects: [GitObject]

  init(_ facts: Record.Facts, _ objects: [GitObject]) throws {
    (record, object) = try Record.make(facts, parents: [])
    self.objects = objects
  }
}

extension WorkingCopy {
  /// Returns the bytes of a file that was read.
  fileprivate func bytes(at path: FilePath) throws -> [UInt8] {
    guard let bytes = try SmallFile.read(path, limit: LargeFile.threshold),
      try isCurrent(at: path)
    else { throw FileError.hasChanged(path) }
    return bytes
  }
}
