import DocumentStore
import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// Programs that save over a document that shows one side of a conflict.
///
/// What a save removes is what its version lacks of the version that it follows, so it has to follow one whose contents
/// its program had.
struct ArrivalInConflictTests {
  /// The lines of each member; a document that is a file has one member without a name.
  private typealias Members = [String: [String]]

  private func write(_ members: Members, of document: String, to device: Device) throws {
    for (name, lines) in members {
      try device.write(
        lines.map { "\($0)\n" }.joined(), to: name.isEmpty ? document : "\(document)/\(name)")
    }
    device.clock.advance(bySeconds: 60)
  }

  private func members(_ version: FileVersion, like members: Members) throws -> Members {
    try Dictionary(
      uniqueKeysWithValues: members.keys.map { name in
        let bytes = try version.contents(ofMember: name.isEmpty ? nil : name)
        return (
          name, String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
        )
      })
  }

  @Test("A program that writes back one member of a package takes nothing of the others back")
  func mixedPackage() throws {
    let world = try World()
    let (mira, tom) = (try world.device("mira"), try world.device("tom"))
    let base = ["text": (0..<6).map { "line \($0)" }, "more": (0..<6).map { "more \($0)" }]
    try write(base, of: "p.pack", to: mira)
    try mira.store.save(mira["p.pack"])
    try world.exchange("mira", "tom")
    var mine = base
    mine["more"]?.insert("by Mira", at: 2)
    try write(mine, of: "p.pack", to: mira)
    let former = try mira.store.save(mira["p.pack"]).version
    var theirs = base
    theirs["text"]?.insert("by Tom", at: 3)
    try write(theirs, of: "p.pack", to: tom)
    try tom.store.save(tom["p.pack"])
    try world.exchange("mira", "tom")
    #expect(try mira.read("p.pack/text").contains("by Tom"))

    try write(["text": base["text", default: []] + ["typed"]], of: "p.pack", to: mira)
    let outcome = try mira.store.save(mira["p.pack"])
    let history = try mira.history("p.pack")
    #expect(history.unresolvedConflicts.count == 2)
    #expect(history.unresolvedConflicts.contains { $0.id == former.id })
    let parent = try #require(history.versions.first { [$0.id] == outcome.version.parents })
    #expect(try members(parent, like: base) == base)
    try mira.expectSound()
  }

  @Test(
    "What the other device changes next in members that arrived beside a stale one is its own change",
    arguments: 0..<24)
  func membersThatWereShown(seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let world = try World()
    let (mira, tom) = (try world.device("mira"), try world.device("tom"))
    let names = ["text", "more", "notes", "gone"]
    let base = Members(
      uniqueKeysWithValues: names.map { name in (name, (0..<12).map { "\(name) line \($0)" }) })
    func save(_ members: Members, on device: Device) async throws {
      let package = device["p.pack"]
      for name in names where members[name] == nil {
        let member = package.appending(path: name)
        guard FileManager.default.fileExists(atPath: member.path) else { continue }
        try FileManager.default.removeItem(at: member)
      }
      try write(members, of: "p.pack", to: device)
      try device.store.save(package)
    }
    try await save(base, on: mira)
    try world.exchange("mira", "tom")

    // Mira's version arrives; a program that still has one member of before writes it back with an edit.
    var theirs = base
    theirs["text"]?.insert("text by Mira", at: 2)
    for name in ["more", "notes"] where Bool.random(using: &random) {
      theirs[name]?.insert("\(name) by Mira", at: 2)
    }
    if Bool.random(using: &random) { theirs["gone"] = nil }
    try await save(theirs, on: mira)
    try world.exchange("mira", "tom")
    var ours = theirs
    ours["text"] = base["text"]
    ours["text"]?.append("text by Tom")
    try await save(ours, on: tom)
    #expect(try tom.history("p.pack").unresolvedConflicts.count == 1)
    // Both go on: Tom only adds; Mira also takes out what she added, and brings back what she removed.
    var expected = theirs
    expected["text"]?.append("text by Tom")
    for name in names where Bool.random(using: &random) {
      guard ours[name] != nil else { continue }
      ours[name]?.append("more by Tom in \(name)")
      expected[name]?.append("more by Tom in \(name)")
    }
    if Bool.random(using: &random) {
      try await save(ours, on: tom)
    } else {
      for name in names { expected[name]?.removeAll { $0.hasPrefix("more by Tom") } }
    }
    for _ in 1...Int.random(in: 1...2, using: &random) {
      for name in names where Bool.random(using: &random) {
        if theirs[name] == nil {
          theirs[name] = base[name]
          expected[name] = base[name]
        } else if let place = theirs[name]?.firstIndex(of: "\(name) by Mira") {
          theirs[name]?.remove(at: place)
          expected[name]?.removeAll { $0 == "\(name) by Mira" }
        } else if theirs[name]?.contains("\(name) later by Mira") == false {
          let later = "\(name) later by Mira"
          let places = [theirs, expected].map { $0[name]?.firstIndex(of: "\(name) line 7") ?? 0 }
          theirs[name]?.insert(later, at: places[0])
          expected[name]?.insert(later, at: places[1])
        }
      }
      try await save(theirs, on: mira)
    }
    try world.exchange("mira", "tom")
    let device = Bool.random(using: &random) ? "mira" : "tom"
    let outcome = try await world.resolver(.merge, on: device).resolve(
      world.device(device)["p.pack"])
    if case .unresolved = outcome { Issue.record("seed \(seed): a question") }
    let merged = try world.device(device)
    for name in names {
      let place = "p.pack/\(name)"
      let text = expected[name].map { $0.map { "\($0)\n" }.joined() }
      let isThere = FileManager.default.fileExists(atPath: merged[place].path)
      #expect(try (isThere ? merged.read(place) : nil) == text, "seed \(seed), \(name)")
    }
    try merged.expectSound()
  }

