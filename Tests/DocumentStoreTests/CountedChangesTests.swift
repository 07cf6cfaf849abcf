import DocumentFiles
import DocumentGit
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

@Suite("Counted changes")
struct CountedChangesTests {
  private let desk: Device
  private let first: FileVersion
  private let second: FileVersion
  private let path: FilePath

  init() throws {
    desk = try Device()
    first = try desk.save("1", as: "a.md")
    second = try desk.save("2", as: "a.md")
    path = try DocumentLocation(of: desk["a.md"]).store.appending("change-counts")
  }

  private var known: CountedChanges { desk.store.knownChangeCounts(of: desk["a.md"]) }

  private func note(_ noted: [(FileVersion, ChangeCounts)]) {
    var known = known
    for (version, counts) in noted { known.add(counts, of: version) }
    known.write()
  }

  /// Returns the second version under another id, or with other parents.
  private func version(_ number: Int? = nil, parents: [ObjectID]? = nil) -> FileVersion {
    var listed = second.listed
    if let number {
      var bytes: [UInt8] = []
      for _ in 1...3 { bytes.append(number: UInt64(number)) }
      listed = ListedVersion(
        id: bytes.withUnsafeBytes { ObjectID(twenty: $0) }, parents: listed.parents,
        content: listed.content, kind: listed.kind, names: listed.names, note: nil,
        date: listed.date, modified: listed.modified, bytes: listed.bytes, files: listed.files,
        flags: listed.flags)
    }
    if let parents { listed.parents = parents }
    return FileVersion(
      listed: listed, listing: second.listing, isUnresolved: false, isCurrent: false)
  }

  private let lines = ChangeCounts(linesAdded: 3, removed: 1)

  @Test func `new counts are stored, and earlier ones stay`() throws {
    #expect(known.counts(of: first) == nil)
    let changes = try desk.store.memberChanges(from: first, to: second)
    note([(first, ChangeCounts(changes))])
    note([(second, lines)])
    #expect(known.counts(of: first) == ChangeCounts(changes))
    #expect(known.counts(of: first)?.changed == 1)
    #expect(known.counts(of: second) == lines)
    try desk.expectSound()
    #expect(try desk.store.verify(desk["a.md"]).isWhole)
  }

  @Test func `counts are of one version before, not of another`() throws {
    note([(second, lines), (version(7), lines)])
    #expect(known.counts(of: version()) == lines)
    #expect(known.counts(of: version(parents: [])) == nil)
    #expect(known.counts(of: version(parents: [second.listed.id])) == nil)
    #expect(known.counts(of: version(parents: [version(7).listed.id])) == nil)
    #expect(known.counts(of: version(parents: [first.listed.id, second.listed.id])) == lines)
    #expect(known.counts(of: version(8)) == nil)
  }

  @Test func `a version that was counted against another one is stored again`() throws {
    note([(version(parents: []), lines)])
    #expect(known.counts(of: second) == nil)
    let other = ChangeCounts(linesAdded: 0, removed: 0)
    note([(second, other)])
    #expect(known.counts(of: second) == other)
    #expect(known.counts(of: version(parents: [])) == nil)
  }

  @Test func `what is known already is not written again`() throws {
    note([(second, lines)])
    let before = try FileStatus.of(path)?.inode
    note([(second, lines)])
    note([])
    #expect(try FileStatus.of(path)?.inode == before)
  }

  @Test func `the last counts are kept, and no more`() throws {
    let most = CountedChanges.most
    note((0..<most).map { (version($0), lines) })
    let size = try FileStatus.of(path)?.size
    note((most..<most + 500).map { (version($0), lines) })
    #expect(try FileStatus.of(path)?.size == size)
    let known = known
    #expect((0..<most + 500).count { known.counts(of: version($0)) == lines } == most)
    #expect((most..<most + 500).allSatisfy { known.counts(of: version($0)) == lines })
    // These are more than are kept.
    note((10_000..<10_000 + most + 5).map { (version($0), lines) })
    #expect(self.known.counts(of: version(10_000)) == lines)
  }

  @Test(
    "What is no file of counts is none, and is replaced",
    arguments: ["empty", "cut", "flipped", "random", "other title", "no whole entry", "huge"])
  func damaged(kind: String) throws {
    note([(first, lines), (second, lines)])
    let sound = try #require(try SmallFile.read(path))
    var bytes = sound
    switch kind {
    case "empty": bytes = []
    case "cut": bytes.removeLast(5)
    case "flipped": bytes[60] ^= 1
    case "random": bytes = (0..<500).map { UInt8(truncatingIfNeeded: $0 &* 97) }
    case "no whole entry":
      bytes = Array(bytes.dropLast(32 + 5))
      bytes.append(ContentDigest(of: bytes))
    case "huge": bytes = []
    default: bytes[0] ^= 1
    }
    try SmallFile.replaceCache(path, bytes)
    if kind == "huge" { try #require(truncate(path.string, 1 << 40) == 0) }
    #expect(known.counts(of: first) == nil)
    note([(second, lines)])
    #expect(known.counts(of: second) == lines)
  }

  @Test(
    "Counts that cannot be are none, however well they are signed",
    arguments: [UInt64.max, 1 << 63, 1 << 32], 0..<5)
  func impossible(number: UInt64, place: Int) throws {
    note([(second, lines)])
    var bytes = Array(try #require(try SmallFile.read(path)).dropLast(32))
    let start = bytes.count - ChangeCounts.encodedSize + 8 * place
    var encoded: [UInt8] = []
    encoded.append(number: number)
    bytes.replaceSubrange(start..<start + 8, with: encoded)
    bytes.append(ContentDigest(of: bytes))
    try SmallFile.replaceCache(path, bytes)
    #expect(known.counts(of: second) == nil)
  }

  @Test func `where it cannot be written nothing happens`() throws {
    try Folder.create(path.appending("inside"))
    note([(second, lines)])
    #expect(known.counts(of: second) == nil)
    #expect(try desk.store.verify(desk["a.md"]).isWhole)
    #expect(try desk.save("3", as: "a.md").parents == [second.id])
    try FileManager.default.removeItem(atPath: path.parentFolder.string)
    var known = known
    known.add(lines, of: second)
    known.write()
    #expect(try FileStatus.of(path.parentFolder) == nil)
  }

  @Test func `several threads may note at once`() async throws {
    await withTaskGroup { group in
      for task in 0..<8 {
        group.addTask {
          for round in 0..<20 { note([(version(100 * task + round), lines)]) }
        }
      }
    }
    note([(second, lines)])
    #expect(known.counts(of: second) == lines)
    #expect(try desk.store.verify(desk["a.md"]).isWhole)
    // The file of a killed process is removed.
    try SmallFile.replaceCache(path.parentFolder.appending("change-counts.new"), [1])
    try desk.save("3", as: "a.md")
    #expect(try FileStatus.of(path.parentFolder.appending("change-counts.new")) == nil)
  }
}
