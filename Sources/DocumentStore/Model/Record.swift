internal import DocumentFiles
package import DocumentGit
internal import Foundation

/// A record: the identity of a version and its place in history, without its content.
///
/// It is stored as a commit of the empty tree. The parents are the records that the version is based on. The
/// message contains a line for people and a line of JSON; its bytes, and so its id, never change.
package struct Record: Sendable {
  /// The version's identity; the hash of everything below.
  package let id: ObjectID
  /// The records that the version is based on; it continues the line of the first one.
  package let parents: [ObjectID]
  package let facts: Facts

  /// The facts in the JSON line.
  ///
  /// Its keys are the format: they are never renamed, but more may be added.
  package struct Facts: Codable, Hashable, Sendable {
    /// The version of this format.
    var format = 1
    /// The document's id, the same on every device.
    package var document: String
    package var kind: VersionKind
    /// The document's path in its container, with "/" between folders.
    package var path: String
    /// The person's name.
    package var author: String
    /// The device's name.
    package var device: String
    /// The date of the version in milliseconds since 1970, always later than its parents'.
    package var date: Int64
    /// The document's modification date in milliseconds since 1970.
    package var modified: Int64
    /// The person's note about it.
    package var note: String?
    /// The version whose content was used, for kinds that have one; for a save, the change that it was meant to undo.
    package var from: String?
    /// The version that had been written over the document, and that a save’s contents ignore.
    var missed: String?
    /// The id of the content's tree; `nil` for a deletion.
    package var content: String?
    /// The ``ContentDigest``.
    package var digest: String?
    package var bytes = 0
    package var files = 0
    /// Set when the document is a folder.
    var package: Bool?
    /// Set when the document is a file that may be run.
    var executable: Bool?
    /// The permission bits; `nil` if the file system had none, or in records that predate them.
    package var permissions: RecordedPermissions?
    package var discardable: Bool?
    /// The answers to the questions of a merge.
    package var answers: [GivenAnswer]?
    /// The ids of versions that were removed from every device.
    package var withdrawn: [String]?

    package init(
      document: String, kind: VersionKind, path: String, author: String, device: String,
      date: Int64, modified: Int64, note: String?
    ) {
      self.document = document
      self.kind = kind
      self.path = path
      self.author = author
      self.device = device
      self.date = date
      self.modified = modified
      self.note = note
    }
  }

  /// Reads a record from its commit.
  package init(id: ObjectID, decoding commit: Commit) throws {
    guard commit.parents.count <= Self.mostParents,
      commit.message.utf8.count <= Self.mostMessageBytes
    else { throw GitError.malformed("record \(id) is larger than a record may be") }
    guard let json = Self.json(of: commit) else {
      throw GitError.malformed("commit \(id) is not a record")
    }
    let facts: Facts
    do {
      facts = try JSONDecoder().decode(Facts.self, from: Data(Array(json)))
    } catch {
      throw GitError.malformed("record \(id) lacks a required value")
    }
    guard facts.format == 1 else {
      throw GitError.malformed("record \(id) has the newer format \(facts.format)")
    }
    if let content = facts.content, ObjectID(hexadecimal: content) == nil {
      throw GitError.malformed("record \(id) has a content that isn’t an object id")
    }
    try ContainerPath.validate(facts.path)
    try facts.validate()
    self.init(id: id, parents: commit.parents, facts: facts)
  }

  /// The greatest number of versions in one conflict.
  static let mostParents = 1_000

  /// The greatest length of a message, which contains names and a person's note.
  private static var mostMessageBytes: Int { 1 << 20 }

  /// Creates a new record and the object to write for it.
  package static func make(_ facts: Facts, parents: [ObjectID]) throws -> (
    record: Record, object: GitObject
  ) {
    try facts.validate()
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    let json = String(decoding: try encoder.encode(facts), as: UTF8.self)
    let commit = Commit(
      tree: .emptyTree, parents: parents, author: facts.authorSignature,
      committer: facts.deviceSignature, message: "\(facts.subject)\n\n\(json)\n")
    guard commit.message.utf8.count <= mostMessageBytes else {
      let document = Printable.text(ContainerPath.name(of: facts.path))
      throw VersionError(
        .invalidArgument, document: document,
        message: """
          What is said of this version of “\(document)” has \(commit.message.utf8.count) bytes; note, names and \
          all, it may have \(mostMessageBytes).
          """,
        hint: "Say it in a shorter note.")
    }
    let object = commit.encoded()
    return (Record(id: object.id, parents: parents, facts: facts), object)
  }

  /// Returns the line of JSON in a record's message; `nil` for a commit that isn't a record.
  static func json(of commit: Commit) -> Substring.UTF8View? {
    guard commit.tree == .emptyTree else { return nil }
    // Searches bytes, because Swift treats a carriage return and a line feed as one character.
    let lines = commit.message.utf8.split(
      separator: UInt8(ascii: "\n"), maxSplits: 3, omittingEmptySubsequences: false)
    let isRecord =
      lines.count == 4 && lines[1].isEmpty && lines[2].first == UInt8(ascii: "{")
      && lines[3].isEmpty
    return isRecord ? lines[2] : nil
  }

  private init(id: ObjectID, parents: [ObjectID], facts: Facts) {
    self.id = id
    self.parents = parents
    self.facts = facts
  }

  /// Returns the record without lost parents.
  package func dropping(parents lost: (ObjectID) throws -> Bool) rethrows -> Record {
    Record(id: id, parents: try parents.filter { try !lost($0) }, facts: facts)
  }

  /// The content; `nil` for a deletion.
  package var content: DocumentContent? {
    guard let tree = facts.content.flatMap({ ObjectID(hexadecimal: $0) }) else { return nil }
    return DocumentContent(
      tree: tree, digest: facts.digest ?? "", bytes: facts.bytes, files: facts.files,
      isPackage: facts.package ?? false, isExecutable: facts.executable ?? false)
  }

  /// The versions that were removed from every device.
  package var withdrawn: [ObjectID] {
    (facts.withdrawn ?? []).compactMap { ObjectID(hexadecimal: $0) }
  }

  /// Throws an error for a date after the year 9999, which would leave no room for later dates, unless the
  /// record must be later than its parents.
  ///
  /// - Parameter parents: returns the known parents.
  package func checkDate(following parents: () throws -> [Record]) throws {
    guard facts.date > Record.Facts.latestDate else { return }
    guard let latest = try parents().map(\.facts.date).max(), facts.date - latest <= 10_000 else {
      throw GitError.malformed("record \(id) has an impossible date")
    }
  }

  /// Returns whether one head is preferred to another as the current version: by the later date, then by the
  /// larger id.
  ///
  /// An imported copy is preferred only if nothing else is left, and a deletion only after that. The result
  /// is the same on every device, regardless of its clock.
  package static func isPreferred(_ left: Record, to right: Record) -> Bool {
    if left.standing != right.standing { return left.standing > right.standing }
    return left.facts.date != right.facts.date
      ? left.facts.date > right.facts.date : left.id > right.id
  }

  private var standing: Int {
    if facts.content == nil { return 0 }
    return facts.kind == .importCopy ? 1 : 2
  }
}

