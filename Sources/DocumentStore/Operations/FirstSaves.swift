internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// Saves the first versions of many new files together, on the device's ``Shelf``, where the documents rest
/// without stores.
///
/// Their contents and records form one pack. The pack is on disk before the entries of the list, so a crash
/// leaves unsaved files, but never half a version. ``Saving`` handles all other files, and reports the errors
/// of faulty ones.
struct FirstSaves {
  private let many: ManyDocuments
  private let note: String?

  /// The fewest files for the shelf; if there are fewer, each gets a store.
  static let fewest = 8
  /// The most files to save at once, since each takes memory until it is saved.
  static let most = 2_048

  init(_ many: ManyDocuments, note: String?) {
    self.many = many
    self.note = note
  }

  private var environment: StoreEnvironment { many.environment }

  /// A file whose first version is not written yet.
  private struct Candidate {
    let number: Int
    let location: DocumentLocation
    /// The file as it was read.
    let listing: ItemListing
    let record: Record
    let objects: [GitObject]
    let mark: String
    /// True if any later change of the file is visible in its status.
    let isSettled: Bool
  }

  /// Saves those documents that can rest, if there are many.
  ///
  /// - Returns: the outcomes, by the indices of the documents.
  func save(_ documents: [(number: Int, url: URL)]) -> [Int: SaveOutcome] {
    guard documents.count >= Self.fewest, !environment.isDryRun else { return [:] }
    let found = many.perform(documents.count) { place, environment in
      try Self.newFile(at: documents[place].url, environment)
    }
    var files: [FilePath: [NewFile]] = [:]
    for (document, file) in zip(documents, found) {
      guard case .success(let file?) = file else { continue }
      files[file.location.container, default: []].append(
        NewFile(number: document.number, location: file.location, size: file.size))
    }
    var outcomes: [Int: SaveOutcome] = [:]
    for (container, files) in files.sorted(by: { $0.key.string < $1.key.string })
    where files.count >= Self.fewest && Self.canRest(in: container) {
      for step in steps(of: files) {
        outcomes.merge(save(step, in: container)) { $1 }
      }
    }
    return outcomes
  }

  // MARK: Finding files

  private struct NewFile {
    let number: Int
    let location: DocumentLocation
    let size: Int
  }

  /// Returns a plain file without versions; `nil` for anything else.
  private static func newFile(
    at url: URL, _ environment: StoreEnvironment
  ) throws -> (location: DocumentLocation, size: Int)? {
    let location = try StoreSearch(environment).followingRename(
      of: DocumentLocation(of: url), movingStore: true)
    guard let status = try FileStatus.of(location.document), status.kind == .file,
      status.size <= Shelf.mostBytes, try !hasVersions(location),
      try !LiveDatabase.isDatabase(location.document)
    else { return nil }
    try location.checkSpelling(knowing: environment.listings)
    try location.refuseMember(knowing: environment.listings)
    try LiveDatabase.refusePart(location.document)
    return (location, status.size)
  }

  private static func hasVersions(_ location: DocumentLocation) throws -> Bool {
    try FileStatus.of(location.store) != nil || RestingDocuments.entry(of: location) != nil
  }

  private static func canRest(in container: FilePath) -> Bool {
    do { return try RestingContents.canRest(in: container) } catch { return false }
  }

  /// Divides the files into groups that fit into memory.
  private func steps(of files: [NewFile]) -> [[NewFile]] {
    var steps: [[NewFile]] = []
    var bytes = 0
    for file in files {
      let limits = environment.transferStep
      if steps.isEmpty || steps[steps.count - 1].count >= limits.documents
        || bytes + file.size > limits.bytes
      {
        steps.append([])
        bytes = 0
      }
      steps[steps.count - 1].append(file)
      bytes += file.size
    }
    return steps
  }

  // MARK: Saving

  private func save(_ files: [NewFile], in container: FilePath) -> [Int: SaveOutcome] {
    let candidates = many.perform(files.count) { [note] place, environment in
      try Self.candidate(files[place], note: note, environment)
    }.compactMap { result -> Candidate? in
      guard case .success(let candidate) = result else { return nil }
      return candidate
    }
    do {
      let saved = try shelve(candidates, in: container)
      return try Dictionary(
        uniqueKeysWithValues: saved.map { ($0.number, try outcome(of: $0)) })
    } catch {
      // Saving each file separately reports the error.
      return [:]
    }
  }

