internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// A folder through which devices exchange documents: a bare git repository.
///
/// For each document it has
///
/// ```
/// refs/docs/<document id>/heads/<S>       the record of each divergent head
/// refs/docs/<document id>/contents/<S>    the content of a version: the document's tree, with its record
///                                         as only parent; the same bytes from every device
/// ```
///
/// The names are ids, so devices only ever add, and nothing is moved by force. Records travel whole: what
/// a head was made from is reachable from it.
final class ExchangeFolder {
  let path: FilePath
  let repository: Repository
  private let lock: FileLock
  /// The state of the files with its references.
  let files: PublishedFiles
  /// Whether all references were read.
  private let isRead: Bool
  /// The published versions of each document, as far as they were read.
  private var documents: [String: Published] = [:]
  /// References that are there, and cannot be read or say what they must not.
  private var damaged: Set<String> = []

  /// The published versions of one document.
  struct Published {
    var heads: Set<ObjectID> = []
    /// Content commits by their record.
    var contents: [ObjectID: ObjectID] = [:]

    var isEmpty: Bool { heads.isEmpty && contents.isEmpty }
  }

  /// Opens the folder, and makes the repository in it if it is empty or missing.
  ///
  /// - Parameters:
  ///   - clock: the clock that files' times are compared with.
  ///   - meter: learns while another process exchanges through it that this one shall stop.
  init(_ path: FilePath, lockTimeout: Double, clock: FileClock, meter: ProgressMeter) throws {
    if try Self.isEmpty(path) { try Self.create(path, clock: clock) }
    if let part = try Self.missingParts(of: path).first {
      throw VersionError(
        .notArrived, document: path.printable,
        message: "Not all of the folder “\(path.printable)” has arrived yet: “\(part)” is missing.",
        recovery: .exchangeAgain)
    }
    guard try Self.isMarked(path) else {
      throw VersionError(
        .invalidArgument, document: path.printable,
        message: "“\(path.printable)” is a git repository, but not one for exchange.",
        hint: "Name an empty or a new folder.")
    }
    self.path = path
    lock = try FileLock(path.appending("lock"), waitingAtMost: lockTimeout) {
      try meter.advance(0)
    }
    files = try PublishedFiles(in: path.pushing(FilePath(Self.prefix)))
    try Self.removeAbandonedLocks(
      in: path, evenOfReferences: files.hasOthers,
      patience: lock.isLeftBehind ? 0.3 : AbandonedLocks.patience, clock: clock)
    // Opened again: it may have got more while this waited for the lock.
    repository = try Repository(store: path, besides: Self.references)
    try repository.removeOldTemporaryFiles()
    // What git has packed does not show in the files.
    isRead = try FileStatus.of(path.appending("packed-refs")) != nil
    if isRead { try readReferences(below: Self.prefix) }
  }

  /// The state of the files with a document’s references; nil where not all references are files.
  func state(of document: String) -> PublishedFiles.State? {
    isRead ? nil : files.state(of: document)
  }

  /// The ids of all documents.
  var identifiers: [String] { isRead ? Array(documents.keys) : files.documents }

  /// The published versions of a document.
  ///
  /// - Parameter name: its name in messages.
  func published(of document: String, called name: String) throws -> Published {
    if let known = documents[document] { return known }
    documents[document] = Published()
    do {
      if !isRead { try readReferences(below: "\(Self.prefix)\(document)/") }
    } catch {
      documents[document] = nil
      throw failure(error, of: name)
    }
    return documents[document] ?? Published()
  }

  /// The only head of a document, and some of its contents; nil where the references do not say what they must.
  func published(
    of document: String, head: ObjectID, contents: [ObjectID]
  ) throws(GitError) -> Published? {
    do {
      guard try repository.reference(name(document, "heads", head)) == head else { return nil }
      var published = Published(heads: [head])
      for record in contents {
        guard let target = try repository.reference(name(document, "contents", record)) else {
          return nil
        }
        published.contents[record] = target
      }
      return published
    } catch {
      guard !error.isFromSystem else { throw error }
      return nil
    }
  }

  /// Whether some version of a document is published, or may be.
  ///
  /// A document without heads is one that another device is still publishing.
  func hasHeads(_ document: String) -> Bool {
    do {
      return try !published(of: document, called: document).heads.isEmpty
    } catch {
      // Receiving it reports why.
      return true
    }
  }

  private func readReferences(below prefix: String) throws(GitError) {
    let (found, unread) = try repository.allReferences(below: prefix)
    for (name, target) in found { add(name, target) }
    for name in unread { recordDamaged(name) }
  }

  /// Refuses what is no folder for exchange, or has not arrived as a whole.
  static func check(_ path: FilePath) throws {
    guard try FileStatus.of(path) != nil else {
      throw FileError(
        .notFound, path: path, message: "There is no folder “\(path.printable)”.")
    }
    guard try missingParts(of: path).isEmpty, try isMarked(path) else {
      throw VersionError(
        .invalidArgument, document: path.printable,
        message: "“\(path.printable)” is no folder for exchange.",
        recovery: .nameExchangeFolder)
    }
  }

  private static func isMarked(_ path: FilePath) throws -> Bool {
    let found = try StoreSafety.check(path, besides: references)
    return found.configuration["docversions.exchange"] == "1"
  }

  /// The parts of a repository.
  private static let parts = ["HEAD", "config", "objects", "refs"]

  private static func missingParts(of path: FilePath) throws -> [String] {
    try parts.filter { try FileStatus.of(path.appending($0)) == nil }
  }