extension Record.Facts {
  /// The commit's subject, for people who read the store with git.
  package var subject: String {
    let line = note?.split(whereSeparator: \.isNewline).first.map(String.init)
    let text = line ?? "\(kind.verb) \(path)"
    return String(
      String.UnicodeScalarView(text.unicodeScalars.filter { $0.value >= 32 }).prefix(200))
  }

  /// The author, with the document's modification date.
  package var authorSignature: Commit.Signature {
    Commit.Signature(name: author, seconds: Self.gitSeconds(modified))
  }

  /// The saving device, with the version's date.
  package var deviceSignature: Commit.Signature {
    Commit.Signature(name: device, seconds: Self.gitSeconds(date))
  }

  /// The time when the document was modified, in nanoseconds since 1970; `nil` for a time that no file can
  /// have.
  var modifiedInNanoseconds: Int64? {
    let (nanoseconds, isOutside) = modified.multipliedReportingOverflow(by: 1_000_000)
    return isOutside ? nil : nanoseconds
  }

  /// The end of the year 9999, in milliseconds since 1970; no clock shows more.
  static let latestDate: Int64 = 253_402_300_799_999

  /// Throws an error for numbers that can't be used in calculations, because records come from other devices.
  func validate() throws(GitError) {
    guard Self.isPossible(date: date, bytes: bytes, files: files) else {
      throw .malformed("a record has an impossible date or size")
    }
  }

  /// Returns whether the numbers can be used in calculations.
  static func isPossible(date: Int64, bytes: Int, files: Int) -> Bool {
    let limit: Int64 = 1 << 53
    return (-limit...limit).contains(date) && (0...limit).contains(Int64(bytes))
      && (0...limit).contains(Int64(files))
  }

  /// Sets the facts about a content; nil makes the record a deletion.
  package mutating func describe(_ content: DocumentContent?) {
    self.content = content?.tree.description
    digest = content?.digest
    bytes = content?.bytes ?? 0
    files = content?.files ?? 0
    package = content?.isPackage == true ? true : nil
    executable = content?.isExecutable == true ? true : nil
  }

  /// Returns seconds that git accepts, from 1970 to the year 9999.
  private static func gitSeconds(_ milliseconds: Int64) -> Int64 {
    min(max(0, milliseconds), latestDate) / 1_000
  }
}

extension Record {
  /// Returns whether a commit is a record rather than a content: only a record ends with its line of JSON.
  package static func isRecord(_ commit: Commit) -> Bool {
    json(of: commit) != nil
  }
}
