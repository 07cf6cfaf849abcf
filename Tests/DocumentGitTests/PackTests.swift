import DocumentFiles
import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentGit

@Suite("Packs")
struct PackTests {
  @Test("Changes lead from one object to the other", arguments: 0..<40)
  func deltas(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let base = randomBytes(0..<5_000, &random)
    let result = edited(base, &random)
    guard let delta = Delta.make(from: base, to: result, limit: .max) else {
      Issue.record("no changes")
      return
    }
    #expect(try Delta.apply(delta, to: base) == result)
    #expect(try Delta.resultSize(delta) == result.count)
  }

  @Test("A small change of a large object is small")
  func smallDelta() throws {
    var random = SeededGenerator(seed: 7)
    let base = randomBytes(200_000..<200_001, &random)
    var result = base
    result.insert(contentsOf: [1, 2, 3], at: 100_000)
    result[150_000] ^= 1
    let delta = try #require(Delta.make(from: base, to: result, limit: 200))
    #expect(try Delta.apply(delta, to: base) == result)
    #expect(Delta.make(from: base, to: randomBytes(9_000..<9_001, &random), limit: 4_500) == nil)
  }

  @Test("What both objects share may be of any length, and anywhere")
  func copies() throws {
    var random = SeededGenerator(seed: 3)
    let shared = randomBytes(140_000..<140_001, &random)
    let around =
      Array(stride(from: 256, through: 2_048, by: 256)) + [
        0x8000, 0xFF00, 0x10000, 0x10100, 0x20000,
      ]
    for length in around.flatMap({ [$0 - 1, $0, $0 + 1] }) {
      for place in [0, 255, 256, 4_096] {
        let base = shared[..<(length + place)] + [0]
        let result = [1, 2, 3] + shared[place..<(length + place)] + [4]
        let delta = try #require(Delta.make(from: Array(base), to: result, limit: .max))
        #expect(delta.count < 60)
        #expect(try Delta.apply(delta, to: Array(base)) == result, "\(length) at \(place)")
      }
    }
  }

  @Test("Damaged changes are an error, never a trap", arguments: 0..<20)
  func damagedDeltas(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let base = randomBytes(100..<2_000, &random)
    let sound = try #require(Delta.make(from: base, to: edited(base, &random), limit: .max))
    for _ in 0..<50 {
      var delta = sound
      let place = Int.random(in: 0..<delta.count, using: &random)
      delta[place] = UInt8.random(in: 0...255, using: &random)
      if Bool.random(using: &random) {
        delta.removeLast(Int.random(in: 0..<delta.count, using: &random))
      }
      do { _ = try Delta.apply(delta, to: base) } catch { continue }
    }
  }

  @Test("A pack that can’t be opened hides no other")
  func unopenableName() throws {
    let store = try Store()
    let object = GitObject(.blob, Array("kept\n".utf8))
    try store.open().write([object])
    // Not UTF-8: as text it is another name.
    for suffix in [".idx", ".pack"] {
      let path = Array("\(store["objects/pack"].path)/pack-".utf8) + [0xFF] + Array(suffix.utf8)
      let file = try #require(fopen((path + [0]).map { CChar(bitPattern: $0) }, "w"))
      fclose(file)
    }
    let repository = try store.open()
    #expect(try repository.read(object.id).kind == .blob)
    let other = GitObject(.blob, Array("added\n".utf8))
    try repository.write([other])
    #expect(try repository.read(other.id).kind == .blob)
    // It may contain objects that the others lack.
    #expect(throws: GitError.self) { try repository.contains(.emptyTree) }
  }

