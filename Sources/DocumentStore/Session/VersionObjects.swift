internal import DocumentFiles
package import DocumentGit
internal import SystemPackage

/// The records and contents in the repository of one document, each read at most once.
///
/// It stays on the thread that opened the repository.
package final class VersionObjects {
  let location: DocumentLocation
  private let opened: OpenRepository
  package var repository: Repository { _read { yield opened.repository } }
  /// All ids of the document.
  package private(set) var identity: DocumentIdentity
  /// The versions that a repair has given up.
  let lostVersions: Set<ObjectID>
  private var records: [ObjectID: Record] = [:]
  private var contents: [ObjectID: ContentCommit] = [:]
  /// The head of a resting document; `nil` for one that has a store.
  private var restingHead: Head?

  /// Opens the repository of a store that was checked.
  init(
    _ location: DocumentLocation, configuration: [String: String], waitingWith group: SyncGroup?
  ) throws {
    self.location = location
    try StoreSafety.refuseNewer(configuration)
    guard let identity = DocumentIdentity(configuration: configuration),
      configuration["docversions.format"] == "1"
    else { throw GitError.malformed("its config is not one of a document’s store") }
    self.identity = identity
    opened = OpenRepository(try Repository(opening: location.store, waitingWith: group))
    lostVersions = try LostVersions.read(in: location.store)
  }

  /// Opens the versions of a resting document, in this device's copy of the remote.
  ///
  /// The content chain is built in memory, in the form that the document's store will have.
  ///
  /// - Returns: `nil` for a document that has a store, or that has no versions.
  static func resting(at location: DocumentLocation) throws -> VersionObjects? {
    try RestingDocument.reading(location) { resting in
      let opened = OpenRepository(try resting.openMirror(in: location.container))
      return try VersionObjects(location, resting: resting, in: opened)
    }
  }

  /// - Parameter opened: the repository that the document rests on.
  init(
    _ location: DocumentLocation, resting: RestingDocument, in opened: OpenRepository
  ) throws {
    self.location = location
    self.opened = opened
    identity = resting.identity
    lostVersions = []
    records = try resting.history(in: opened.repository)
    guard let head = records[resting.head] else { throw GitError.missing("\(resting.head)") }
    var chain = ContentChainBuilder(
      plan: .init(kept: Set(resting.contents), removed: [], marks: [:], attached: [:]))
    for record in records.values.sorted(by: { $0.facts.date < $1.facts.date }) {
      try chain.add(record)
    }
    contents = chain.contents
    guard let content = chain.ownContent[head.id].flatMap({ contents[$0] }) else {
      throw GitError.malformed("record \(head.id) has no content of this document")
    }
    restingHead = Head(
      name: HeadName.main, target: content.id, record: head, content: content)
  }

  /// True if the document rests, so that nothing can be written here.
  var areResting: Bool { restingHead != nil }

  /// Reads contents from a repository with the versions of many documents.
  ///
  /// - Parameter name: what errors call it.
  init(in repository: consuming Repository, of container: FilePath, called name: String) {
    location = DocumentLocation(container: container, path: name)
    identity = DocumentIdentity(.random())
    opened = OpenRepository(repository)
    lostVersions = []
  }

  /// Records further ids of the document; the caller holds the lock.
  package func adopt(_ identity: DocumentIdentity) throws {
    guard self.identity != identity else { return }
    try SmallFile.replace(
      StoreFile.config.path(in: location.store),
      Array(StoreCreation.configuration(identity.section).utf8))
    self.identity = identity
  }

  /// Returns a record by its id.
  package func record(_ id: ObjectID) throws -> Record {
    if let known = records[id] { return known }
    let whole = try Record(id: id, decoding: repository.commit(id))
    let record = try whole.dropping { try lostVersions.contains($0) && !repository.contains($0) }
    try record.checkDate {
      try record.parents.map { try Record(id: $0, decoding: repository.commit($0)) }
    }
    records[id] = record
    return record
  }

  /// Caches a record that is about to be written.
  package func remember(_ record: Record) {
    records[record.id] = record
  }

  // MARK: References

  /// Returns the document's references below a prefix; throws an error if one is lost.
  func references(
    below prefix: String, where isValid: (String) -> Bool = { _ in true }
  ) throws -> [String: ObjectID] {
    if let restingHead {
      return restingHead.name.hasPrefix(prefix) ? [restingHead.name: restingHead.target] : [:]
    }
    return try repository.references.complete(below: prefix, where: isValid)
  }

  /// Reads the state of `HEAD`.
  func repositoryHead() throws -> RepositoryHead {
    if let restingHead { return .attached(restingHead.name) }
    return try repository.references.head()
  }

  /// Returns the content commit that a reference points to; `nil` if the target is a record, whose content is
  /// not on this device.
  func content(ofReferenceAt target: ObjectID) throws -> ContentCommit? {
    if let known = contents[target] { return known }
    let commit = try repository.commit(target)
    return Record.isRecord(commit) ? nil : try ContentCommit(id: target, decoding: commit)
  }

  /// Returns a content commit by its own id.
  package func content(_ id: ObjectID) throws -> ContentCommit {
    if let known = contents[id] { return known }
    let content = try ContentCommit(id: id, decoding: repository.commit(id))
    contents[id] = content
    return content
  }
}

/// An open repository that several readers share.
final class OpenRepository {
  let repository: Repository

  init(_ repository: consuming Repository) { self.repository = repository }
}

/// Causality between versions.
///
/// Records are later than their parents, so a backward search stops as soon as all remaining records are too
/// old.
extension VersionObjects {
  /// Returns whether the first record is the second one or its ancestor.
  package func isAncestor(_ ancestor: ObjectID, of descendant: ObjectID) throws -> Bool {
    if ancestor == descendant { return true }
    let oldest = try record(ancestor).facts.date
    var pending = [descendant]
    var seen: Set<ObjectID> = []
    while let next = pending.popLast() {
      for parent in try record(next).parents where seen.insert(parent).inserted {
        if parent == ancestor { return true }
        if try record(parent).facts.date > oldest { pending.append(parent) }
      }
    }
    return false
  }

  /// Returns the records that aren't ancestors of others.
  package func maximalRecords(_ ids: Set<ObjectID>) throws -> Set<ObjectID> {
    var maximal: [Record] = []
    // Newest first: the descendants of a record come before it.
    for record in try ids.map(record).sorted(by: { $0.facts.date > $1.facts.date }) {
      if try !maximal.contains(where: { try isAncestor(record.id, of: $0.id) }) {
        maximal.append(record)
      }
    }
    return Set(maximal.map(\.id))
  }

  /// Returns the records and their ancestors.
  package func ancestry(of ids: some Sequence<ObjectID>) throws -> [ObjectID: Record] {
    try ancestry(of: ids) { $0.parents }
  }

  /// Returns the records and everything that a walk from them reaches.
  ///
  /// - Parameter parents: returns the records to continue with after one.
  package func ancestry(
    of ids: some Sequence<ObjectID>, following parents: (Record) throws -> [ObjectID]
  ) throws -> [ObjectID: Record] {
    try reached(from: ids, parents, record)
  }
}
