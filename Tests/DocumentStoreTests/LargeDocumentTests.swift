import DocumentFiles
import DocumentGit
import DocumentTestSupport
import DocumentWorld
import Foundation
import SystemPackage
import Testing

@testable import DocumentStore
import DocumentSync

@Suite("Large documents")
struct LargeDocumentTests {
  /// Returns bytes that don't repeat.
  private func bytes(_ count: Int, seed: Int = 1) -> [UInt8] {
    var generator = SeededGenerator(seed: seed)
    return generator.bytes(count)
  }

  private func save(_ bytes: [UInt8], in desk: Device, as name: String = "a.mov") throws
    -> FileVersion
  {
    desk.clock.advance(bySeconds: 60)
    try Data(bytes).write(to: desk[name])
    return try desk.store.save(desk[name]).version
  }

  private func sizeOfStore(_ desk: Device) throws -> Int {
    let store = desk[".docversions/documents/a.mov.git"]
    let files = FileManager.default.enumerator(
      at: store, includingPropertiesForKeys: [.fileSizeKey])
    return try (files?.compactMap { $0 as? URL } ?? []).reduce(0) {
      $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
    }
  }

  private func chunkFolders(_ desk: Device) throws -> [String] {
    let git = try Command.run(
      "git", ["-c", "safe.directory=*", "ls-tree", "--name-only", "main"],
      in: desk[".docversions/documents/a.mov.git"])
    return git.output.split(separator: "\n").map(String.init)
  }

  @Test("Chunks that were known are stored again where the store has lost them")
  func lostChunks() throws {
    let desk = try Device()
    let first = bytes(3 * ChunkedFile.threshold)
    let lost = try save(first, in: desk)
    _ = try save(bytes(3 * ChunkedFile.threshold, seed: 2), in: desk)
    try desk.store.remove([lost], of: desk["a.mov"])
    desk.clock.advance(bySeconds: 100 * 86_400)
    _ = try desk.store.collect(desk["a.mov"], grace: .zero)
    let location = try DocumentLocation(of: desk["a.mov"])
    var known = CachedChunks(in: location.store)
    let chunk = first[..<Chunker.firstCut(in: first[...])]
    let seen = known.see(ContentDigest(of: chunk))
    let id = try #require(seen)
    #expect(id == ObjectID(of: .blob, Array(chunk)))
    let isStored = try desk.store.environment.reading(desk["a.mov"]) {
      try $0.objects.repository.contains(id)
    }
    #expect(!isStored)
    let again = try save(first, in: desk)
    #expect(try again.contents() == Data(first))
    try desk.expectSound()
  }

  @Test(
    "Chunks are known only from a sound cache",
    arguments: ["sound", "gone", "cut", "bits", "other"])
  func cachedChunks(kind: String) throws {
    let desk = try Device()
    var bytes = bytes(3 * ChunkedFile.threshold)
    _ = try save(bytes, in: desk)
    let location = try DocumentLocation(of: desk["a.mov"])
    let file = URL(filePath: location.store.string + "/known-chunks")
    var noted = try Data(contentsOf: file)
    switch kind {
    case "gone": try FileManager.default.removeItem(at: file)
    case "cut": try noted.dropLast(60).write(to: file)
    case "bits":
      noted[noted.count / 2] ^= 4
      try noted.write(to: file)
    case "other": try Data("docversions known chunks 2\n".utf8).write(to: file)
    default: break
    }
    var known = CachedChunks(in: location.store)
    let digest = ContentDigest(of: bytes[..<Chunker.firstCut(in: bytes[...])])
    let isKnown = known.see(digest) != nil
    #expect(isKnown == (kind == "sound"))
    bytes[2_000_000] ^= 1
    #expect(try save(bytes, in: desk).contents() == Data(bytes))
    // Noted anew: what the document has, and what it had.
    known = CachedChunks(in: location.store)
    let isRecorded = known.see(digest) != nil
    #expect(isRecorded)
    try desk.expectSound()
  }

