import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentFiles

@Suite("Reading documents")
struct ReaderTests {
  @Test(
    "What is no document is refused by name, at once",
    arguments: ["FIFO", "socket", "device", "link", "broken link"], [false, true])
  func specialFiles(kind: String, isMember: Bool) throws {
    let place = try Place()
    let name = isMember ? "P.pack/it" : "it"
    if isMember { try place.write("x", to: "P.pack/a") }
    switch kind {
    case "FIFO": try #require(mkfifo(place[name].string, 0o600) == 0)
    case "socket": try #require(mknod(place[name].string, S_IFSOCK | 0o600, 0) == 0)
    case "device":
      // The one device that needs no rights to have.
      guard !isMember else { return }
    case "link":
      guard !isMember else { return }
      try place.write("x", to: "target")
      try place.makeLink(name, to: "target")
    default:
      guard !isMember else { return }
      try place.makeLink(name, to: "nowhere")
    }
    let path = kind == "device" ? "/dev/null" : place[isMember ? "P.pack" : "it"]
    let (error, time) = measured {
      expectFileError(.unsupportedKind) { _ = try DocumentReader.read(path) { Lister() } }
    }
    #expect(time < .milliseconds(100))
    #expect(error?.path == (kind == "device" ? "/dev/null" : place[name].string))
  }

  @Test("A document that is not there is not found, also below a file", arguments: ["none", "a/b"])
  func missing(name: String) throws {
    let place = try Place()
    try place.write("x", to: "a")
    expectFileError(.notFound) { _ = try DocumentReader.read(place[name]) { Lister() } }
    expectFileError(.notFound) { _ = try ItemListing(place[name], limits: nil) }
  }

  @Test("A file of a terabyte is refused before it is read")
  func sparse() throws {
    let place = try Place()
    try place.write("", to: "a")
    try FileHandle(forWritingTo: place.scratch["a"]).truncate(atOffset: 1 << 40)
    let (_, time) = measured {
      expectFileError(.tooLarge) { _ = try DocumentReader.read(place["a"]) { Lister() } }
    }
    #expect(time < .seconds(1))
  }

  @Test("What is refused is refused before anything is read", arguments: ["FIFO", "more bytes"])
  func refusedFirst(what: String) throws {
    let place = try Place()
    for name in ["a", "b", "c", "d", "e"] {
      try place.write("", to: "P.pack/" + name)
      try FileHandle(forWritingTo: place.scratch["P.pack/" + name]).truncate(atOffset: 2 << 30)
    }
    switch what {
    case "FIFO": try #require(mkfifo(place["P.pack/z"].string, 0o600) == 0)
    default: try place.write("x", to: "P.pack/z")
    }
    let (error, time) = measured {
      expectFileError(what == "FIFO" ? .unsupportedKind : .tooLarge) {
        _ = try DocumentReader.read(place["P.pack"]) { Lister() }
      }
    }
    #expect(time < .milliseconds(100))
    #expect(error?.path == place["P.pack/z"].string)
  }

  @Test(
    "Sizes that can't be added up are refused",
    .enabled(
      if: FileManager.default.isWritableFile(atPath: "/dev/shm"),
      "only a file system in memory takes such sizes"))
  func enormous() throws {
    let package = FilePath("/dev/shm/docversions-tests-\(UUID().uuidString)")
    try Folder.create(package)
    defer { #expect(throws: Never.self) { try Folder.removeTree(package) } }
    for (name, size) in [("a", 10), ("b", Int64.max - 4_095)] {
      try SmallFile.create(package.appending(name), [])
      try #require(truncate(package.appending(name).string, Int(size)) == 0)
    }
    expectFileError(.tooLarge) { _ = try DocumentReader.read(package) { Lister() } }
  }

  @Test("Each limit is held")
  func limits() throws {
    let place = try Place()
    for name in ["1", "2/3/4", "2/5"] { try place.write("12345", to: "P/" + name) }
    func read(_ change: (inout DocumentLimits) -> Void) throws {
      var limits = DocumentLimits()
      change(&limits)
      _ = try DocumentReader.read(place["P"], limits: limits) { Lister() }
    }
    expectFileError(.tooLarge) { try read { $0.fileSize = 4 } }
    expectFileError(.tooLarge) { try read { $0.totalSize = 14 } }
    expectFileError(.tooLarge) { try read { $0.members = 5 } }
    expectFileError(.tooLarge) { try read { $0.depth = 2 } }
    try read {
      ($0.fileSize, $0.totalSize, $0.members, $0.depth) = (5, 15, 6, 3)
    }
  }

  @Test("Folders deep inside one another are read on any thread")
  func deep() async throws {
    let place = try Place()
    let folders = Array(repeating: "d", count: 200).joined(separator: "/")
    try #require(Command.run("mkdir", ["-p", place["P"].string + "/" + folders]).exitCode == 0)
    let count = try await withCheckedThrowingContinuation { continuation in
      DispatchQueue.global().async {
        continuation.resume(
          with: Result { try DocumentReader.read(place["P"]) { Counter() }.node })
      }
    }
    #expect(count == 201)
  }

  private struct Counter: DocumentVisitor {
    func file(_ contents: FileContents, isExecutable: Bool) -> Int { 1 }
    func symbolicLink(target: [UInt8]) -> Int { 1 }
    func folder(_ members: [(name: [UInt8], node: Int)]) -> Int {
      members.reduce(1) { $0 + $1.node }
    }
  }

  @Test("The facts are those of all members")
  func facts() throws {
    let place = try Place()
    try place.write("12345", to: "P/1")
    try place.write("123", to: "P/2/3", permissions: 0o755)
    try place.makeLink("P/link", to: "1")
    let (_, lines, facts) = try DocumentReader.read(place["P"]) { Lister() }
    #expect(
      lines == [
        "folder", "1: file 12345", "2: folder", "2: 3: program 123", "link: link 1",
      ])
    #expect(facts.bytes == 8)
    #expect(facts.files == 3)
    #expect(facts.isPackage)
    #expect(try facts.modified >= place.status(of: "P/2/3").modified)
    #expect(try facts.isSameContent(as: ItemListing(place["P"], limits: nil)))
    try place.write("12346", to: "P/1")
    #expect(try !facts.isSameContent(as: ItemListing(place["P"], limits: nil)))
  }

