import DocumentFiles
import DocumentTestSupport
import Foundation
import Testing

#if canImport(Glibc)
import Glibc
#endif

@testable import DocumentGit
@testable import DocumentStore

/// Packs that expand to far more than their own size, have invalid references, or have a false index.
@Suite("Hostile packs", .blocks)
struct HostilePackTests {
  // MARK: Bombs

  enum Bomb: String, CaseIterable {
    case smallOfHuge, huge, manySteps, manyBytesOfDelta, sizeOnly, wholeHuge, cycle, itself,
      beforeTheStart, noDistance, missingBase, longChain, otherBaseSize
  }

  @Test(
    "Changes that go through far larger objects, or nowhere, are refused", arguments: Bomb.allCases)
  func bomb(_ bomb: Bomb) throws {
    let victim = try Victim()
    let id = ObjectID(of: .blob, Array("evil\n".utf8))
    let small = EvilPack.delta(from: 64 << 10, to: Array("evil\n".utf8))
    func other(_ number: Int) throws -> ObjectID {
      ObjectID(of: .blob, [UInt8](bigEndian: UInt32(number)))
    }
    var pack = EvilPack()
    var former = pack.end
    func next(_ id: ObjectID, _ delta: [UInt8]) throws {
      let start = pack.end
      try pack.append(id, .delta(distance: start - former), delta)
      former = start
    }
    let zeros = [UInt8](repeating: 0, count: 64 << 10)
    if ![.cycle, .itself, .wholeHuge].contains(bomb) {
      try pack.append(other(0), .whole(.blob), zeros)
    }
    switch bomb {
    case .smallOfHuge:
      try next(other(1), EvilPack.delta(from: 64 << 10, repeating: 1_000))
      try next(other(2), EvilPack.delta(from: 64_000 << 10, repeating: 30))
      try next(id, EvilPack.delta(from: 1_920_000 << 10, to: Array("evil\n".utf8)))
    case .huge:
      try next(other(1), EvilPack.delta(from: 64 << 10, repeating: 600))
      try next(id, EvilPack.delta(from: 38_400 << 10, repeating: 70))
    case .manySteps:
      try next(other(1), EvilPack.delta(from: 64 << 10, repeating: 700))
      for number in 2...4_000 {
        try next(other(number), EvilPack.delta(from: 44_800 << 10, repeating: 1))
      }
      try next(id, EvilPack.delta(from: 44_800 << 10, to: Array("evil\n".utf8)))
    case .manyBytesOfDelta:
      let changes = EvilPack.delta(from: 64 << 10, to: Array("evil\n".utf8))
      try next(id, changes + [UInt8](repeating: 0, count: 60 << 20))
    case .sizeOnly:
      try next(id, EvilPack.number(64 << 10) + EvilPack.number(1 << 40))
    case .wholeHuge:
      try pack.append(id, .whole(.blob), [UInt8](repeating: 0, count: 100 << 20))
    case .cycle:
      try pack.append(id, .deltaOf(other(1)), small)
      try pack.append(other(1), .deltaOf(id), small)
    case .itself: try pack.append(id, .deltaOf(id), small)
    case .beforeTheStart: try pack.append(id, .delta(distance: 1 << 30), small)
    case .noDistance: try pack.append(id, .delta(distance: 0), small)
    case .missingBase: try pack.append(id, .deltaOf(other(9)), small)
    case .longChain:
      for number in 1...5_000 {
        try next(other(number), EvilPack.delta(from: 64 << 10, repeating: 1))
      }
      try next(id, small)
    case .otherBaseSize: try next(id, EvilPack.delta(from: 65, to: Array("evil\n".utf8)))
    }
    try pack.write(to: victim["objects/pack"])
    let tree = try Victim.tree([("100644", Array("a.md".utf8), id)])
    try victim.publish(tree: tree.id, in: "a.md", with: [tree]) { $0.bytes = 5 }
    try expectRefused(victim)
  }

