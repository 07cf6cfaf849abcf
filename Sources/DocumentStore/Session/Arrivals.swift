internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

/// The versions that operations wrote over the document since its contents were last saved, oldest first.
///
/// A program that has the document open may still show the former text, and write it back. Until the next
/// contents are saved, the store records the version that the document showed before each arrival, and the contents that
/// an app made of the last one without making a version.
struct Arrivals: Equatable {
  /// One version that was written over the document.
  struct Arrival: Equatable {
    /// The version that the document showed before.
    let before: ObjectID
    /// The version that was written.
    let after: ObjectID
  }

  private(set) var list: [Arrival] = []
  /// The digest of the contents that an app wrote as an edit of the last arrival; `nil` if there are none.
  private(set) var edit: String?

  private init() {}

  /// Reads the arrivals in a store; none if the file is damaged.
  init(in store: FilePath) throws {
    guard let bytes = try SmallFile.read(Self.file(in: store)) else { return }
    let lines = bytes.split(separator: UInt8(ascii: "\n"))
    guard let check = lines.first, Array(check) == Self.check(of: lines.dropFirst()) else { return }
    var read = Arrivals()
    for line in lines.dropFirst() {
      let words = line.split(separator: UInt8(ascii: " "))
      if words.count == 1 {
        read.edit = String(decoding: words[0], as: UTF8.self)
        continue
      }
      let ids = words.map { ObjectID(hexadecimal: $0) }
      guard ids.count == 2, let before = ids[0], let after = ids[1] else { return }
      read.list.append(Arrival(before: before, after: after))
    }
    self = read
  }

  /// Writes the arrivals; durable on return.
  func write(in store: FilePath) throws {
    guard !list.isEmpty else { return try Self.forget(in: store) }
    let texts = list.map { "\($0.before) \($0.after)" } + (edit.map { [$0] } ?? [])
    let lines = texts.map { Array($0.utf8)[...] }[...]
    let all = [Self.check(of: lines)[...]] + lines
    try SmallFile.replace(
      Self.file(in: store), Array(all.joined(separator: [UInt8(ascii: "\n")])))
  }

  /// Removes all arrivals from a store.
  static func forget(in store: FilePath) throws {
    try Folder.removeTree(file(in: store))
  }

  /// Adds a version that is written over the document.
  mutating func append(_ arrival: Arrival) {
    list.append(arrival)
    edit = nil
    guard list.count > Self.most else { return }
    list.replaceSubrange(..<2, with: [Arrival(before: list[0].before, after: list[1].after)])
  }

  /// Gives the last arrival another end: the version in between was the document's deletion.
  ///
  /// - Parameter isAsBefore: whether the document is again in its former state.
  mutating func replaceLast(after: ObjectID, isAsBefore: Bool) {
    guard let last = list.popLast() else { return }
    edit = nil
    if !isAsBefore { list.append(Arrival(before: last.before, after: after)) }
  }

  /// Removes all arrivals.
  mutating func removeAll() { self = Arrivals() }

  /// The greatest number of arrivals; older ones are joined, because no program stays open for that many.
  private static let most = 32

  private static func check(of lines: ArraySlice<ArraySlice<UInt8>>) -> [UInt8] {
    var check: UInt32 = 0
    for line in lines { check = CyclicCheck.crc32(line, continuing: check) }
    return Array(String(check, radix: 16).utf8)
  }

  private static func file(in store: FilePath) -> FilePath {
    StoreFile.arrivals.path(in: store)
  }
}

extension Arrivals {
  /// Returns whether the document still is in the state of the last arrival, under any record.
  ///
  /// After a save it isn't, even if a crash prevented the removal of the arrivals.
  func lead(to base: Record, in objects: VersionObjects) throws -> Bool {
    guard let last = list.last else { return false }
    if last.after == base.id { return true }
    guard try objects.repository.contains(last.after) else { return false }
    let content = try objects.record(last.after).content
    let isSame = content.map { $0.isSame(as: base.content) } ?? (base.content == nil)
    return try isSame && objects.isAncestor(last.after, of: base.id)
  }
}

extension Arrivals {
  /// Records that a version is about to be written over the document.
  static func record(_ record: Record, in reader: StoreReader) throws {
    guard let before = try reader.heads.base(), before.id != record.id,
      before.content?.digest != record.content?.digest
    else { return }
    var arrivals = try Arrivals(in: reader.location.store)
    let former = arrivals
    if try !arrivals.lead(to: before, in: reader.objects) { arrivals.removeAll() }
    if before.content == nil {
      let first = try arrivals.list.last.map { try reader.record($0.before) }
      arrivals.replaceLast(
        after: record.id, isAsBefore: first?.content?.digest == record.content?.digest)
    } else {
      arrivals.append(.init(before: before.id, after: record.id))
    }
    if arrivals != former { try arrivals.write(in: reader.location.store) }
  }

  /// Records that an app may write a version over the document, which shows another one.
  ///
  /// If a crash follows the app's write, the file is recognized as that version.
  static func expect(_ record: Record, in reader: StoreReader) throws {
    guard let shown = try reader.heads.base(), shown.id != record.id,
      shown.content?.digest != record.content?.digest
    else { return }
    var arrivals = Arrivals()
    arrivals.append(.init(before: record.id, after: shown.id))
    try arrivals.write(in: reader.location.store)
  }

  /// Records that an app wrote the document's contents as an edit of the last arrival.
  ///
  /// Only these contents count as such an edit: another program may still write back the former text.
  ///
  /// - Parameter isOwn: returns whether the document still is what the app wrote.
  static func recordEdit(in reader: StoreReader, _ isOwn: () throws -> Bool) throws {
    var arrivals = try Arrivals(in: reader.location.store)
    guard !arrivals.list.isEmpty, let base = try reader.heads.base(),
      try arrivals.lead(to: base, in: reader.objects),
      let present = try reader.document.copy(asPackage: true),
      present.content.digest != arrivals.edit, try isOwn()
    else { return }
    arrivals.edit = present.content.digest
    try arrivals.write(in: reader.location.store)
  }

  /// Records versions that were written over one another, oldest first; the document shows the last one.
  static func record(_ shown: [ObjectID], in reader: StoreReader) throws {
    var arrivals = try Arrivals(in: reader.location.store)
    let former = arrivals
    for (before, after) in zip(shown, shown.dropFirst()) {
      let contents = try [before, after].map { try reader.record($0).content?.digest }
      if contents[0] != contents[1] { arrivals.append(.init(before: before, after: after)) }
    }
    if arrivals != former { try arrivals.write(in: reader.location.store) }
  }
}
