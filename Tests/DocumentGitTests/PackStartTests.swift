import DocumentTestSupport
import Foundation
import Synchronization
import Testing

@testable import DocumentGit

@Suite("Packs that go on")
struct PackStartTests {
  private let store: Store

  init() throws {
    store = try Store()
  }

  private func packNames(in store: Store? = nil) throws -> [String] {
    try FileManager.default.contentsOfDirectory(
      atPath: (store ?? self.store)["objects/pack"].path
    ).filter { $0.hasSuffix(".pack") }.sorted()
  }

  private func size(of other: Store? = nil) throws -> Int {
    let store = other ?? store
    return try packNames(in: store).reduce(0) {
      try $0 + Data(contentsOf: store["objects/pack/\($1)"]).count
    }
  }

  /// Writes a blob and versions of it with a few bytes changed, each separately and declared similar to the
  /// previous one.
  private func writeSeries(
    of count: Int, size: Int, seed: Int, in repository: borrowing Repository
  ) throws -> [GitObject] {
    var random = SeededGenerator(seed: seed)
    var bytes = random.bytes(size..<(size + 1))
    var objects: [GitObject] = []
    for _ in 0..<count {
      bytes[Int.random(in: bytes.indices, using: &random)] ^= 0xFF
      bytes.insert(7, at: Int.random(in: bytes.indices, using: &random))
      var object = GitObject(.blob, bytes)
      object.likeness = objects.last?.id
      try repository.write([object])
      objects.append(object)
    }
    return objects
  }

  @Test("What resembles the object before it takes the room of its changes", arguments: [0, 1])
  func series(seed: Int) throws {
    let repository = try store.open()
    let objects = try writeSeries(of: 130, size: 20_000, seed: seed, in: repository)
    #expect(try packNames().count == 1)
    #expect(try size() < 40_000)
    for object in objects.reversed() {
      #expect(try repository.read(object.id).bytes == object.bytes())
      #expect(try store.open().read(object.id).bytes == object.bytes())
    }
    try store.expectSound()
    let longest = try store.git(["verify-pack", "-v", "objects/pack/\(packNames()[0])"])
      .split(separator: "\n").compactMap { line -> Int? in
        line.hasPrefix("chain length = ")
          ? Int(line.dropFirst(15).prefix { $0.isNumber }) : nil
      }.max()
    #expect(longest == 50)
  }