  @Test("Who takes out what the other side added takes back nothing of this side")
  func removal() throws {
    let world = try World()
    let lines = (0..<8).map { "line \($0) of it\n" }
    func text(_ edits: [Int: String]) -> String {
      lines.enumerated().map { edits[$0.offset] ?? $0.element }.joined()
    }
    try world.disagree(
      base: text([:]), mira: text([2: "line 2 by Mira of it\n"]),
      tom: text([6: lines[6] + "new by Tom\nand some more\n"]))
    let mira = try world.device("mira")
    let shown = try #require(try mira.history("a.md").current)
    let outcome = try mira.store.save(mira.write(text([7: "line 7 typed of it\n"]), to: "a.md"))
    #expect(outcome.version.parents == [shown.id])
    #expect(try mira.history("a.md").unresolvedConflicts.count == 1)
  }

  @Test(
    "Nothing that was saved is lost to a stale editor beside conflicts and merges",
    arguments: 0..<120)
  func nothingLost(seed: Int) async throws {
    var random = SeededGenerator(seed: seed)
    let world = try World()
    let isPackage = seed % 2 == 0
    let names = isPackage ? ["text", "more", "notes"] : [""]
    let document = isPackage ? "p.pack" : "a.md"
    /// A line of one to eight words that are in no other line.
    func line(_ name: String) -> String {
      (0..<Int.random(in: 1...8, using: &random)).map { "\(name)\($0)" }.joined(separator: " ")
    }
    func edited(_ members: Members, by name: String, at place: Int) -> Members {
      var members = members
      for (number, member) in names.shuffled(using: &random).enumerated()
      where number == 0 || Bool.random(using: &random) {
        // Unchanged lines are between the edits of different people.
        members[member]?.insert(line("\(name)\(member)"), at: place)
      }
      return members
    }
    let base = Members(
      uniqueKeysWithValues: names.map { name in (name, (0..<16).map { "\(name) line \($0)" }) })
    let (mira, tom, ana) = try (world.device("mira"), world.device("tom"), world.device("ana"))
    func saved(_ members: Members, on device: Device) throws {
      try write(members, of: document, to: device)
      try device.store.save(device[document])
    }
    func merge() async throws {
      let outcome = try await world.resolver(.merge, on: "tom").resolve(tom[document])
      if case .unresolved = outcome { Issue.record("seed \(seed): a question") }
    }
    try saved(base, on: mira)
    try world.exchange("mira", "tom", "ana")
    // What Tom's document shows, one after another.
    var shown = [base]
    var expected: Set<String> = []
    func show() throws {
      let current = try #require(try tom.history(document).current)
      let members = try members(current, like: base)
      shown.append(members)
      for lines in members.values { expected.formUnion(lines) }
    }
    for number in 0..<Int.random(in: 1...2, using: &random) {
      let device = Bool.random(using: &random) ? mira : tom
      let next = edited(shown[shown.count - 1], by: "mira\(number)", at: 2)
      try saved(next, on: device)
      try world.exchange("mira", "tom")
      // A program that saves over Tom's own save is another matter.
      if device.name == "tom" { shown = [] }
      try show()
    }
    try saved(edited(base, by: "ana", at: 8), on: ana)
    try world.exchange("ana", "tom")
    try show()
    let isMerged = Bool.random(using: &random)
    if isMerged {
      try await merge()
      try show()
    }

    // An editor that has one of these open adds a line; to a package, it writes one member back. Another one removes
    // everything that Ana added.
    var text = shown[shown.count - 1]
    let isRemoving = !isMerged && seed % 5 == 4
    if isRemoving {
      expected = expected.filter { !$0.hasPrefix("ana") }
      for name in names { text[name] = base[name] }
    } else {
      let buffer = shown[Int.random(in: 0..<shown.count, using: &random)]
      let name = names[Int.random(in: 0..<names.count, using: &random)]
      text[name] = buffer[name]
    }
    let typed = line("typed")
    text[names[0]]?.append(typed)
    expected.insert(typed)
    try saved(text, on: tom)
    try await merge()
    try show()
    let kept = Set(shown[shown.count - 1].values.joined())
    #expect(expected.subtracting(kept).isEmpty, "seed \(seed)")
  }
}