  private static func candidate(
    _ file: NewFile, note: String?, _ environment: StoreEnvironment
  ) throws -> Candidate? {
    let location = file.location
    guard
      let copy = try WorkingCopy.read(
        location, support: environment.permissionSupport, clock: environment.fileClock,
        meter: environment.meter),
      !copy.content.isPackage, copy.nodes.last?.isOfOneMoment != true,
      copy.content.bytes <= Shelf.mostBytes,
      let mark = try WorkingFileEntry.mark(of: location.document)
    else { return nil }
    let now = environment.clock().milliseconds
    var facts = Record.Facts(
      document: DocumentIdentifier.random().description, kind: .save, path: location.path,
      author: environment.identity.author, device: environment.identity.device, date: now,
      modified: copy.modified, note: note)
    facts.describe(copy.content)
    facts.permissions = copy.permissions
    let (record, object) = try Record.make(facts, parents: [])
    let freshness = Freshness(
      readSince: copy.start, leastAge: try Freshness.leastAge(in: location.document.parentFolder))
    return Candidate(
      number: file.number, location: location, listing: copy.listing, record: record,
      objects: copy.objects + [object], mark: mark,
      isSettled: freshness.covers(FileStamp(copy.listing.status)))
  }

  /// Puts versions on the shelf, and then their documents on the list.
  ///
  /// - Returns: the saved documents, without those that were saved or changed in the meantime.
  private func shelve(_ candidates: [Candidate], in container: FilePath) throws -> [Candidate] {
    guard candidates.count >= Self.fewest else { return [] }
    try Folder.create(SyncFile.folder(of: container))
    return try RestingDocuments.changing(in: container) {
      var names: Set<String> = []
      let new = try candidates.filter {
        try !Self.hasVersions($0.location) && names.insert($0.location.path.lowercased()).inserted
      }
      guard !new.isEmpty else { return [] }
      return try Shelf.prepare(in: container, clock: environment.fileClock) { shelf in
        try shelf.commit(
          Transaction(objects: new.flatMap(\.objects) + [GitObject(.tree, [])]),
          advance: { _ in try environment.meter.advance(0) })
        // A file that was replaced or got a store in the meantime is saved separately.
        let saved = try new.filter {
          try !Self.hasVersions($0.location)
            && $0.listing.isUnchanged(at: $0.location.document)
        }
        let journal = ChangeJournal(of: container)
        tidyUp { try journal.record(saved.map(\.location.path)) }
        try RestingDocuments.add(saved.compactMap(entry), in: container)
        // A reader of the first entries may not have found the documents yet.
        tidyUp { try journal.record(saved.map(\.location.path)) }
        for document in saved { environment.listings?.add(document.location.path, in: container) }
        return saved
      }
    }
  }

  private func entry(of candidate: Candidate) -> RestingDocument? {
    guard let identifier = DocumentIdentifier(candidate.record.facts.document) else { return nil }
    let status = candidate.listing.status
    return RestingDocument(
      path: candidate.location.path, identity: DocumentIdentity(identifier), mirror: Shelf.name,
      isPublished: false, head: candidate.record.id, contents: [candidate.record.id], versions: 1,
      formerHeads: [], device: status.device,
      stamp: candidate.isSettled ? FileStamp(status) : .none, mark: candidate.mark)
  }

  private func outcome(of saved: Candidate) throws -> SaveOutcome {
    let content = try ContentCommit.make(for: saved.record, predecessors: []).content
    let version = FileVersion(
      listed: ListedVersion(saved.record, content: content),
      listing: FileVersion.Listing(
        of: saved.location.url, at: ReferenceDigest([HeadName.main: content.id]),
        environment: environment),
      isUnresolved: false, isCurrent: true)
    return SaveOutcome(version: version, isNew: true, missedVersion: nil, isInConflict: false)
  }
}