  @Test(
    "A file comes back as it was, whatever its size",
    arguments: [
      0, 1, ChunkedFile.threshold, ChunkedFile.threshold + 1, 3 * ChunkedFile.threshold + 12_345,
    ])
  func roundTrip(size: Int) throws {
    let desk = try Device()
    let bytes = bytes(size)
    let version = try save(bytes, in: desk)
    #expect(version.size == size)
    let isChunked = size > ChunkedFile.threshold
    #expect(try chunkFolders(desk) == [isChunked ? ".docversions-chunks-a.mov" : "a.mov"])
    #expect(try desk.store.state(of: desk["a.mov"]) == .unchanged)
    #expect(try !desk.store.save(desk["a.mov"]).isNew)
    try desk.save("other", as: "a.mov")
    #expect(try version.contents() == Data(bytes))
    try desk.store.restore(version)
    #expect(try Data(contentsOf: desk["a.mov"]) == Data(bytes))
    try desk.store.export(version, to: desk["out.mov"])
    #expect(try Data(contentsOf: desk["out.mov"]) == Data(bytes))
    try desk.expectSound()
  }

  @Test("The digest is that of the whole file")
  func digest() throws {
    let desk = try Device()
    try Data(bytes(2_500_000)).write(to: desk["a.mov"])
    let copy = try WorkingCopy.read(FilePath(desk["a.mov"].path), named: "a.mov", clock: .system)
    let sum = try Command.run("sha256sum", [desk["a.mov"].path]).output
    #expect(sum.hasPrefix(copy.content.digest))
  }