  @Test("Many small packs become few, with every object in them")
  func compacting() throws {
    let store = try Store()
    let repository = try store.open()
    var ids: [ObjectID] = []
    for number in 0..<100 {
      let object = GitObject(.blob, Array("text \(number)\n".utf8))
      let same = GitObject(.blob, Array("the same\n".utf8))
      try repository.write([object, same])
      try repository.compactPacks()
      ids += [object.id, same.id]
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: store["objects/pack"].path)
    #expect(names.count { $0.hasSuffix(".pack") } < 40)
    for id in ids { #expect(try store.open().read(id).kind == .blob) }
    try store.expectSound()
    try store.git(["gc", "--quiet"])
    for id in ids { #expect(try repository.contains(id)) }
  }

  @Test("A repack stores runs as differences; stock git reads every object, and repacks it again")
  func repacking() throws {
    let store = try Store()
    let repository = try store.open()
    var random = SeededGenerator(seed: 1)
    var text = randomBytes(20_000..<20_001, &random)
    var plan = RepackPlan()
    var run: [ObjectID] = []
    for _ in 0..<120 {
      text[Int.random(in: 0..<text.count, using: &random)] ^= 0xFF
      let object = GitObject(.blob, text)
      try repository.write([object])
      run.append(object.id)
    }
    let single = try store.writeLoose([1, 2, 3])
    let unreachable = try store.writeLoose([4, 5, 6])
    plan.runs = [run.reversed()]
    plan.singles = [single]
    try repository.repack(plan, keepingUnreachableFor: 3_600)
    let packs = try FileManager.default.contentsOfDirectory(atPath: store["objects/pack"].path)
      .filter { $0.hasSuffix(".pack") }
    #expect(packs.count == 1)
    let size = try Data(contentsOf: store["objects/pack/\(packs[0])"]).count
    #expect(size < 100_000)
    for id in run + [single, unreachable] { #expect(try store.open().read(id).kind == .blob) }
    try store.expectSound()
    try store.git(["repack", "-a", "-d", "-k", "-q"])
    for id in run { #expect(try store.open().read(id).kind == .blob) }
    try store.open().repack(plan, keepingUnreachableFor: 0)
    #expect(throws: GitError.self) { _ = try store.open().read(unreachable) }
    for id in run { #expect(try store.open().read(id).kind == .blob) }
  }

  @Test("A repack that is stopped, or misses an object, leaves everything as it was")
  func stoppedRepack() throws {
    struct Stop: Error {}
    let store = try Store()
    let repository = try store.open()
    let objects = (0..<5).map { GitObject(.blob, Array("\($0)".utf8)) }
    for object in objects { try repository.write([object]) }
    let before = try FileManager.default.contentsOfDirectory(atPath: store["objects/pack"].path)
    var plan = RepackPlan()
    plan.runs = [objects.map(\.id)]
    #expect(throws: Stop.self) {
      try repository.repack(plan, keepingUnreachableFor: 0) { _ in throw Stop() }
    }
    plan.singles = [ObjectID(bytes: Array(repeating: 9, count: 20))]
    #expect(throws: GitError.self) { try repository.repack(plan, keepingUnreachableFor: 0) }
    let after = try FileManager.default.contentsOfDirectory(atPath: store["objects/pack"].path)
    #expect(Set(before) == Set(after))
  }

  @Test("What a killed process left among the packs goes")
  func leftovers() throws {
    let store = try Store()
    let id = try store.write(.blob, [1])
    for name in ["docversions-1.pack-new", "docversions-1.idx-new", "pack-12.pack", "pack-12.keep"]
    {
      try Data("x".utf8).write(to: store["objects/pack/\(name)"])
    }
    try store.open().removeTemporaryFiles()
    let names = try FileManager.default.contentsOfDirectory(atPath: store["objects/pack"].path)
    #expect(names.count == 3)
    #expect(try store.open().read(id).bytes == [1])
  }

  @Test("Where other devices write too, only what was never complete and is old goes")
  func oldLeftovers() throws {
    let store = try Store()
    let id = try store.write(.blob, [1])
    let young = ["docversions-1.pack-new", "pack-12.pack", "pack-13.keep", "pack-14.idx"]
    let old = ["docversions-2.pack-new", "pack-22.pack", "pack-23.keep", "pack-24.idx"]
    for name in young + old { try Data("x".utf8).write(to: store["objects/pack/\(name)"]) }
    let before = Date(timeIntervalSinceNow: -2 * 24 * 60 * 60)
    for name in old {
      try FileManager.default.setAttributes(
        [.modificationDate: before], ofItemAtPath: store["objects/pack/\(name)"].path)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: store["objects/pack"].path)
    try store.open().removeUnfinishedPacks(olderThan: 86_400)
    let rest = try FileManager.default.contentsOfDirectory(atPath: store["objects/pack"].path)
    #expect(Set(names).subtracting(rest) == ["docversions-2.pack-new"])
    for name in ["pack-14.idx", "pack-24.idx"] {
      try FileManager.default.removeItem(at: store["objects/pack/\(name)"])
    }
    #expect(try store.open().read(id).bytes == [1])
  }

  @Test("A lock of another process is not removed")
  func foreignLock() throws {
    let store = try Store()
    try Data("theirs".utf8).write(to: store["x.lock"])
    let path = try store["x.lock"].filePath
    #expect(throws: GitError.self) { _ = try UnplacedFile(path, in: RepositoryFolder(path)) }
    #expect(try String(contentsOf: store["x.lock"], encoding: .utf8) == "theirs")
  }

  private func randomBytes(_ count: Range<Int>, _ random: inout SeededGenerator) -> [UInt8] {
    let isText = Bool.random(using: &random)
    return (0..<Int.random(in: count, using: &random)).map { _ in
      UInt8.random(in: isText ? 97...101 : 0...255, using: &random)
    }
  }

  /// Returns the bytes with some pieces changed, moved, added or removed.
  private func edited(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var result = bytes
    for _ in 0..<Int.random(in: 0..<6, using: &random) {
      let start = Int.random(in: 0...result.count, using: &random)
      let end = min(result.count, start + Int.random(in: 0..<300, using: &random))
      let piece = Array(result[start..<end])
      switch Int.random(in: 0..<3, using: &random) {
      case 0: result.removeSubrange(start..<end)
      case 1: result += piece
      default: result.insert(contentsOf: randomBytes(0..<40, &random), at: start)
      }
    }
    return result
  }
}
