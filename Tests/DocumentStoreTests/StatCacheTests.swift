import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentFiles
@testable import DocumentStore

@Suite("Saving what changed since the last time")
struct StatCacheTests {
  private let fileClock = MovableFileClock()

  /// Many members in two folders, and one at the top.
  private func makePackage(_ desk: Device) throws -> URL {
    for number in 0..<20 {
      try desk.write("member \(number)\n", to: "Trip.imagenotes/pages \(number % 2)/\(number).txt")
    }
    try desk.write("top\n", to: "Trip.imagenotes/index.txt")
    return desk["Trip.imagenotes"]
  }

  /// Saves, and notes the files as if they had been left alone for as long as that takes.
  @discardableResult
  private func save(
    _ desk: Device, _ document: URL, leastAge: Int64 = 15_000_000
  ) throws -> FileVersion {
    try leaveAlone(desk)
    let version = try desk.store.save(document).version
    try FileManager.default.removeItem(atPath: cache(of: document).string)
    try desk.store.environment.withWriter(of: DocumentLocation(of: document)) { writer in
      let copy = try #require(try writer.reader.document.copy())
      try copy.recordMembers(in: writer.location.store, leastAge: leastAge)
    }
    return version
  }

  /// Leaves the files alone for longer than a step of the file system's clock.
  private func leaveAlone(_ desk: Device) throws {
    #expect(try waitForLaterTimes(in: desk.scratch.url))
    fileClock.advance(bySeconds: 0.025)
  }

  /// Returns the number of files that a save would read.
  private func filesToRead(_ desk: Device, _ document: URL) throws -> Int {
    try desk.store.environment.reading(document) {
      try #require(try $0.document.copy()).readFiles
    }
  }

  private func cache(of document: URL) throws -> FilePath {
    StatCache.path(in: try DocumentLocation(of: document).store)
  }

  @Test("Only members that changed are read, and the version holds all of them")
  func onlyChangedMembers() throws {
    let desk = try Device(fileClock: fileClock)
    let package = try makePackage(desk)
    try save(desk, package)
    #expect(try filesToRead(desk, package) == 0)
    try desk.write("changed\n", to: "Trip.imagenotes/pages 0/4.txt")
    try desk.write("added\n", to: "Trip.imagenotes/pages 1/new.txt")
    try FileManager.default.removeItem(at: package.appending(path: "pages 0/6.txt"))
    #expect(try filesToRead(desk, package) == 2)
    let version = try save(desk, package)
    #expect(version.fileCount == 21)
    #expect(try version.contents(ofMember: "pages 0/4.txt") == Data("changed\n".utf8))
    #expect(try version.contents(ofMember: "pages 0/8.txt") == Data("member 8\n".utf8))
    #expect(try filesToRead(desk, package) == 0)
    try desk.expectSound()
  }

  @Test("What was just written is read again, where its next change might not show")
  func young() throws {
    let fileClock = MovableFileClock(standingAt: FileClock.system.now)
    let desk = try Device(fileClock: fileClock)
    let package = try makePackage(desk)
    try save(desk, package, leastAge: Freshness.leastAge)
    #expect(try filesToRead(desk, package) == 21)
    fileClock.advance(bySeconds: 3_600)
    try save(desk, package, leastAge: Freshness.leastAge)
    #expect(try filesToRead(desk, package) == 0)
  }

  #if os(Linux)
  @Test("Of a file system in memory each change is known to show, where the system stamps it")
  func stamps() throws {
    let memory = FilePath("/dev/shm")
    guard try FileStatus.of(memory)?.kind == .folder else { return }
    let system = ProcessInfo.processInfo.operatingSystemVersion
    let isNew = (system.majorVersion, system.minorVersion) >= (6, 13)
    #expect(try Folder.stampsEachChange(memory) == isNew)
  }
  #endif

