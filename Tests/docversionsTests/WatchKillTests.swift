import DocumentTestSupport
import Foundation
import Testing

/// Watchers that are killed while programs write.
@Suite("Watching folders through kills", .blocks)
struct WatchKillTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  /// Writes whole texts again and again, half of them slowly in place, and the others by replacing the file or by making
  /// it anew.
  private static let writer = """
    import os, random, sys, time
    random.seed(int(sys.argv[1]))
    end = time.time() + float(sys.argv[2])
    number = 0
    while time.time() < end:
        number += 1
        name = "k%d.md" % random.randrange(4)
        text = "BEGIN %d\\n" % number + "".join("%d %d\\n" % (number, i) for i in range(2000)) + "END %d\\n" % number
        kind = random.randrange(4)
        target = name + ".tmp" if kind == 0 else name
        if kind == 1 and os.path.exists(name): os.remove(name)
        with open(target, "w") as file:
            for start in range(0, len(text), 4000):
                file.write(text[start:start + 4000])
                file.flush()
                if kind > 0: time.sleep(0.004)
        if kind == 0: os.rename(target, name)
        time.sleep(random.random() * 0.7)
    """

  private static func isWhole(_ text: String) -> Bool {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.count == 2003, lines.last == "", lines[0].hasPrefix("BEGIN ") else { return false }
    let number = lines[0].dropFirst(6)
    return lines[2001] == "END \(number)"
      && lines[1...2000].enumerated().allSatisfy { $1 == "\(number) \($0)" }
  }

  @Test(
    "No version is half-written, and none is lost",
    .timeLimit(.minutes(30)), arguments: TestMode.pick(short: 1...1, full: 1...20))
  func kills(seed: Int) throws {
    let seconds = TestMode.pick(short: 12, full: 60)
    try program.write(Self.writer, to: "writer.py")
    let writer = try RunningProgram(
      "python3", ["writer.py", "\(seed)", "\(seconds)"], in: program.folder.url)
    var random = SeededGenerator(seed: seed)
    var seen: [String: Set<String>] = [:]
    while !writer.hasEnded {
      let watcher = try Watcher(program)
      _ = writer.hasEnded(within: .milliseconds(Int.random(in: 300...3_500, using: &random)))
      try watcher.kill()
      for name in try documents() {
        let versions = Set(try program.versions(of: name))
        #expect(versions.isSuperset(of: seen[name] ?? []))
        seen[name] = versions
      }
    }
    #expect(try writer.wait().exitCode == 0)
    let last = try Watcher(program)
    #expect(
      try eventually(every: .milliseconds(100)) {
        let documents = try program.json("status")["documents"] as? [[String: Any]] ?? []
        return documents.allSatisfy { $0["state"] as? String == "unchanged" }
      })
    #expect(try last.stop() == 0)
    for name in try documents() {
      #expect(try program.run("show", name).output == program.read(name))
      for version in try program.versions(of: name) {
        let text = try program.run("show", name, version).output
        #expect(Self.isWhole(text), "\(name) \(version): \(text.utf8.count) bytes")
      }
    }
    #expect(try program.run("verify", ".").exitCode == 0)
  }

  @Test(
    "A copy is taken in once, and what devices exchange arrives once",
    .timeLimit(.minutes(30)), arguments: TestMode.pick(short: 1...1, full: 1...10))
  func killsWhileAdoptingAndSyncing(seed: Int) throws {
    let desks = try TwoDesks(program)
    var random = SeededGenerator(seed: seed)
    // Each device edits a document that the other one only receives.
    let owners = [("mira.md", desks.mira), ("tom.md", desks.tom)]
    for (name, desk) in owners {
      try desk.write((1...200).map { "line \($0)\n" }.joined(), to: name)
      try desk.run("save", name)
    }
    for desk in [desks.mira, desks.tom, desks.mira] { #expect(try desk.run("sync").exitCode == 0) }
    let rounds = TestMode.pick(short: 4, full: 30)
    for round in 1...rounds {
      for (name, desk) in owners {
        let text = try desk.read(name)
        let (edit, copied) = ("line \(6 * round)\n", "line \(6 * round + 3)\n")
        try desk.write(
          text.replacingOccurrences(of: copied, with: copied + "copy \(round) of \(name)\n"),
          to: name.replacingOccurrences(
            of: ".md",
            with: ".sync-conflict-20261121-\(String(100_000 + round))-UWZBLXH.md"))
        try desk.write(
          text.replacingOccurrences(of: edit, with: edit + "edit \(round) of \(name)\n"), to: name)
      }
      let watchers = [try Watcher(desks.mira), try Watcher(desks.tom)]
      letPass(
        .milliseconds(Int.random(in: 200...5_000, using: &random)),
        because: "it is killed at any moment")
      for watcher in watchers { try watcher.kill() }
    }
    let watchers = [try Watcher(desks.mira), try Watcher(desks.tom)]
    let isDone = eventually(within: .seconds(120), every: .milliseconds(200)) {
      do {
        return try [desks.mira, desks.tom].allSatisfy { desk in
          let names = try FileManager.default.contentsOfDirectory(atPath: desk.folder.url.path)
          return try names.filter { !$0.hasPrefix(".") }.count == 2
            && owners.allSatisfy { name, owner in
              try desk.read(name) == owner.read(name)
                && desk.read(name).contains("edit \(rounds) of")
            }
        }
      } catch {
        // A document is being replaced.
        return false
      }
    }
    if !isDone { Issue.record("\(try watchers.map { try $0.text })") }
    for watcher in watchers { #expect(try watcher.stop() == 0) }
    for desk in [desks.mira, desks.tom] {
      for (name, _) in owners {
        let added = try desk.read(name).split(separator: "\n").filter { !$0.hasPrefix("line") }
        let wanted = (1...rounds).flatMap { ["edit \($0) of \(name)", "copy \($0) of \(name)"] }
        #expect(added.map(String.init) == wanted, "\(name) of \(desk.author)")
      }
      #expect(try desk.run("conflicts", "--exit-code").exitCode == 0)
      #expect(try desk.run("verify", ".").exitCode == 0)
    }
  }

  private func documents() throws -> [String] {
    let documents = try program.json("status")["documents"] as? [[String: Any]] ?? []
    return documents.compactMap { $0["document"] as? String }
      .map { URL(filePath: $0).lastPathComponent }.filter { $0.hasPrefix("k") }
  }
}
