internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// The injector does what its header says, and a verdict is not always the same.
@Suite("Fault injector", .enabled(if: FaultInjector.isAvailable), .blocks)
struct InjectorTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder(isInMemory: true)
    try scratch.write("old\n", to: "root/old")
    try scratch.write("", to: "log")
  }

  private func shell(_ line: String, _ environment: [String: String] = [:]) throws -> Command.Result
  {
    try Command.run(
      "/bin/bash", ["-c", line], in: scratch["root"],
      environment: [
        "LD_PRELOAD": try FaultInjector.library().path, "FAULT_ROOT": scratch["root"].path,
        "FAULT_LOG": scratch["log"].path,
      ].merging(environment) { $1 })
  }

  private func fault(_ action: String, at call: Int) -> [String: String] {
    ["FAULT_AT": String(call), "FAULT_ACTION": action]
  }

  @Test("Calls below the folder are numbered, with what they are, and no others")
  func log() throws {
    let elsewhere = scratch["elsewhere"].path
    #expect(try shell("exec mv old ../root/./new").exitCode == 0)
    #expect(try shell("exec touch '\(elsewhere)'").exitCode == 0)
    let root = scratch["root"].path
    #expect(
      Call.parse(try scratch.read("log")).map(\.line)
        == ["1 casn renameat2 \(root)/old -> \(root)/new"])
  }

  @Test(
    "An action does what it says",
    arguments: [
      ("once:ENOSPC", 1, "No space left on device", true),
      ("once:EIO", 1, "Input/output error", true),
      ("from:EROFS", 1, "Read-only file system", true),
      ("lost-reply", 1, "No such file or directory", false),
      ("kill-before", 1, "", true), ("kill-after", 1, "", false),
      ("from:ENOLCK", 1, "", false), ("short", 1, "", false), ("once:EIO", 2, "", false),
    ])
  func action(_ text: String, _ call: Int, _ message: String, _ isOldThere: Bool) throws {
    let result = try shell("exec mv -T old new", fault(text, at: call))
    #expect(message.isEmpty || result.errorOutput.contains(message))
    #expect(FileManager.default.fileExists(atPath: scratch["root/old"].path) == isOldThere)
    #expect(FileManager.default.fileExists(atPath: scratch["root/new"].path) != isOldThere)
    #expect((result.exitCode == -9) == text.hasPrefix("kill"))
    #expect((result.exitCode == 0) == message.isEmpty || text.hasPrefix("kill"))
  }

  @Test("A torn write is half a write and the end, a short one goes on")
  func halfWrites() throws {
    // Calls 1 and 2 open the file.
    let line = "exec dd if=/dev/zero of=file bs=100 count=1 status=none"
    let torn = try shell(line, fault("torn", at: 3))
    #expect(torn.exitCode == -9)
    #expect(try scratch.read("root/file").utf8.count == 50)
    let short = try shell(line, fault("short", at: 3))
    #expect(short.exitCode == 0)
    #expect(try scratch.read("root/file").utf8.count == 100)
  }

  @Test("Reads are numbered where they are asked for")
  func reads() throws {
    let counting = ["FAULT_COUNT": "reads"]
    let result = try shell(
      "exec dd if=old of=/dev/null status=none",
      fault("once:EIO", at: 2).merging(counting) { $1 })
    #expect(result.exitCode == 1)
    #expect(try Call.parse(scratch.read("log")).map(\.name) == ["open", "read"])
    #expect(result.errorOutput.contains("Input/output error"))
  }

  @Test(
    "What is asked for wrongly stops the program",
    arguments: [
      ["FAULT_AT": "1"], ["FAULT_AT": "0", "FAULT_ACTION": "torn"],
      ["FAULT_AT": "1", "FAULT_ACTION": "once:ENONSENSE"],
      ["FAULT_AT": "1", "FAULT_ACTION": "tear"], ["FAULT_COUNT": "sheep"],
    ])
  func usage(environment: [String: String]) throws {
    #expect(try shell("exec mv old new", environment).exitCode == 99)
  }

  @Test("A verdict sees what is wrong", arguments: Sabotage.all)
  func verdict(sabotage: Sabotage) async throws {
    let baseline = try await Baselines.shared.baseline(of: Operation.save)
    let verdict = try await Workers.run {
      let bed = try FaultBed(copyOf: baseline.bed)
      let run = try bed.run(baseline.arguments)
      try sabotage.act(bed)
      return try Verdict(on: bed, after: run, baseline, fault: nil)
    }
    #expect(verdict.count(sabotage.kind) > 0, "\(verdict.findings)")
    let sound = try await Workers.run {
      let bed = try FaultBed(copyOf: baseline.bed)
      let run = try bed.run(baseline.arguments)
      return try Verdict(on: bed, after: run, baseline, fault: nil)
    }
    #expect(sound.findings.isEmpty, "\(sound.findings)")
  }
}

/// Damage that is done to a bed on purpose.
struct Sabotage: Sendable, CustomTestStringConvertible {
  let name: String
  let kind: Verdict.Kind
  let act: @Sendable (FaultBed) throws -> Void

  var testDescription: String { name }

  private static let store = ".docversions/documents/trip.md.git"

  static let all = [
    Sabotage(name: "the document is cut short", kind: .hard) {
      try $0.write("a te", to: "trip.md")
    },
    Sabotage(name: "the store is gone", kind: .hard) {
      try FileManager.default.removeItem(at: $0[store])
    },
    Sabotage(name: "objects are gone", kind: .hard) {
      try FileManager.default.removeItem(at: $0[store + "/objects"])
      try FileManager.default.createDirectory(
        at: $0[store + "/objects"], withIntermediateDirectories: true)
    },
    Sabotage(name: "the last save is undone", kind: .hard) {
      try FileManager.default.removeItem(at: $0[".docversions"])
      try $0.save("a tent\n", as: "trip.md", minute: 1)
    },
    Sabotage(name: "a folder is in the way of the lock", kind: .stuck) {
      try FileManager.default.removeItem(at: $0[store + "/lock"])
      try $0.write("", to: store + "/lock/in the way")
    },
    Sabotage(name: "a temporary file stays beside the document", kind: .litter) {
      try $0.write("", to: ".somebody’s.tmp")
    },
  ]
}