  @Test("Of two changes at the same moment the second one is seen, too")
  func atOnce() throws {
    let desk = try Device(fileClock: fileClock)
    let package = try makePackage(desk)
    let isShown = try Folder.stampsEachChange(FilePath(package.path))
    let file = try #require(FileHandle(forUpdatingAtPath: desk["Trip.imagenotes/index.txt"].path))
    for number in 0..<200 {
      try file.seek(toOffset: 0)
      try file.write(contentsOf: Data("\(100 + number)".utf8))
      #expect(try desk.store.save(package).isNew)
      if isShown { #expect(try filesToRead(desk, package) == 0) }
    }
  }

  @Test("Members that were saved because they were named as changed are known, too")
  func namedChange() throws {
    let desk = try Device(fileClock: fileClock)
    let package = try makePackage(desk)
    try save(desk, package)
    try desk.write("changed\n", to: "Trip.imagenotes/pages 0/4.txt")
    try desk.write("new\n", to: "Trip.imagenotes/other/new.txt")
    try leaveAlone(desk)
    try desk.store.save(package, changed: ["pages 0/4.txt", "other"])
    let isShown = try Folder.stampsEachChange(FilePath(package.path))
    #expect(try filesToRead(desk, package) == (isShown ? 0 : 2))
    #expect(try !desk.store.save(package).isNew)
    try desk.write("CHANGED\n", to: "Trip.imagenotes/pages 0/4.txt")
    #expect(try filesToRead(desk, package) >= 1)
    let version = try desk.store.save(package).version
    #expect(try membersOnDisk(package) == members(of: version, desk))
  }

  @Test("A package that was put in its place is known, and so is each change of it since")
  func restored() throws {
    let desk = try Device(fileClock: fileClock)
    let package = try makePackage(desk)
    try FileManager.default.createSymbolicLink(
      atPath: desk["Trip.imagenotes/link"].path, withDestinationPath: "index.txt")
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: desk["Trip.imagenotes/pages 0/2.txt"].path)
    let first = try save(desk, package)
    for number in 0..<20 {
      try desk.write("other \(number)\n", to: "Trip.imagenotes/pages \(number % 2)/\(number).txt")
    }
    try save(desk, package)
    try desk.store.restore(first)
    let isShown = try Folder.stampsEachChange(FilePath(package.path))
    // The one that did not differ has a new name, and so a new status.
    #expect(try filesToRead(desk, package) == (isShown ? 1 : 21))
    #expect(try !desk.store.save(package).isNew)
    try desk.write("MEMBER 4\n", to: "Trip.imagenotes/pages 0/4.txt")
    try FileManager.default.moveItem(
      at: package.appending(path: "pages 1/3.txt"), to: package.appending(path: "pages 0/3.txt"))
    let version = try desk.store.save(package).version
    #expect(try version.contents(ofMember: "pages 0/4.txt") == Data("MEMBER 4\n".utf8))
    let members = try members(of: version, desk)
    #expect(try membersOnDisk(package) == members.filter { $0.key != "link" })
    #expect(members["link"] == "link index.txt")
    try desk.expectSound()
  }

  @Test("A package with edits that were not saved is restored, and the edits are a version")
  func restoredOverEdits() throws {
    let desk = try Device(fileClock: fileClock)
    let package = try makePackage(desk)
    let first = try save(desk, package)
    try desk.write("second\n", to: "Trip.imagenotes/index.txt")
    try save(desk, package)
    try desk.write("edited\n", to: "Trip.imagenotes/pages 0/4.txt")
    try desk.write("new\n", to: "Trip.imagenotes/other/new.txt")
    let edited = try membersOnDisk(package)
    let outcome = try desk.store.restore(first)
    let kept = try #require(outcome.keptEdits)
    #expect(try members(of: kept, desk) == edited)
    #expect(try membersOnDisk(package) == members(of: first, desk))
    #expect(try !desk.store.save(package).isNew)
    try desk.expectSound()
  }

