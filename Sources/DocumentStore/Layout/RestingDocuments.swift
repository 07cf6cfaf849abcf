internal import DocumentFiles
internal import DocumentGit
internal import Synchronization
package import SystemPackage

/// The resting documents of a container: a list that grows by entries, each with a check.
///
/// An entry counts only while its document has no store; one that has got a store departs from the list before anything
/// moves that. The list can be made anew: a sync takes in again what is on no list and has no store. So an entry
/// that a power cut has torn, and all after it, count as missing until then.
///
/// Only its owner can read it, and only where nobody else can write are there such documents.
package final class RestingDocuments: Sendable {
  /// By the bytes of their paths: as texts, two ways to compose a character are equal.
  private let documents: [[UInt8]: RestingDocument]
  /// The names of documents, and of folders with such, by the paths of the folders that they are in.
  private let names: [[UInt8]: Set<[UInt8]>]
  /// How many entries are of no use any more.
  private let obsolete: Int
  /// Whether all of the list could be read.
  package let isWhole: Bool

  /// The documents of the list; some may have a store by now.
  package var all: some Collection<RestingDocument> { documents.values }

  package var isEmpty: Bool { documents.isEmpty }

  /// The document at a path, which may have a store by now; nil if none is listed.
  package func document(at path: String) -> RestingDocument? {
    documents.isEmpty ? nil : documents[Array(path.utf8)]
  }

  /// The names in a folder that are documents of the list or lead to them.
  func names(in folder: String) -> Set<[UInt8]> { names[Array(folder.utf8)] ?? [] }

  private init(_ bytes: [UInt8]) {
    var documents: [[UInt8]: RestingDocument] = [:]
    var count = 0
    var isWhole = bytes.last == nil || bytes.last == 0
    for entry in bytes.split(separator: 0) {
      guard let fields = Self.checked(entry) else {
        isWhole = false
        break
      }
      count += 1
      if fields.starts(with: Self.departure) {
        documents[Array(fields.dropFirst(Self.departure.count))] = nil
      } else if let document = RestingDocument(fields: fields) {
        documents[Array(document.path.utf8)] = document
      }
    }
    self.documents = documents
    self.isWhole = isWhole
    obsolete = count - documents.count
    var names: [[UInt8]: Set<[UInt8]>] = [:]
    for path in documents.keys {
      var rest = path[...]
      while let slash = rest.lastIndex(of: UInt8(ascii: "/")) {
        let isNew = names[Array(rest[..<slash]), default: []].insert(Array(rest[(slash + 1)...]))
          .inserted
        rest = rest[..<slash]
        guard isNew else { break }
      }
      if !rest.contains(UInt8(ascii: "/")) { names[[], default: []].insert(Array(rest)) }
    }
    self.names = names
  }

  // MARK: Reading

  private typealias Known = (file: FileStatus, list: RestingDocuments)
  private static let known = Mutex<[FilePath: Known]>([:])
  private static let none = RestingDocuments([])

  /// The list of a container, read again only if it has changed.
  ///
  /// - Throws: ``FileError`` if it belongs to somebody else, or can't be read.
  package static func of(_ container: FilePath) throws -> RestingDocuments {
    let file = SyncFile.resting.path(in: container)
    guard let status = try FileStatus.of(file) else { return none }
    if let (former, list) = known.withLock({ $0[container] }), former == status { return list }
    let list = RestingDocuments(try SmallFile.read(file, limit: 1 << 30) ?? [])
    known.withLock {
      if $0.count > 8 { $0 = [:] }
      $0[container] = (status, list)
    }
    return list
  }

  /// The list of a container for what lists documents; an empty one for whoever may not read it.
  static func readable(in container: FilePath) throws -> RestingDocuments {
    do { return try of(container) } catch let error as FileError where error.code == .notPermitted {
      return none
    }
  }

  /// Returns whether there is a list, and all of it can be read.
  package static func isSound(in container: FilePath) throws -> Bool {
    try FileStatus.of(SyncFile.resting.path(in: container)) != nil && of(container).isWhole
  }

  /// The entry of a document, whether or not it has a store by now; nil if it has none.
  package static func entry(of location: DocumentLocation) throws -> RestingDocument? {
    let list = try of(location.container)
    guard !list.isEmpty,
      location.store == Layout.store(of: location.path, in: location.container)
    else { return nil }
    return list.document(at: location.path)
  }

  /// The entry of a document that rests; nil if it has a store, or no versions.
  package static func document(of location: DocumentLocation) throws -> RestingDocument? {
    try FileStatus.of(location.store) == nil ? entry(of: location) : nil
  }

  // MARK: Changing

  /// Does something while no other process or thread changes the list.
  package static func changing<Result>(
    in container: FilePath, _ body: () throws -> Result
  ) throws -> Result {
    let lock = try FileLock(SyncFile.restingLock.path(in: container), waitingAtMost: 60)
    let result = try body()
    lock.release()
    return result
  }

  /// Adds documents to the list, durably; the caller holds the lock.
  package static func add(_ documents: [RestingDocument], in container: FilePath) throws {
    guard !documents.isEmpty else { return }
    try append(documents.map(\.fields), in: container)
  }

  /// Takes a document off the list, durably; the caller holds the lock.
  static func depart(_ path: String, in container: FilePath) throws {
    try append([departure + Array(path.utf8)], in: container)
  }

  private static func append(_ entries: [[UInt8]], in container: FilePath) throws {
    let file = SyncFile.resting.path(in: container)
    let bytes = entries.flatMap(encoded)
    let present = try of(container)
    if present.isWhole, present.obsolete < 64 + present.documents.count,
      try AppendOnlyFile.append(bytes, ifThere: file, isDurable: true)
    {
      return
    }
    let kept = present.documents.values.sorted { $0.path < $1.path }.map(\.fields)
    try SmallFile.replace(file, kept.flatMap(encoded) + bytes, isPrivate: true)
  }

  private static let departure = Array("-\n".utf8)

  private static func encoded(_ fields: [UInt8]) -> [UInt8] {
    Array("\(String(CyclicCheck.crc32(fields), radix: 16))\n".utf8) + fields + [0]
  }

  /// The fields of an entry; nil where it isn't as it was written.
  private static func checked(_ entry: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let end = entry.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let fields = entry[(end + 1)...]
    let check = String(decoding: entry[..<end], as: UTF8.self)
    return String(CyclicCheck.crc32(Array(fields)), radix: 16) == check ? fields : nil
  }
}