  /// Whether there is nothing of a repository yet, or one that was begun and never finished.
  private static func isEmpty(_ path: FilePath) throws -> Bool {
    let missing = try missingParts(of: path)
    guard missing != parts else { return true }
    // Folders in which nothing is are not carried everywhere.
    if missing == ["objects", "refs"] {
      return try StoreSafety.configuration(of: path)["docversions.exchange"] == "1"
    }
    // Its config comes last; and nothing is put into it before.
    guard missing.contains("config") else { return false }
    return try [path.appending("objects").appending("pack"), path.pushing(FilePath(prefix))]
      .allSatisfy { try FileStatus.of($0) == nil || Folder.names(in: $0).isEmpty }
  }

  /// Makes the repository, unless one comes here at the same moment.
  private static func create(_ path: FilePath, clock: FileClock) throws {
    let section = "exchange = 1"
    guard let status = try FileStatus.of(path) else {
      return try StoreCreation.create(path, section: section, clock: clock)
    }
    let others =
      try status.kind == .folder
      ? Folder.names(in: path).map { String(decoding: $0, as: UTF8.self) }
        .filter { !Layout.isTemporary($0) && !parts.contains($0) } : [""]
    // What was begun here is finished, whatever was put beside it.
    guard try others.isEmpty || missingParts(of: path) != parts else {
      throw VersionError(
        .invalidArgument, document: path.printable,
        message: "“\(path.printable)” holds other things and can’t be used for exchange.",
        hint: "Name an empty or a new folder, which may be in it.")
    }
    // It stays the folder that it is: a disk may be mounted there, or others may have been given access to it.
    try StoreCreation.complete(path, section: section, clock: clock)
  }

  private static func removeAbandonedLocks(
    in path: FilePath, evenOfReferences isThorough: Bool, patience: Double, clock: FileClock
  ) throws {
    let documents = path.pushing(FilePath(prefix))
    let names = isThorough ? try Folder.names(in: documents) : []
    let folders = names.flatMap { name in
      ["heads", "contents"].map { documents.appending(bytes: name).appending($0) }
    }
    try AbandonedLocks.remove(from: [path] + folders, patience: patience, clock: clock)
  }

  // MARK: References

  private static let references = "docs"
  private static let prefix = "refs/\(references)/"

  private func add(_ reference: String, _ target: ObjectID) {
    let parts = reference.split(separator: "/")
    guard parts.count == 5, DocumentIdentifier(String(parts[2])) != nil,
      let record = ObjectID(hexadecimal: parts[4])
    else { return }
    switch parts[3] {
    case "heads":
      if target != record { damaged.insert(reference) }
      // Its name says all that it has to say.
      documents[String(parts[2]), default: Published()].heads.insert(record)
    case "contents":
      documents[String(parts[2]), default: Published()].contents[record] = target
    default: break
    }
  }

  /// Records a reference that cannot be read: its file has arrived by half, or a disk has damaged it.
  private func recordDamaged(_ reference: String) {
    damaged.insert(reference)
    let parts = reference.split(separator: "/")
    guard parts.count == 5, parts[3] == "heads", let record = ObjectID(hexadecimal: parts[4]) else {
      return
    }
    add(reference, record)
  }

  /// Whether a reference of a document cannot be read, or says what it must not.
  func isDamaged(_ document: String) -> Bool {
    damaged.contains { $0.hasPrefix("\(Self.prefix)\(document)/") }
  }

  /// Whether the reference of a head is one of these.
  func isDamaged(head: ObjectID, of document: String) -> Bool {
    damaged.contains(name(document, "heads", head))
  }

  /// Publishes contents, and then the heads; heads that these descend from go.
  func publish(
    _ document: String, contents: [ObjectID: ObjectID], heads: [ObjectID], settled: [ObjectID]
  ) throws {
    let moves =
      contents.map { Transaction.Move(name(document, "contents", $0), to: $1, expecting: nil) }
      + heads.map { Transaction.Move(name(document, "heads", $0), to: $0, expecting: nil) }
    // A lock is an open file: not too many at a time.
    for start in stride(from: 0, to: moves.count, by: 256) {
      let part = moves[start..<min(start + 256, moves.count)]
      try publish(Array(part))
      // Of a document that was not read, these would seem to be all.
      if documents[document] != nil { for move in part { add(move.reference, move.target) } }
    }
    for head in settled {
      let name = name(document, "heads", head)
      if damaged.contains(name) {
        try removeDamaged(name)
      } else {
        try repository.deleteReference(name, expecting: head)
      }
      documents[document]?.heads.remove(head)
    }
    // It is only for order: all is published by now.
    do { try repository.compactPacks() } catch {}
  }

  /// Removes a reference that does not say what it must, wherever it stands.
  private func removeDamaged(_ name: String) throws {
    try Folder.removeTree(path.pushing(FilePath(name)))
    if let packed = try repository.reference(name) {
      try repository.deleteReference(name, expecting: packed)
    }
    damaged.remove(name)
  }

  private func name(_ document: String, _ part: String, _ record: ObjectID) -> String {
    "\(Self.prefix)\(document)/\(part)/\(record)"
  }

  private func publish(_ moves: [Transaction.Move]) throws {
    // Another device may have published the same.
    for move in moves where damaged.contains(move.reference) { try removeDamaged(move.reference) }
    let missing = try moves.filter { try repository.reference($0.reference) != $0.target }
    try repository.commit(Transaction(moves: missing))
  }
}
