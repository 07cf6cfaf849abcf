internal import DocumentGit

/// The entries of the list of resting documents, which are read on demand.
///
/// Most commands need one entry of thousands, and a watcher keeps the list for as long as it runs.
struct RestingEntries {
  private struct Entry {
    /// A part of the file's bytes.
    let fields: ArraySlice<UInt8>
    /// The start of the path in the fields.
    let start: Int
    let isOnShelf: Bool

    var path: ArraySlice<UInt8> { fields[start...] }

    /// - Returns: nil if the fields aren't those of a document.
    init?(_ fields: ArraySlice<UInt8>) {
      guard let path = RestingDocument.path(inFields: fields) else { return nil }
      self.fields = fields
      start = path.startIndex
      isOnShelf = RestingDocument.mirror(inFields: fields) == Shelf.name
    }
  }

  /// The new state of a path: its entry, or none.
  private typealias Change = (path: ArraySlice<UInt8>, entry: Entry?)

  /// The entries, in the order of the bytes of their paths, because strings treat two compositions of a
  /// character as equal.
  private var entries: [Entry] = []
  /// The number of documents on the shelf.
  private(set) var shelved = 0
  /// The number of entries in the file.
  private(set) var written = 0
  /// The number of bytes that were read, and the last of them.
  private(set) var size = 0
  private(set) var end: [UInt8] = []
  private(set) var isWhole = true
  /// True if documents of the shelf are missing and can't be read.
  private(set) var hasLostShelf = false

  var count: Int { entries.count }

  /// The beginning of an entry for a document that left the list.
  private static let departure = Array("-\n".utf8)

  // MARK: Asking

  /// All documents, in the order of the bytes of their paths; they are read one by one.
  var all: some Sequence<RestingDocument> {
    entries.lazy.compactMap { RestingDocument(fields: $0.fields) }
  }

  /// The paths of all documents, in the order of their bytes.
  var paths: some Sequence<String> {
    entries.lazy.map { String(decoding: $0.path, as: UTF8.self) }
  }

  /// Returns the paths of the documents whose files have one of several marks, with these.
  func paths(ofFilesMarked marks: Set<String>) -> [(path: String, mark: String)] {
    entries.compactMap { entry in
      guard let mark = RestingDocument.mark(inFields: entry.fields), marks.contains(mark) else {
        return nil
      }
      return (String(decoding: entry.path, as: UTF8.self), mark)
    }
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

  /// Returns the names in a folder that are documents or lead to them.
  func names(in folder: [UInt8]) -> [[UInt8]] {
    let start = folder.isEmpty ? [] : folder + [Self.slash]
    var names: Set<[UInt8]> = []
    var rest = entries[place(of: start, in: entries[...])...]
    while let path = rest.first?.path, path.starts(with: start) {
      let name = Array(path.dropFirst(start.count).prefix { $0 != Self.slash })
      names.insert(name)
      // The following names are in the same folder.
      let isFolder = path.count > start.count + name.count
      let next =
        isFolder ? place(of: start + name + [Self.slash + 1], in: rest) : rest.startIndex + 1
      rest = rest[next...]
    }
    return Array(names)
  }

  private static let slash = UInt8(ascii: "/")

  /// Returns the index of the first entry whose path doesn't precede a path.
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

  /// Takes in the next bytes of the file.
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

  /// The bytes of a file with the same documents, and no superfluous entry.
  var encoded: [UInt8] {
    entries.flatMap { Self.encoded($0.fields) }
  }

  /// Returns the bytes of an entry.
  static func encoded(_ document: RestingDocument) -> [UInt8] { encoded(document.fields[...]) }

  /// Returns the bytes of an entry for a document that left the list.
  static func encoded(departureOf path: String) -> [UInt8] {
    encoded((departure + Array(path.utf8))[...])
  }

  private static func encoded(_ fields: ArraySlice<UInt8>) -> [UInt8] {
    Array("\(String(CyclicCheck.crc32(Array(fields)), radix: 16))\n".utf8) + fields + [0]
  }

  /// Returns the fields of an entry; nil if it isn't as it was written.
  private static func checked(_ entry: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard let end = entry.firstIndex(of: UInt8(ascii: "\n")) else { return nil }
    let fields = entry[(end + 1)...]
    let check = String(decoding: entry[..<end], as: UTF8.self)
    return String(CyclicCheck.crc32(Array(fields)), radix: 16) == check ? fields : nil
  }

  // MARK: Changing

  /// Takes in documents of the shelf that are not in the file.
  ///
  /// - Parameters:
  ///   - found: all documents of the shelf; nil if it can't be read.
  ///   - stored: the ids of documents with stores, which may have moved by now.
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

  /// The number of changes that are made at once; the changes of a whole list would take more memory than the
  /// list.
  private static let mostChanges = 4_096

  /// Makes changes; later changes of a path replace earlier ones.
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