  @Test("A pack that has grown large is left as it is, and the next one begins")
  func growth() throws {
    let repository = try store.open()
    let objects = try writeSeries(of: 12, size: 60_000, seed: 2, in: repository)
    var random = SeededGenerator(seed: 3)
    var last = objects.last
    for _ in 0..<4 {
      var other = GitObject(.blob, random.bytes(40_000..<40_001))
      other.likeness = last?.id
      try repository.write([other])
      last = other
    }
    #expect(try packNames().count > 1)
    for object in objects { #expect(try store.open().read(object.id).bytes == object.bytes()) }
    try store.expectSound()
  }

  @Test("Many packs with changes in them become few; each object stays readable")
  func compacting() throws {
    let repository = try store.open()
    var all: [GitObject] = []
    for seed in 0..<40 {
      all += try writeSeries(of: 6, size: 3_000, seed: seed, in: repository)
      // The same again, in another pack.
      if seed == 20 { try repository.write([try #require(all.first)]) }
    }
    #expect(try packNames().count >= 40)
    let before = try size()
    try repository.compactPacks()
    #expect(try packNames().count < 5)
    #expect(try size() <= before)
    for object in all { #expect(try store.open().read(object.id).bytes == object.bytes()) }
    try store.expectSound()
    // And its objects go on in it.
    var next = GitObject(.blob, try all[0].bytes() + [1])
    next.likeness = all[0].id
    try repository.write([next])
    #expect(try store.open().read(next.id).bytes == next.bytes())
    try store.expectSound()
  }

  @Test(
    "A damaged pack is not taken over, and stays where it is",
    arguments: ["flipped", "cut", "index", "emptied"])
  func damage(kind: String) throws {
    let first = try writeSeries(of: 2, size: 5_000, seed: 4, in: store.open())
    let name = try #require(try packNames().first).dropLast(5)
    let file = store["objects/pack/\(name).\(kind == "index" ? "idx" : "pack")"]
    var bytes = try Data(contentsOf: file)
    switch kind {
    case "cut": bytes.removeLast(1_000)
    case "emptied": bytes = Data()
    // The bytes of the first object; or a check in the index.
    default: bytes[bytes.startIndex + (kind == "index" ? 8 + 1_024 + 41 : 2_500)] ^= 1
    }
    try FileManager.default.removeItem(at: file)
    try bytes.write(to: file)
    var next = GitObject(.blob, try first[1].bytes() + [9])
    next.likeness = first[1].id
    try store.open().write([next])
    #expect(try packNames().contains("\(name).pack"))
    #expect(try Data(contentsOf: file) == bytes)
    #expect(try store.open().read(next.id).bytes == next.bytes())
  }

  @Test("What was named as alike may be of another kind, far off, or nowhere")
  func wrongLikeness() throws {
    let repository = try store.open()
    var random = SeededGenerator(seed: 5)
    let tree = GitObject(.tree, [])
    let far = GitObject(.blob, random.bytes(9_000..<9_001))
    try repository.write([tree, far])
    for likeness in [tree.id, far.id, ObjectID(bytes: Array(repeating: 3, count: 20))] {
      var object = GitObject(.blob, random.bytes(3_000..<9_000))
      object.likeness = likeness
      try repository.write([object, object])
      #expect(try store.open().read(object.id).bytes == object.bytes())
    }
    try store.expectSound()
  }

  @Test("A pack that a killed process left behind its successor goes with the next save")
  func leftover() throws {
    let repository = try store.open()
    let objects = try writeSeries(of: 3, size: 4_000, seed: 6, in: repository)
    let names = try FileManager.default.contentsOfDirectory(atPath: store["objects/pack"].path)
    let kept = try names.map {
      (name: $0, bytes: try Data(contentsOf: store["objects/pack/\($0)"]))
    }
    var next = GitObject(.blob, try objects[2].bytes() + [1])
    next.likeness = objects[2].id
    try repository.write([next])
    for (name, bytes) in kept { try bytes.write(to: store["objects/pack/\(name)"]) }
    #expect(try packNames().count == 2)
    var last = GitObject(.blob, try objects[2].bytes() + [2])
    last.likeness = next.id
    try store.open().write([last])
    #expect(try packNames().count == 1)
    for object in objects + [next, last] {
      #expect(try store.open().read(object.id).bytes == object.bytes())
    }
  }

  @Test("A reader that opened the packs before reads on")
  func readers() throws {
    let writer = try store.open()
    let objects = try writeSeries(of: 5, size: 4_000, seed: 7, in: writer)
    let reader = try store.open()
    #expect(try reader.read(objects[1].id).bytes == objects[1].bytes())
    var next = GitObject(.blob, try objects[4].bytes() + [1])
    next.likeness = objects[4].id
    try writer.write([next])
    #expect(try reader.read(objects[3].id).bytes == objects[3].bytes())
    #expect(try reader.read(next.id).bytes == next.bytes())
    #expect(try reader.read(objects[0].id).bytes == objects[0].bytes())
  }

  @Test("A reader finds every object while packs are replaced")
  func readersBesideWriter() throws {
    var random = SeededGenerator(seed: 8)
    let text = random.bytes(2_000..<2_001)
    let first = GitObject(.blob, text)
    try store.open().write([first])
    let latest = Mutex(first)
    let isOver = Atomic(false)
    let missed = Atomic(0)
    DispatchQueue.concurrentPerform(iterations: 2) { number in
      if number == 0 {
        for step in 0..<200 {
          var next = GitObject(.blob, text + Array("\(step)".utf8))
          next.likeness = latest.withLock { $0.id }
          do {
            try store.open().write([next])
            latest.withLock { [next] in $0 = next }
          } catch { Issue.record("\(error)") }
        }
        isOver.store(true, ordering: .relaxed)
      } else {
        while !isOver.load(ordering: .relaxed) {
          let wanted = latest.withLock { $0 }
          do { _ = try store.open().read(wanted.id) } catch {
            missed.wrappingAdd(1, ordering: .relaxed)
          }
        }
      }
    }
    #expect(missed.load(ordering: .relaxed) == 0)
  }

  @Test("What is stored as changes is copied as changes, and into the same pack each time")
  func copying() throws {
    let repository = try store.open()
    let objects = try writeSeries(of: 60, size: 20_000, seed: 5, in: repository)
    var names: [[String]] = []
    for seed in 0..<2 {
      let target = try Store()
      var random = SeededGenerator(seed: seed)
      try repository.copy(
        objects.map(\.id).shuffled(using: &random), intoPacksOf: target.open())
      #expect(try size(of: target) < 50_000)
      for object in objects { #expect(try target.open().read(object.id).bytes == object.bytes()) }
      try target.expectSound()
      names.append(try packNames(in: target))
    }
    #expect(names[0] == names[1] && names[0].count == 1)
  }

  @Test("What the changes are of need not be copied", arguments: 0..<4)
  func copyingSome(seed: Int) throws {
    let repository = try store.open()
    let objects = try writeSeries(of: 60, size: 5_000, seed: seed, in: repository)
    var random = SeededGenerator(seed: seed)
    let some = objects.filter { _ in Bool.random(using: &random) }
    let target = try Store()
    try repository.copy(some.map(\.id), intoPacksOf: target.open())
    for object in objects {
      let isCopied = some.contains { $0.id == object.id }
      #expect(try target.open().contains(object.id) == isCopied)
      if isCopied { #expect(try target.open().read(object.id).bytes == object.bytes()) }
    }
    try target.expectSound()
  }

  @Test("Of an object whose changes are damaged, a sound copy is copied")
  func copyingDamage() throws {
    let objects = try writeSeries(of: 20, size: 5_000, seed: 9, in: store.open())
    let last = try #require(objects.last)
    let changes = store["objects/pack/\(try packNames()[0])"]
    try store.open().write([GitObject(.blob, last.bytes())])
    // The newest pack is the first one to be looked into.
    let files = FileManager.default
    try files.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60), .posixPermissions: 0o644],
      ofItemAtPath: changes.path)
    let repository = try store.open()
    let place = try #require(try repository.packs.listedPlace(of: last.id))
    #expect(changes.lastPathComponent == place.pack.name + ".pack")
    var bytes = try Data(contentsOf: changes)
    bytes[place.offset + 8] ^= 0xFF
    try bytes.write(to: changes)
    try files.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: 60)], ofItemAtPath: changes.path)
    let target = try Store()
    try store.open().copy(objects.map(\.id), intoPacksOf: target.open())
    for object in objects { #expect(try target.open().read(object.id).bytes == object.bytes()) }
    try target.expectSound()
  }
}
