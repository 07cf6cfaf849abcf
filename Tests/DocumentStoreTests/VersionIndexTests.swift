import DocumentFiles
import DocumentGit
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore

@Suite("The version index")
struct VersionIndexTests {
  /// What a history says, as far as it can be compared.
  private func facts(_ history: DocumentHistory) -> [String] {
    history.versions.map { version in
      """
      \(version.id) \(version.kind.rawValue) \(version.path) \(version.author) \
      \(version.savingDevice) \(version.note ?? "-") \(version.modificationDate.timeIntervalSince1970) \
      \(version.savingDate.timeIntervalSince1970) \(version.size) \(version.fileCount) \
      \(version.isPackage) \(version.isDeletion) \(version.parents) \(version.isCurrent) \
      \(version.isConflict) \(version.isResolved) \(version.isDiscardable) \(version.isPinned) \
      \(version.hasLocalContents)
      """
    }
  }

  /// The history by the index, and by a walk without one.
  private func check(
    _ desk: Device, _ name: String = "a.md", sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let indexed = try desk.history(name)
    try checkSelectors(desk, name, in: indexed, sourceLocation: sourceLocation)
    let index = try desk.index(of: name)
    let bytes = FileManager.default.contents(atPath: index)
    try? FileManager.default.removeItem(atPath: index)
    let walked = try desk.history(name)
    #expect(facts(indexed) == facts(walked), sourceLocation: sourceLocation)
    #expect(indexed.count == walked.versions.count, sourceLocation: sourceLocation)
    for most in [0, 1, 2, 3, 7, 20] {
      if let bytes { try bytes.write(to: URL(filePath: index)) }
      let newest = try desk.store.history(of: desk[name], newest: most)
      #expect(facts(newest) == Array(facts(walked).prefix(most)), sourceLocation: sourceLocation)
      #expect(newest.count == walked.count, sourceLocation: sourceLocation)
      #expect(newest.current?.id == walked.current?.id, sourceLocation: sourceLocation)
      #expect(newest.shown?.id == walked.shown?.id, sourceLocation: sourceLocation)
      #expect(
        newest.unresolvedConflicts.map(\.id) == walked.unresolvedConflicts.map(\.id),
        sourceLocation: sourceLocation)
    }
  }

  /// What selectors find by the index, and in the whole history.
  private func checkSelectors(
    _ desk: Device, _ name: String, in history: DocumentHistory, sourceLocation: SourceLocation
  ) throws {
    func found(_ find: () throws -> FileVersion) throws -> String {
      do { return try find().id.description } catch let error as VersionError {
        return "\(error.code)"
      }
    }
    let times = history.versions.map(\.savingDate)
    let dates = [times.first, times.last, times[times.count / 2]].compactMap { $0 }
      .flatMap { [$0, $0.addingTimeInterval(-0.001), $0.addingTimeInterval(1)] }
    let places =
      dates.map(ListedPlace.Wanted.date)
      + [0, 1, 3, history.count - 1, history.count].map(ListedPlace.Wanted.steps)
    for place in places {
      let version = try desk.store.environment.reading(desk[name]) {
        try VersionList($0).version(at: place)
      }
      guard let version else { continue }
      let line = try history.line(from: #require(history.current))
      switch place {
      case .steps(let count): #expect(version == line[count], sourceLocation: sourceLocation)
      case .date(let date):
        #expect(version == line.first { $0.savingDate <= date }, sourceLocation: sourceLocation)
      case .identifier: break
      }
    }
    let selectors =
      ["current", "~", "~2", "~\(history.count)", "@{1 minute ago}", "@{yesterday}", "ffff"]
      + history.versions.prefix(5).flatMap {
        let digits = $0.id.description
        return [String(digits.prefix(4)), String(digits.prefix(8)).uppercased(), digits]
      }
    for text in selectors {
      let selector = VersionSelector(text)
      let direct = try found { try desk.store.version(selector, of: desk[name]) }
      let listed = try found { try selector.version(in: history, now: desk.clock.now) }
      #expect(direct == listed, "\(text)", sourceLocation: sourceLocation)
    }
  }

  @Test("On a straight line it knows every place, beside a gap it leaves that to the history")
  func places() throws {
    let desk = try Device()
    for number in 0..<600 { try desk.save("text \(number)", as: "a.md") }
    func text(_ place: ListedPlace.Wanted) throws -> String? {
      try desk.store.environment.reading(desk["a.md"]) { try VersionList($0).version(at: place) }
        .map { String(decoding: try $0.contents(), as: UTF8.self) }
    }
    for steps in [0, 1, 41, 300, 599] {
      #expect(try text(.steps(steps)) == "text \(599 - steps)")
      let then = desk.clock.now.addingTimeInterval(Double(-60 * steps) + 30)
      #expect(try text(.date(then)) == "text \(599 - steps)")
    }
    #expect(try text(.steps(600)) == nil)
    let versions = try desk.history("a.md").versions
    #expect(try text(.identifier(Array(versions[500].id.short.utf8))) == "text 99")
    try desk.store.remove([versions[50]], of: desk["a.md"])
    _ = try desk.history("a.md")
    #expect(try text(.steps(49)) == "text 550")
    #expect(try text(.steps(51)) == nil)
    #expect(try text(.identifier(Array(versions[500].id.short.utf8))) == "text 99")
    try check(desk)
  }

  @Test("Authors are listed byte for byte, where names differ only in how they are composed")
  func composedNames() throws {
    var desk = try Device()
    let names = (0..<20).map { $0 % 2 == 0 ? "Ren\u{E9}" : "Rene\u{301}" }
    for (number, name) in names.enumerated() {
      desk.store.identity = Identity(author: name, device: name)
      try desk.save("text \(number)", as: "a.md")
    }
    func expectSame(sourceLocation: SourceLocation = #_sourceLocation) throws {
      let versions = try desk.history("a.md").versions
      let bytes = names.reversed().map { Array($0.utf8) }
      #expect(versions.map { Array($0.author.utf8) } == bytes, sourceLocation: sourceLocation)
      #expect(versions.map { Array($0.savingDevice.utf8) } == bytes, sourceLocation: sourceLocation)
    }
    try expectSame()
    // By a walk, and by the index that it leaves.
    try FileManager.default.removeItem(atPath: desk.index(of: "a.md"))
    try expectSame()
    try expectSame()
  }

  @Test("Saves append to it, and it lists what a walk lists")
  func appending() throws {
    let desk = try Device()
    for number in 1...40 {
      try desk.save("text \(number)", as: "a.md", note: number % 3 == 0 ? "Note \(number) ✓" : nil)
    }
    let size = try desk.indexSize(of: "a.md")
    try desk.save("more", as: "a.md")
    // Appended, not written anew: a reader finds it as it is.
    #expect(try desk.indexSize(of: "a.md") > size)
    let before = try desk.indexSize(of: "a.md")
    _ = try desk.history("a.md")
    #expect(try desk.indexSize(of: "a.md") == before)
    try check(desk)
  }

  @Test("It follows every kind of change", arguments: 1...6)
  func changes(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let desk = try Device()
    try desk.save("0", as: "a.md")
    for number in 1...30 {
      let versions = try desk.history("a.md").versions
      let version = versions[Int.random(in: versions.indices, using: &random)]
      switch Int.random(in: 0..<8, using: &random) {
      case 0: _ = try desk.store.restore(version)
      case 1 where !version.isDeletion:
        try desk.write("\(number)", to: "a.md")
        try desk.store.save(desk["a.md"], base: version)
      case 2:
        let open = try desk.history("a.md").unresolvedConflicts
        if !open.isEmpty { _ = try desk.store.markResolved(open, of: desk["a.md"]) }
      case 3 where !version.isCurrent && !version.isPinned && version.isResolved:
        try desk.store.remove([version], of: desk["a.md"])
      case 4 where version.hasLocalContents:
        try desk.store.setPinned(true, [version], of: desk["a.md"])
      default: try desk.save("\(number)", as: "a.md")
      }
      try check(desk)
    }
  }

  @Test(
    "A damaged one is passed over, and written anew", arguments: ["cut", "bits", "empty", "other"])
  func damage(kind: String) throws {
    let desk = try Device()
    for number in 1...30 { try desk.save("text \(number)", as: "a.md") }
    let index = URL(filePath: try desk.index(of: "a.md"))
    let sound = try Data(contentsOf: index)
    let walked = facts(try desk.history("a.md"))
    var random = SeededGenerator(seed: 7)
    for _ in 0..<50 {
      var bytes = sound
      switch kind {
      case "cut": bytes.removeLast(Int.random(in: 1..<bytes.count, using: &random))
      case "bits":
        let place = Int.random(in: bytes.indices, using: &random)
        bytes[place] ^= UInt8(1 << Int.random(in: 0..<8, using: &random))
      case "empty": bytes = Data()
      default: bytes = Data((0..<500).map { _ in UInt8.random(in: 0...255, using: &random) })
      }
      try bytes.write(to: index)
      #expect(facts(try desk.store.history(of: desk["a.md"], newest: 30)) == walked)
      #expect(facts(try desk.history("a.md")) == walked)
    }
    #expect(try desk.indexSize(of: "a.md") > 0)
    // Nor does something else in its place keep anybody from the versions.
    try FileManager.default.removeItem(at: index)
    try FileManager.default.createDirectory(at: index, withIntermediateDirectories: false)
    #expect(facts(try desk.history("a.md")) == walked)
    try desk.save("more", as: "a.md")
    #expect(try desk.history("a.md").count == 31)
  }

  @Test(
    "A path that leads out of the container, and impossible numbers, are no entries",
    arguments: ["../a.md", "a/../../b", "", ".docversions/a", "size", "date"])
  func hostile(path: String) throws {
    let desk = try Device()
    let saved = try desk.save("1", as: "a.md")
    let location = try DocumentLocation(of: desk["a.md"])
    let index = VersionIndex(in: location.store)
    try desk.store.environment.reading(desk["a.md"]) { store in
      var version = ListedVersion(
        try store.record(saved.id.objectID), content: try store.chain.content(of: saved.id.objectID)
      )
      try index.write([version], at: store.heads.state())
      #expect(try index.newest(nil, at: store.heads.state())?.versions == [version])
      switch path {
      case "size": version.bytes = .max
      case "date": version.date = .max
      default: version.names.path = path
      }
      try index.write([version], at: store.heads.state())
      #expect(try index.newest(nil, at: store.heads.state()) == nil)
    }
    #expect(try desk.history("a.md").versions.map(\.path) == ["a.md"])
  }

  @Test("An entry with a number that none can follow is none")
  func largestNumber() throws {
    let desk = try Device()
    try desk.save("1", as: "a.md")
    let file = URL(filePath: try desk.index(of: "a.md"))
    // Behind the state and two bytes of flags; then the entry’s size and its check are made to fit.
    var entry = Array(try Data(contentsOf: file).dropLast(8))
    #expect(entry[10] == 1)
    entry.replaceSubrange(10...10, with: [UInt8](repeating: 255, count: 8) + [127])
    entry.append(bigEndian: UInt32(entry.count))
    entry.append(bigEndian: CyclicCheck.crc32(entry[...], continuing: VersionIndex.format))
    try Data(entry).write(to: file)
    try desk.save("2", as: "a.md")
    #expect(try desk.history("a.md").versions.count == 2)
  }

  @Test("Names that change often, and long notes, are read back from any place")
  func names() throws {
    let desk = try Device()
    var number = 0
    func save(_ author: String, _ note: String?) throws {
      number += 1
      let store = SynchronousStore(
        identity: Identity(author: author, device: "desk"), clock: desk.store.clock)
      try desk.write("\(number)", to: "a.md")
      try store.save(desk["a.md"], note: note)
    }
    for round in 1...12 {
      try save("Mira", String(repeating: "long ", count: 900))
      for _ in 1...round { try save("Tom", nil) }
    }
    try check(desk)
  }

  @Test(
    "Every place in a long list is found, of entries of any length; in a damaged one it is that or none",
    arguments: 1...4)
  func farPlaces(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let folder = try ScratchFolder()
    let index = VersionIndex(in: FilePath(folder.url.path))
    let state = ReferenceDigest(number: 5)
    // One version in the middle was not made from the one before: the line does not lead beyond.
    let gap = 700
    let versions = try versions(900, gap: gap, using: &random)
    try index.write(versions, at: state)
    func find(_ wanted: ListedPlace.Wanted) throws -> ListedVersion? {
      try index.version(at: ListedPlace(head: versions[0].id, wanted: wanted), state: state)
    }
    func expected(_ wanted: ListedPlace.Wanted) -> ListedVersion? {
      let place: Int? =
        switch wanted {
        case .steps(let count): count < versions.count ? count : nil
        case .date(let date): versions.firstIndex { Date(milliseconds: $0.date) <= date }
        case .identifier: nil
        }
      return place.flatMap { $0 <= gap ? versions[$0] : nil }
    }
    let places =
      (0...10).map(ListedPlace.Wanted.steps)
      + stride(from: 11, through: 901, by: 13).flatMap { number -> [ListedPlace.Wanted] in
        let date = Date(milliseconds: versions[min(number, 899)].date)
        return [.steps(number), .date(date), .date(date.addingTimeInterval(-0.001))]
      }
    for place in places { #expect(try find(place) == expected(place)) }
    #expect(try find(.identifier(Array("\(versions[600].id)".utf8))) == versions[600])
    #expect(
      try index.version(
        at: ListedPlace(head: versions[1].id, wanted: .steps(1)), state: state) == nil)

    let sound = try Data(contentsOf: folder.url.appending(path: "version-index"))
    for _ in 0..<20 {
      var bytes = sound
      let start = Int.random(in: bytes.indices, using: &random)
      for place in start..<min(bytes.count, start + 3_000) {
        bytes[place] = UInt8.random(in: 0...255, using: &random)
      }
      try bytes.write(to: folder.url.appending(path: "version-index"))
      for place in places {
        let found = try find(place)
        #expect(found == nil || found == expected(place))
      }
    }
  }

  /// A list of versions with notes of any length, by people who take turns.
  private func versions(
    _ count: Int, gap: Int, using random: inout SeededGenerator
  ) throws -> [ListedVersion] {
    var date: Int64 = 1_700_000_000_000
    var versions: [ListedVersion] = []
    var names = ListedVersion.Names(path: "a.md", author: "Mira", device: "desk")
    for number in 0..<count {
      // Some within the same millisecond.
      date += Int64.random(in: 0...2, using: &random) * 60_000
      if Int.random(in: 0..<40, using: &random) == 0 { names.author = "author \(number)" }
      let note = String(repeating: "x", count: Int.random(in: 0...6_000, using: &random))
      let isShort = Int.random(in: 0..<20, using: &random) > 0
      let former = versions.last.map { [$0.id] } ?? []
      versions.append(
        ListedVersion(
          id: try #require(ObjectID(hexadecimal: String(format: "%040x", number + 1))),
          parents: count - number - 1 == gap ? [] : former, content: nil, kind: .save,
          names: names, note: isShort ? nil : note, date: date, modified: date, bytes: number,
          files: 1, flags: []))
    }
    return versions.reversed()
  }

  @Test("A reader takes no lock from others, and leaves temporary files of a killed process")
  func lockStays() throws {
    let desk = try Device()
    for number in 1...20 { try desk.save("text \(number)", as: "a.md") }
    let index = try desk.index(of: "a.md")
    let lock = URL(filePath: index).deletingLastPathComponent().appending(path: "lock")
    try Data("pid 1".utf8).write(to: lock)
    try FileManager.default.removeItem(atPath: index)
    #expect(try desk.history("a.md").versions.count == 20)
    #expect(try !Data(contentsOf: lock).isEmpty)
    #expect(FileManager.default.fileExists(atPath: index))
    // Another process is at work.
    let held = try FileLock(FilePath(lock.path))
    try FileManager.default.removeItem(atPath: index)
    #expect(try desk.history("a.md").versions.count == 20)
    #expect(!FileManager.default.fileExists(atPath: index))
    held.release()
  }
}

extension Device {
  /// Where the document's index is.
  fileprivate func index(of name: String) throws -> String {
    try DocumentLocation(of: self[name]).store.appending("version-index").string
  }

  fileprivate func indexSize(of name: String) throws -> Int {
    try FileStatus.of(FilePath(index(of: name)))?.size ?? 0
  }
}