  @Test("A file that is longer than it says is not taken for empty")
  func sizeZero() throws {
    let status: FilePath = "/proc/self/status"
    guard try FileStatus.of(status)?.size == 0 else { return }
    expectFileError(.changing) { _ = try DocumentReader.read(status) { Lister() } }
  }
}

@Suite("Reading what changes meanwhile")
struct ChangingTests {
  @Test(
    "A change while it is read means another attempt, and three failures an error",
    arguments: Change.allCases, [1, 2, 3])
  func changing(change: Change, times: Int) throws {
    let place = try Place()
    try place.write("first", to: "P/a")
    try place.write("second", to: "P/b")
    var rest = times
    let lister = Lister { text in
      guard text.hasPrefix("second"), rest > 0 else { return }
      rest -= 1
      try change.make(in: place, number: times - rest)
    }
    if times < 3 {
      let lines = try DocumentReader.read(place["P"]) { lister }.node
      #expect(lines == (try DocumentReader.read(place["P"]) { Lister() }.node))
      #expect(rest == 0)
    } else {
      let error = expectFileError(.changing) {
        _ = try DocumentReader.read(place["P"]) { lister }
      }
      #expect(error?.message.contains("keeps changing") == true)
    }
  }

  /// A change by another process while the second file of a package is read.
  enum Change: CaseIterable {
    case addedBefore, addedAfter, renamed, foldersSwapped

    func make(in place: Place, number: Int) throws {
      switch self {
      case .addedBefore: try place.write("new", to: "P/Z\(number)")
      case .addedAfter: try place.write("new", to: "P/z\(number)")
      case .renamed:
        try DocumentWriter.move(place["P/a"], to: place["P/c"])
        try DocumentWriter.move(place["P/c"], to: place["P/a"])
      case .foldersSwapped:
        try place.write("first", to: "Q/a")
        try place.write("second", to: "Q/b")
        try Folder.removeTree(place["P"])
        try DocumentWriter.move(place["Q"], to: place["P"])
      }
    }
  }

  @Test("A file that another process keeps appending to is refused")
  func appending() throws {
    let place = try Place()
    try place.write("start\n", to: "log")
    let file = try FileHandle(forWritingTo: place.scratch["log"])
    try file.seekToEnd()
    let error = expectFileError(.changing) {
      _ = try DocumentReader.read(
        place["log"], progress: { _ in try file.write(contentsOf: Data("line\n".utf8)) }
      ) { Lister() }
    }
    #expect(error?.message.contains("log") == true)
    #expect(try DocumentReader.read(place["log"]) { Lister() }.node.count == 1)
  }

  @Test("A file that another process keeps rewriting in place is never read torn")
  func rewriting() throws {
    let place = try Place()
    let contents = ["a", "b"].map { Data(String(repeating: $0, count: 500_000).utf8) }
    try contents[0].write(to: place.scratch["a"])
    let file = try FileHandle(forWritingTo: place.scratch["a"])
    let writer = Meanwhile { turn in
      try file.seek(toOffset: 0)
      try file.write(contentsOf: contents[turn % 2])
      guard turn % 1_000 == 0 else { return }
      letPass(.milliseconds(30), because: "that is long enough for one attempt to read")
    }
    for _ in 0..<20 {
      letPass(.milliseconds(5), because: "each attempt to read meets the writer elsewhere")
      do {
        let bytes = try DocumentReader.read(place["a"]) { Bytes() }.node
        #expect(contents.contains(Data(bytes)))
      } catch let error as FileError {
        #expect(error.code == .changing)
      }
    }
    try writer.stop()
    #expect(try contents.contains(Data(DocumentReader.read(place["a"]) { Bytes() }.node)))
  }

  private struct Bytes: DocumentVisitor {
    func file(_ contents: FileContents, isExecutable: Bool) throws -> [UInt8] {
      try contents.read()
    }
    func symbolicLink(target: [UInt8]) -> [UInt8] { target }
    func folder(_ members: [(name: [UInt8], node: [UInt8])]) -> [UInt8] { [] }
  }
}
