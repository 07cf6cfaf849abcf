internal import DocumentGit

/// The entries of the list of resting documents, each of which is read when it is asked for: most commands are about one of
/// thousands, and a watcher keeps the list for as long as it runs.
struct RestingEntries {
  private struct Entry {
    /// A part of the bytes that were read of the file.
    let fields: ArraySlice<UInt8>
    /// Where the path begins in them.
    let start: Int
    let isOnShelf: Bool

    var path: ArraySlice<UInt8> { fields[start...] }

    /// - Returns: nil for fields that are none of a document.
    init?(_ fields: ArraySlice<UInt8>) {
      guard let path = RestingDocument.path(inFields: fields) else { return nil }
      self.fields = fields
      start = path.startIndex
      isOnShelf = RestingDocument.mirror(inFields: fields) == Shelf.name
    }
  }

  /// What becomes of a path: its entry, or none.
  private typealias Change = (path: ArraySlice<UInt8>, entry: Entry?)

  /// In the order of the bytes of their paths: as texts, two ways to compose a character are equal.
  private var entries: [Entry] = []
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

  /// All documents, in the order of the bytes of their paths; each is read when it is its turn.
  var all: some Sequence<RestingDocument> {
    entries.lazy.compactMap { RestingDocument(fields: $0.fields) }
  }

  /// The paths of all documents, in the order of their bytes.
  var paths: some Sequence<String> {
    entries.lazy.map { String(decoding: $0.path, as: UTF8.self) }
  }

  /// Returns whether a document rests on a copy of a remote.
  func contains(mirror: String) -> Bool {
    shelved < count && entries.contains { RestingDocument.mirror(inFields: $0.fields) == mirror }
  }

  func document(at path: [UInt8]) -> RestingDocument? {
    let place = place(of: path, in: entries[...])
    guard place < entries.count, entries[place].path.elementsEqual(path) else { return nil }
    return RestingDocument(fields: entries[place].fields)
  }

  /// The names in a folder that are documents or lead to them.
  func names(in folder: [UInt8]) -> [[UInt8]] {
    let start = folder.isEmpty ? [] : folder + [Self.slash]
    var names: Set<[UInt8]> = []
    var rest = entries[place(of: start, in: entries[...])...]
    while let path = rest.first?.path, path.starts(with: start) {
      let name = Array(path.dropFirst(start.count).prefix { $0 != Self.slash })
      names.insert(name)
      // What follows is in the same folder.
      let isFolder = path.count > start.count + name.count
      let next =
        isFolder ? place(of: start + name + [Self.slash + 1], in: rest) : rest.startIndex + 1
      rest = rest[next...]
    }
    return Array(names)
  }

  private static let slash = UInt8(ascii: "/")

  /// The place of the first entry whose path does not come before one.
  private func place(of path: some Sequence<UInt8>, in entries: ArraySlice<Entry>) -> Int {
    var (low, high) = (entries.startIndex, entries.endIndex)
    while low < high {
      let middle = (low + high) / 2
      if entries[middle].path.lexicographicallyPrecedes(path) {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  // MARK: Bytes

  /// Takes bytes of the file that follow those before.
  mutating func take(_ bytes: ArraySlice<UInt8>) {
    guard !bytes.isEmpty else { return }
    size += bytes.count
    end = (end + bytes.suffix(64)).suffix(64)
    isWhole = bytes.last == 0
    var changes: [Change] = []
    for entry in bytes.split(separator: 0) {
      guard let fields = Self.checked(entry) else {
        isWhole = false
        break
      }
      written += 1
      if fields.starts(with: Self.departure) {
        changes.append((fields.dropFirst(Self.departure.count), nil))
      } else if let entry = Entry(fields) {
        changes.append((entry.path, entry))
      }
      if changes.count >= Self.mostChanges {
        make(changes)
        changes = []
      }
    }
    make(changes)
  }

  /// The bytes of a file with the same documents, and no entry too many.
  var encoded: [UInt8] {
    entries.flatMap { Self.encoded($0.fields) }
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
    make(
      all.filter { !stored.isDisjoint(with: $0.identity.all) }
        .map { (ArraySlice($0.path.utf8), nil) })
    guard let found else { return }
    let known = all.reduce(into: stored) { $0.formUnion($1.identity.all) }
    make(
      found.filter {
        known.isDisjoint(with: $0.identity.all) && document(at: Array($0.path.utf8)) == nil
      }
      .map { (ArraySlice($0.path.utf8), Entry($0.fields[...])) })
  }

  /// The changes that are made at once; those of a whole list would take more memory than the list.
  private static let mostChanges = 4_096

  /// Makes changes, of which those that come later count.
  private mutating func make(_ changes: [Change]) {
    let ordered = changes.enumerated().sorted { left, right in
      if left.element.path.elementsEqual(right.element.path) { return left.offset < right.offset }
      return left.element.path.lexicographicallyPrecedes(right.element.path)
    }
    var made: [Entry] = []
    made.reserveCapacity(entries.count + changes.count)
    var rest = entries[...]
    for (number, (_, change)) in ordered.enumerated() {
      let next = ordered.dropFirst(number + 1).first?.element
      if let next, next.path.elementsEqual(change.path) { continue }
      let place = place(of: change.path, in: rest)
      made += rest[..<place]
      rest = rest[place...]
      if let former = rest.first, former.path.elementsEqual(change.path) {
        rest.removeFirst()
        shelved -= former.isOnShelf ? 1 : 0
      }
      guard let entry = change.entry else { continue }
      made.append(entry)
      shelved += entry.isOnShelf ? 1 : 0
    }
    entries = made + rest
  }
}