  @Test("A package keeps large members, their permission to run, and names like our own")
  func package() throws {
    let desk = try Device()
    let names = [
      "film.mov", ".docversions-chunks-film.mov", ".docversions-name-x", ".docversions-later",
      ".gitmodules",
    ]
    for (number, name) in names.enumerated() {
      try desk.write("small", to: "P.pack/inner/\(name)")
      try Data(bytes(1_200_000, seed: number)).write(to: desk["P.pack/\(name)"])
    }
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o755], ofItemAtPath: desk["P.pack/film.mov"].path)
    let version = try desk.store.save(desk["P.pack"]).version
    let members = try desk.store.members(of: version)
    #expect(
      members.filter { $0.kind == "executable" }.map(\.path) == ["film.mov"])
    #expect(members.filter { $0.bytes == 1_200_000 }.map(\.path).sorted() == names.sorted())
    #expect(members.count == 11)
    try FileManager.default.removeItem(at: desk["P.pack"])
    try desk.store.restore(version)
    #expect(try desk.store.state(of: desk["P.pack"]) == .unchanged)
    for (number, name) in names.enumerated() {
      #expect(
        try version.contents(ofMember: name) == Data(bytes(1_200_000, seed: number)))
      #expect(try desk.read("P.pack/inner/\(name)") == "small")
    }
    #expect(FileManager.default.isExecutableFile(atPath: desk["P.pack/film.mov"].path))
    try desk.expectSound()
  }

  @Test("One percent changed in ten places stores about one percent")
  func tenPlaces() throws {
    let desk = try Device()
    var contents = bytes(24 << 20)
    _ = try save(contents, in: desk)
    let before = try sizeOfStore(desk)
    for place in 0..<10 {
      let start = place * (2 << 20) + 77_777
      contents.replaceSubrange(start..<start + 25_000, with: bytes(25_000, seed: place + 10))
    }
    let version = try save(contents, in: desk)
    // The changed bytes, and at each place the chunks in which the change began and ended.
    let growth = try sizeOfStore(desk) - before
    #expect(growth < 250_000 + 10 * 2 * Chunker.longest, "\(growth)")
    #expect(try version.contents() == Data(contents))
  }

  @Test("What is put in at the front stores about itself")
  func front() throws {
    let desk = try Device()
    let contents = bytes(24 << 20)
    _ = try save(contents, in: desk)
    let before = try sizeOfStore(desk)
    let version = try save(bytes(250_000, seed: 2) + contents, in: desk)
    #expect(try sizeOfStore(desk) - before < 400_000)
    #expect(version.size == 250_000 + 24 << 20)
  }

  @Test("Devices exchange large documents")
  func exchange() throws {
    let scratch = try ScratchFolder()
    let (mira, tom) = try Device.pair(in: scratch)
    var contents = bytes(3 << 20)
    _ = try save(contents, in: mira)
    try mira.store.exchange(mira.container, through: scratch["exchange"])
    try tom.store.exchange(tom.container, through: scratch["exchange"])
    #expect(try Data(contentsOf: tom["a.mov"]) == Data(contents))
    contents[1_000_000] ^= 1
    _ = try save(contents, in: tom)
    try tom.store.exchange(tom.container, through: scratch["exchange"])
    try mira.store.exchange(mira.container, through: scratch["exchange"])
    #expect(try Data(contentsOf: mira["a.mov"]) == Data(contents))
    for desk in [mira, tom] { try desk.expectSound() }
    #expect(try GitCheck.problems(inStore: scratch["exchange"]).isEmpty)
  }

  @Test("A file that changes after it was read is not stored torn")
  func changedBeforeWriting() throws {
    let desk = try Device()
    try Data(bytes(2_000_000)).write(to: desk["a.mov"])
    let copy = try WorkingCopy.read(FilePath(desk["a.mov"].path), named: "a.mov", clock: .system)
    let chunk = try #require(copy.objects.first { $0.kind == .blob })
    #expect(try chunk.bytes().count == chunk.size)
    let file = try FileHandle(forWritingTo: desk["a.mov"])
    try file.write(contentsOf: Data(repeating: 0, count: 2_000_000))
    #expect(throws: (any Error).self) { try chunk.bytes() }
  }

  // MARK: Stopping

  /// Returns a progress that cancels itself when an amount is done.
  private func progress(endingAt end: Int64) -> OperationProgress {
    OperationProgress { if $0.completedUnitCount >= end { $0.cancel() } }
  }

  @Test("Progress is reported in bytes")
  func progress() throws {
    var desk = try Device()
    try Data(bytes(5_000_000)).write(to: desk["a.mov"])
    let progress = OperationProgress()
    desk.store.progress = progress
    try desk.store.save(desk["a.mov"])
    #expect(progress.completedUnitCount >= 5_000_000)
    #expect(progress.completedUnitCount == progress.totalUnitCount)
  }

  @Test("A cancelled first save leaves nothing")
  func cancelledSave() throws {
    var desk = try Device()
    try Data(bytes(5_000_000)).write(to: desk["a.mov"])
    let progress = OperationProgress()
    progress.cancel()
    desk.store.progress = progress
    #expect(throws: CancellationError.self) { try desk.store.save(desk["a.mov"]) }
    #expect(try FileManager.default.contentsOfDirectory(atPath: desk.container.path) == ["a.mov"])
  }

  @Test("A cancelled restore leaves the document as it was", arguments: ["a.mov", "P.pack/film"])
  func cancelledRestore(name: String) throws {
    var desk = try Device()
    let document = desk[name.split(separator: "/").map(String.init)[0]]
    try desk.write("", to: name)
    try Data(bytes(3_000_000)).write(to: desk[name])
    let first = try desk.store.save(document).version
    let second = bytes(3_000_000, seed: 2)
    try Data(second).write(to: desk[name])
    try desk.store.save(document)
    let versions = try desk.store.history(of: document).versions.map(\.id)
    // After it was read, and before it is written as a whole.
    desk.store.progress = progress(endingAt: 4_000_000)
    #expect(throws: CancellationError.self) { try desk.store.restore(first) }
    #expect(try Data(contentsOf: desk[name]) == Data(second))
    #expect(try desk.store.history(of: document).versions.map(\.id) == versions)
    let names = try FileManager.default.contentsOfDirectory(atPath: desk.container.path)
    #expect(names.sorted() == [".docversions", document.lastPathComponent])
    desk.store.progress = nil
    try desk.store.restore(first)
    #expect(try Data(contentsOf: desk[name]) == Data(bytes(3_000_000)))
    try desk.expectSound()
  }

  @Test("A cancelled task ends what it waits for")
  func cancelledTask() async throws {
    let desk = try Device()
    let store = desk.store
    let task = Task {
      try await store.perform { store in
        #expect(eventually { store.progress?.isCancelled == true })
        try ProgressMeter(store.progress).advance(1)
      }
    }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
  }
}
