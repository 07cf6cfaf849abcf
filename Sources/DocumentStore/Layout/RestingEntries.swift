internal import DocumentGit

/// The entries of the list of resting documents, each of which is read when it is asked for: most commands are about one of
/// thousands.
struct RestingEntries {
  private struct Entry {
    let fields: ArraySlice<UInt8>
    let isOnShelf: Bool
    /// The document, if it was asked for.
    var document: RestingDocument?

    mutating func read() -> RestingDocument? {
      if document == nil { document = RestingDocument(fields: fields) }
      return document
    }
  }

  /// By the bytes of their paths: as texts, two ways to compose a character are equal.
  private var entries: [[UInt8]: Entry] = [:]
  /// The names of documents, and of folders with such, by the paths of the folders that they are in: to how many documents
  /// each leads; nil until they are asked for.
  private var known: [[UInt8]: [[UInt8]: Int]]?
  /// How many documents are on the shelf.
  private(set) var shelved = 0
  /// How many entries the file has.
  private(set) var written = 0
  /// How many of its bytes were read, and the last of these.
  private(set) var size = 0
  private(set) var end: [UInt8] = []
  private(set) var isWhole = true
  /// Whether documents of the shelf are missing, which can't be read.
  private(set) var hasLostShelf = false

  var count: Int { entries.count }

  /// The beginning of an entry for a document that has departed.
  private static let departure = Array("-\n".utf8)

  // MARK: Asking

  /// All documents, in no order.
  mutating func all() -> [RestingDocument] {
    var all: [RestingDocument] = []
    all.reserveCapacity(entries.count)
    var index = entries.startIndex
    while index != entries.endIndex {
      if let document = entries.values[index].read() { all.append(document) }
      entries.formIndex(after: &index)
    }
    return all
  }

  /// The paths of all documents, in no order.
  var paths: [String] { entries.keys.map { String(decoding: $0, as: UTF8.self) } }

  mutating func document(at path: [UInt8]) -> RestingDocument? { entries[path]?.read() }

  /// The names in a folder that are documents or lead to them.
  mutating func names(in folder: [UInt8]) -> [[UInt8]] {
    var names = known ?? [:]
    if known == nil { for path in entries.keys { Self.count(path, by: 1, in: &names) } }
    known = names
    return Array((names[folder] ?? [:]).keys)
  }

  // MARK: Bytes

  /// Takes bytes of the file that follow those before.
  mutating func take(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return }
    size += bytes.count
    end = (end + bytes.suffix(64)).suffix(64)
    isWhole = bytes.last == 0
    for entry in bytes.split(separator: 0) {
      guard let fields = Self.checked(entry) else {
        isWhole = false
        break
      }
      written += 1
      if fields.starts(with: Self.departure) {
        set(nil, at: Array(fields.dropFirst(Self.departure.count)))
      } else if let path = RestingDocument.path(inFields: fields) {
        let isOnShelf = RestingDocument.isOnShelf(fields: fields)
        set(Entry(fields: fields, isOnShelf: isOnShelf), at: Array(path))
      }
    }
  }

  /// The bytes of a file with the same documents, and no entry too many.
  var encoded: [UInt8] {
    entries.sorted { $0.key.lexicographicallyPrecedes($1.key) }
      .flatMap { Self.encoded($0.value.fields) }
  }

  /// The bytes of an entry.
  static func encoded(_ document: RestingDocument) -> [UInt8] { encoded(document.fields[...]) }

  /// The bytes of an entry for a document that has departed.
  static func encoded(departureOf path: String) -> [UInt8] {
    encoded((departure + Array(path.utf8))[...])
  }

  private static func encoded(_ fields: ArraySlice<UInt8>) -> [UInt8] {
    Array("\(String(CyclicCheck.crc32(Array(fields)), radix: 16))\n".utf8) + fields + [0]
  }

  /// The fields of an entry; nil where it isn't as it was written.
  private static func checked(_ entry: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let end = entry.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let fields = entry[(end + 1)...]
    let check = String(decoding: entry[..<end], as: UTF8.self)
    return String(CyclicCheck.crc32(Array(fields)), radix: 16) == check ? fields : nil
  }

  // MARK: Changing

  /// Takes in documents of the shelf of which the file says nothing.
  ///
  /// - Parameters:
  ///   - found: all documents of the shelf; nil if it can't be read.
  ///   - stored: the ids of documents with stores, which may be elsewhere by now.
  mutating func recover(_ found: [RestingDocument]?, besides stored: Set<DocumentIdentifier>) {
    isWhole = false
    hasLostShelf = found == nil
    for document in all() where !stored.isDisjoint(with: document.identity.all) {
      set(nil, at: Array(document.path.utf8))
    }
    guard let found else { return }
    let known = all().reduce(into: stored) { $0.formUnion($1.identity.all) }
    for document in found where known.isDisjoint(with: document.identity.all) {
      let path = Array(document.path.utf8)
      guard entries[path] == nil else { continue }
      set(Entry(fields: document.fields[...], isOnShelf: document.isOnShelf), at: path)
    }
  }

  private mutating func set(_ entry: Entry?, at path: [UInt8]) {
    let former = entries.removeValue(forKey: path)
    entries[path] = entry
    shelved += (entry?.isOnShelf == true ? 1 : 0) - (former?.isOnShelf == true ? 1 : 0)
    guard (former == nil) != (entry == nil), var names = known else { return }
    known = nil
    Self.count(path, by: entry == nil ? -1 : 1, in: &names)
    known = names
  }

  /// Counts a document for all names that lead to it.
  private static func count(
    _ path: [UInt8], by step: Int, in names: inout [[UInt8]: [[UInt8]: Int]]
  ) {
    var rest = path[...]
    var isTop = false
    while !isTop {
      let slash = rest.lastIndex(of: UInt8(ascii: "/"))
      let folder = slash.map { Array(rest[..<$0]) } ?? []
      let name = Array(rest[(slash.map { $0 + 1 } ?? rest.startIndex)...])
      let count = (names[folder]?[name] ?? 0) + step
      names[folder, default: [:]][name] = count > 0 ? count : nil
      rest = rest[..<(slash ?? rest.startIndex)]
      isTop = slash == nil
    }
  }
}
