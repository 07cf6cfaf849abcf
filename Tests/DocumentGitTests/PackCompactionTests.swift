import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentGit

@Suite("Compacting packs")
struct PackCompactionTests {
  private let store: Store

  init() throws {
    store = try Store()
  }

  /// Writes objects without similarities, each in a separate pack.
  private func writePacks(
    _ count: Int, size: Int = 1_000, seed: Int = 0, in repository: borrowing Repository
  ) throws -> [GitObject] {
    var random = SeededGenerator(seed: seed)
    return try (0..<count).map { _ in
      let object = GitObject(.blob, random.bytes(size..<size + 1))
      try repository.write([object])
      return object
    }
  }

  private func names(_ suffix: String) throws -> Set<String> {
    let names = try FileManager.default.contentsOfDirectory(atPath: store["objects/pack"].path)
    return Set(names.filter { $0.hasSuffix(suffix) })
  }

  private func isTemporary(_ name: String) throws -> Bool {
    let repository = try store.open()
    return repository.isTemporary(pack: name)
  }

  private func expectAll(_ objects: [GitObject]) throws {
    for object in objects { #expect(try store.open().read(object.id).bytes == object.bytes()) }
    try store.expectSound()
  }

  @Test("Until it ends nothing changes for others, and removing temporary files leaves its own")
  func beginning() throws {
    let repository = try store.open()
    let objects = try writePacks(20, in: repository)
    let before = try names("")
    let compaction = try #require(try PackCompaction(of: store.open()))
    #expect(try names("").isSuperset(of: before))
    let own = try names("-new")
    #expect(own.count == 2)
    try repository.removeTemporaryFiles()
    #expect(try names("-new") == own)
    for name in own { #expect(try !isTemporary(name)) }
    try compaction.finish(in: repository)
    #expect(try names(".pack").count == 2)
    #expect(try names("-new").isEmpty)
    try expectAll(objects)
  }

  @Test("What is saved meanwhile is kept")
  func savingMeanwhile() throws {
    let repository = try store.open()
    var objects = try writePacks(20, in: repository)
    let compaction = try #require(try PackCompaction(of: store.open()))
    objects += try writePacks(3, seed: 1, in: repository)
    try compaction.finish(in: repository)
    #expect(try names(".pack").count == 5)
    try expectAll(objects)
  }

  @Test("Of very many packs few stay open, and each can be read, also once they are compacted")
  func veryMany() throws {
    let objects = try writePacks(100, in: store.open())
    let reader = try store.open()
    for object in objects { #expect(try reader.read(object.id).bytes == object.bytes()) }
    #expect(reader.packs.known.count { $0.isHeld } == PackSet.mostHeld)
    try store.open().compactPacks()
    #expect(try names(".pack").count < 10)
    for object in objects { #expect(try reader.read(object.id).bytes == object.bytes()) }
    #expect(reader.packs.known.allSatisfy { $0.isHeld })
    try expectAll(objects)
  }

  @Test("A pack that a later one has taken over meanwhile is no hindrance")
  func takenOverMeanwhile() throws {
    let repository = try store.open()
    let objects = try writePacks(20, in: repository)
    let compaction = try #require(try PackCompaction(of: store.open()))
    var next = GitObject(.blob, try objects[7].bytes() + [1])
    next.likeness = objects[7].id
    try repository.write([next])
    #expect(try names(".pack").count == 20)
    try compaction.finish(in: repository)
    #expect(try names(".pack").count == 3)
    try expectAll(objects + [next])
  }

  @Test("What is removed meanwhile does not come back")
  func removalMeanwhile() throws {
    let repository = try store.open()
    let objects = try writePacks(20, in: repository)
    try {
      let compaction = try #require(try PackCompaction(of: store.open()))
      var plan = RepackPlan()
      plan.singles = objects.dropFirst().map(\.id)
      try store.open().repack(plan, keepingUnreachableFor: 0)
      try compaction.finish(in: repository)
    }()
    #expect(try names("-new").isEmpty)
    #expect(throws: GitError.self) { try store.open().read(objects[0].id) }
    try expectAll(Array(objects.dropFirst()))
  }

  @Test(
    "It can be stopped between any two entries, and leaves nothing", arguments: [0, 1, 18, 19, 37])
  func stopping(after entries: Int) throws {
    let objects = try writePacks(20, in: store.open())
    let before = try names("")
    var rest = entries
    #expect(throws: CancellationError.self) {
      _ = try PackCompaction(of: store.open()) {
        if rest == 0 { throw CancellationError() }
        rest -= 1
      }
    }
    #expect(try names("") == before)
    try expectAll(objects)
  }

  @Test(
    "What a killed process left is removed by the next one, and so is what is no file",
    arguments: ["file", "FIFO", "link"])
  func leftovers(kind: String) throws {
    let repository = try store.open()
    let objects = try writePacks(20, in: repository)
    let names = ["pack", "idx"].map { "docversions-1.\($0)-new" }
    for name in names {
      let place = store["objects/pack/\(name)"]
      switch kind {
      case "FIFO": #expect(mkfifo(place.path, 0o600) == 0)
      case "link": #expect(symlink("/etc/hostname", place.path) == 0)
      default: try Data("half".utf8).write(to: place)
      }
      #expect(try isTemporary(name))
    }
    try repository.removeTemporaryFiles()
    #expect(try self.names("-new").isEmpty)
    // The temporary files are gone, because another process may have named them in the meantime.
    for name in names { #expect(try !isTemporary(name)) }
    try expectAll(objects)
  }

  @Test("A folder in the place of a file that is written is a leftover")
  func folderAsLeftover() throws {
    let place = store["objects/pack/docversions-1.pack-new"]
    try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
    #expect(try isTemporary(place.lastPathComponent))
  }

  @Test("Packs with damage stay as they are; the others are compacted")
  func damage() throws {
    let repository = try store.open()
    let objects = try writePacks(24, in: repository)
    let damaged = try (0..<3).map { number in
      let pack = try #require(
        try PackSet(PackFolder(in: repository.folder)).knownPack(with: objects[number].id))
      let file = store["objects/pack/\(pack).pack"]
      var bytes = try Data(contentsOf: file)
      bytes[bytes.startIndex + 500] ^= 1
      try FileManager.default.removeItem(at: file)
      try bytes.write(to: file)
      return (file, bytes)
    }
    try store.open().compactPacks()
    #expect(try names(".pack").count == 4)
    for (file, bytes) in damaged { #expect(try Data(contentsOf: file) == bytes) }
    for object in objects.dropFirst(3) {
      #expect(try store.open().read(object.id).bytes == object.bytes())
    }
  }

  @Test("Each object is copied a few times, however many there are")
  func copies() throws {
    let repository = try store.open()
    var random = SeededGenerator(seed: 3)
    var objects: [GitObject] = []
    var copied = 0
    for _ in 0..<100 {
      let object = GitObject(.blob, random.bytes(10_000..<50_000))
      try repository.write([object])
      objects.append(object)
      if let compaction = try PackCompaction(of: repository) {
        let before = try names(".pack")
        try compaction.finish(in: repository)
        for name in try names(".pack").subtracting(before) {
          copied += try Data(contentsOf: store["objects/pack/\(name)"]).count
        }
      }
      #expect(try names(".pack").count <= 18)
    }
    let total = objects.reduce(0) { $0 + $1.size }
    #expect(copied > total / 2 && copied < 4 * total)
    try expectAll(objects)
  }
}

extension PackSet {
  /// The name of a pack that has an object.
  fileprivate func knownPack(with id: ObjectID) throws -> String? {
    try places(of: id).first?.pack.name
  }
}