  @Test("A folder that was renamed, moved or touched is known, with what it holds")
  func movedFolder() throws {
    let desk = try Device(fileClock: fileClock)
    let package = try makePackage(desk)
    try save(desk, package)
    let files = FileManager.default
    try desk.write("new\n", to: "Trip.imagenotes/other/new.txt")
    try files.moveItem(
      at: desk["Trip.imagenotes/pages 0"], to: desk["Trip.imagenotes/other/pages"])
    #expect(try filesToRead(desk, package) == 1)
    let version = try save(desk, package)
    #expect(try version.contents(ofMember: "other/pages/8.txt") == Data("member 8\n".utf8))
    #expect(try membersOnDisk(package) == members(of: version, desk))
  }

  @Test("It grows by what changed, and is written anew before most of it is old")
  func growth() throws {
    let desk = try Device(fileClock: fileClock)
    for number in 0..<400 {
      try desk.write("\(number)", to: "P.notes/\(number / 20)/member \(number).txt")
    }
    let package = desk["P.notes"]
    try save(desk, package)
    func size() throws -> Int { try #require(try FileStatus.of(cache(of: package))).size }
    let first = try size()
    var sizes: [Int] = []
    for number in 0..<60 {
      fileClock.advance(bySeconds: 0.012)
      try desk.write("new \(number)", to: "P.notes/\(number % 20)/member \(number % 20 * 20).txt")
      try desk.store.save(package)
      try sizes.append(size())
    }
    #expect(sizes[0] > first)
    #expect(sizes[0] < first * 3 / 2)
    #expect(try #require(sizes.max()) < 3 * first + 100_000)
    #expect(zip(sizes, sizes.dropFirst()).contains { $0 > $1 })
    #expect(try membersOnDisk(package) == members(of: desk.store.save(package).version, desk))
  }

  @Test("A change that keeps size and time of modification is seen")
  func sameSizeAndTime() throws {
    let desk = try Device(fileClock: fileClock)
    let package = try makePackage(desk)
    try save(desk, package)
    let member = package.appending(path: "index.txt").path
    let before = try FileManager.default.attributesOfItem(atPath: member)[.modificationDate]
    let file = try #require(FileHandle(forWritingAtPath: member))
    try file.write(contentsOf: Data("TOP\n".utf8))
    try file.close()
    try FileManager.default.setAttributes(
      [.modificationDate: try #require(before as? Date)], ofItemAtPath: member)
    #expect(try desk.store.state(of: package) == .edited)
    let version = try save(desk, package)
    #expect(try version.contents(ofMember: "index.txt") == Data("TOP\n".utf8))
  }

  @Test("Members that change places are distinguished")
  func swappedMembers() throws {
    let desk = try Device(fileClock: fileClock)
    let package = try makePackage(desk)
    try save(desk, package)
    let (first, second) = (package.appending(path: "pages 0/0.txt"), package.appending(path: "x"))
    let third = package.appending(path: "pages 1/1.txt")
    for (from, to) in [(first, second), (third, first), (second, third)] {
      try FileManager.default.moveItem(at: from, to: to)
    }
    let version = try save(desk, package)
    #expect(try version.contents(ofMember: "pages 0/0.txt") == Data("member 1\n".utf8))
    #expect(try version.contents(ofMember: "pages 1/1.txt") == Data("member 0\n".utf8))
  }

  @Test("A cache that is damaged, cut short or another store’s is passed over", arguments: 0..<5)
  func damaged(way: Int) throws {
    let desk = try Device(fileClock: fileClock)
    let package = try makePackage(desk)
    try save(desk, package)
    let path = try cache(of: package)
    var bytes = try #require(try SmallFile.read(path))
    switch way {
    case 0: bytes[200] ^= 1
    case 1: bytes.removeLast(100)
    case 2: bytes = []
    case 3: bytes = Array(repeating: 0, count: bytes.count)
    default:
      // One that stands for another version of the same document.
      try desk.write("changed\n", to: "Trip.imagenotes/index.txt")
      try desk.store.save(package)
    }
    try SmallFile.replaceCache(path, bytes)
    // Of the first kind only one folder is damaged.
    let read = try filesToRead(desk, package)
    #expect(way == 0 ? [1, 10, 11].contains(read) : read == 21)
    try desk.write("changed again\n", to: "Trip.imagenotes/index.txt")
    let version = try desk.store.save(package).version
    #expect(try version.contents(ofMember: "pages 0/8.txt") == Data("member 8\n".utf8))
    #expect(try desk.store.verify(package).isWhole)
  }

  @Test("A folder in the cache’s place does not prevent saving")
  func folderInItsPlace() throws {
    let desk = try Device(fileClock: fileClock)
    let package = try makePackage(desk)
    try desk.store.save(package)
    let path = try cache(of: package)
    try Folder.removeTree(path)
    try Folder.create(path)
    try desk.write("changed\n", to: "Trip.imagenotes/index.txt")
    #expect(try desk.store.save(package).isNew)
  }

  @Test("A large file that was not touched is not read again")
  func largeFile() throws {
    let desk = try Device(fileClock: fileClock)
    let document = try desk.write(String(repeating: "line\n", count: 400_000), to: "large.txt")
    try save(desk, document)
    #expect(try filesToRead(desk, document) == 0)
    #expect(try desk.store.state(of: document) == .unchanged)
    try desk.write(String(repeating: "LINE\n", count: 400_000), to: "large.txt")
    #expect(try desk.store.state(of: document) == .edited)
  }

  @Test("Whatever is done to a package, a version holds what was there", arguments: [1, 2, 3, 4])
  func randomEdits(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let desk = try Device(fileClock: fileClock)
    let package = try makePackage(desk)
    try save(desk, package)
    for step in 0..<25 {
      for _ in 0..<Int.random(in: 0...3, using: &random) {
        try edit(package, step: step, &random)
      }
      let version = try save(desk, package)
      #expect(try membersOnDisk(package) == members(of: version, desk))
      if step % 8 == 7,
        let old = try desk.history("Trip.imagenotes").versions.randomElement(using: &random)
      {
        try desk.store.restore(old)
        #expect(try membersOnDisk(package) == members(of: old, desk))
      }
    }
    #expect(try desk.store.verify(package).isWhole)
    try desk.expectSound()
  }

  private func edit(
    _ package: URL, step: Int, _ random: inout SeededGenerator
  ) throws {
    let manager = FileManager.default
    let members = try membersOnDisk(package).keys.sorted()
    guard let member = members.randomElement(using: &random) else { return }
    let path = package.appending(path: member)
    switch Int.random(in: 0..<6, using: &random) {
    case 0: try Data("new \(step)".utf8).write(to: package.appending(path: "new \(step)"))
    case 1 where members.count > 5: try manager.removeItem(at: path)
    case 2:
      // Of the same size, in place.
      var bytes = try Data(contentsOf: path)
      if !bytes.isEmpty { bytes[0] ^= 1 }
      let file = try FileHandle(forWritingTo: path)
      try file.write(contentsOf: bytes)
      try file.close()
    case 3:
      try manager.moveItem(at: path, to: package.appending(path: "moved \(step) \(random.next())"))
    case 4: try manager.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path.path)
    default: try Data("text \(step)".utf8).write(to: path)
    }
  }

  /// Bytes and mode of each file on disk.
  private func membersOnDisk(_ package: URL) throws -> [String: String] {
    var found: [String: String] = [:]
    for name in try FileManager.default.subpathsOfDirectory(atPath: package.path) {
      let path = package.appending(path: name).path
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      guard attributes[.type] as? FileAttributeType == .typeRegular else { continue }
      let isExecutable = (attributes[.posixPermissions] as? Int ?? 0) & 0o100 != 0
      let text = String(decoding: try Data(contentsOf: URL(filePath: path)), as: UTF8.self)
      found[name] = (isExecutable ? "executable " : "file ") + text
    }
    return found
  }

  private func members(of version: FileVersion, _ desk: Device) throws -> [String: String] {
    var found: [String: String] = [:]
    for member in try desk.store.members(of: version) where member.kind != "folder" {
      let bytes = try desk.store.contents(of: version, member: member.path)
      found[member.path] = "\(member.kind) " + String(decoding: bytes, as: UTF8.self)
    }
    return found
  }
}