  @Test(
    "Trees of millions of members, and records of many bytes, are refused",
    arguments: ["tree", "commit"])
  func largeObjects(kind: String) throws {
    let victim = try Victim()
    var pack = EvilPack()
    let bytes: [UInt8]
    if kind == "tree" {
      let entry = Array("100644 a\0".utf8) + ObjectID.emptyTree.bytes
      bytes = Array((0..<2_200_000).map { _ in entry }.joined())
    } else {
      bytes = Array("tree \(ObjectID.emptyTree)\n".utf8) + [UInt8](repeating: 0x78, count: 17 << 20)
    }
    let id = ObjectID(of: kind == "tree" ? .tree : .commit, bytes)
    try pack.append(id, .whole(kind == "tree" ? .tree : .commit), bytes)
    try pack.write(to: victim.store("P.pack").appending(path: "objects/pack"))
    if kind == "tree" {
      try victim.publish(tree: id, with: [])
    } else {
      try victim.write("\(id)\n", to: "refs/heads/main", document: "P.pack")
    }
    let runs = try victim.expectHarmless(
      "P.pack", commands: ["log", "restore", "save"], isSaving: kind == "commit")
    let run = try victim.restoreCurrent(of: "P.pack", byProgram: true)
    #expect(run.exitCode == 6, "\(run.errorText)")
    if kind == "tree" { #expect(runs["restore"]?.exitCode == 0) }
  }

  @Test("What changes lead to is read")
  func honest() throws {
    let victim = try Victim()
    let id = ObjectID(of: .blob, Array("evil\n".utf8))
    let base = GitObject(.blob, [UInt8](repeating: 0, count: 64 << 10))
    var pack = EvilPack()
    try pack.append(base.id, .whole(.blob), base.bytes())
    try pack.append(id, .deltaOf(base.id), EvilPack.delta(from: 64 << 10, to: Array("evil\n".utf8)))
    try pack.write(to: victim["objects/pack"])
    let tree = try Victim.tree([("100644", Array("a.md".utf8), id)])
    try victim.publish(tree: tree.id, in: "a.md", with: [tree]) { $0.bytes = 5 }
    #expect(try victim.expectHarmless(isSaving: false)["show"]?.text == "evil\n")
  }

  @Test(
    "What is saved of a damaged pack goes through no far larger object either",
    arguments: [10, 900])
  func salvage(repeating: Int) throws {
    let scratch = try ScratchFolder()
    defer { withExtendedLifetime(scratch) {} }
    let folder = scratch.url
    let id = ObjectID(of: .blob, Array("evil\n".utf8))
    let other = ObjectID(of: .blob, Array("other\n".utf8))
    let base = [UInt8](repeating: 0, count: 64 << 10)
    let size = repeating * base.count
    var pack = EvilPack()
    try pack.append(ObjectID(of: .blob, base), .whole(.blob), base)
    let start = pack.end
    try pack.append(
      other, .delta(distance: start - 12), EvilPack.delta(from: base.count, repeating: repeating))
    try pack.append(
      id, .delta(distance: pack.end - start), EvilPack.delta(from: size, to: Array("evil\n".utf8)))
    try pack.write(to: folder)
    try Data().write(to: folder.appending(path: "pack-evil.idx"))
    let found = try PackSalvage("pack-evil", in: PackFolder(folder.filePath))
    #expect(found?.places.count == (repeating == 10 ? 3 : 2))
    #expect((found?.places[id] != nil) == (repeating == 10))
  }

  // MARK: Indexes

  enum Lie: String, CaseIterable {
    case count, hugeCount, falling, farOutside, farNegative, offsetOutside, endless
  }

  @Test("An index that lies is damage", arguments: Lie.allCases)
  func index(_ lie: Lie) throws {
    let victim = try Victim()
    let folder = victim["objects/pack"]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder.path)
    where name.hasSuffix(".idx") {
      let file = folder.appending(path: name)
      var bytes = [UInt8](try Data(contentsOf: file))
      let count = Int(bytes.bigEndian(at: 1_028))
      let offsets = 1_032 + count * 24
      func set(_ place: Int, _ number: UInt32) {
        bytes.replaceSubrange(place..<(place + 4), with: [UInt8](bigEndian: number))
      }
      switch lie {
      case .count: set(1_028, UInt32(count + 50))
      case .hugeCount: set(1_028, .max)
      case .falling: set(8, UInt32(count + 1))
      case .offsetOutside: for number in 0..<count { set(offsets + number * 4, 0x7FFF_FFFF) }
      case .farOutside: for number in 0..<count { set(offsets + number * 4, .max) }
      case .farNegative:
        for number in 0..<count { set(offsets + number * 4, 1 << 31) }
        bytes.insert(contentsOf: [UInt8](repeating: 0xFF, count: 8), at: bytes.count - 40)
      case .endless: break
      }
      _ = chmod(file.path, 0o644)
      try Data(bytes).write(to: file)
      if lie == .endless { try FileHandle(forWritingTo: file).truncate(atOffset: 1 << 33) }
    }
    let runs = try victim.expectHarmless(commands: ["show", "save"])
    #expect(runs["show"]?.exitCode == 6)
    #expect(runs["save"]?.exitCode == 6)
  }

  // MARK: Helpers

  private func expectRefused(_ victim: Victim) throws {
    let runs = try victim.expectHarmless(commands: ["show", "save"])
    #expect(runs["show"]?.exitCode == 6, "\(runs["show"]?.errorText ?? "")")
    #expect(runs["restore"]?.exitCode == 0, "\(runs["restore"]?.errorText ?? "")")
  }
}
