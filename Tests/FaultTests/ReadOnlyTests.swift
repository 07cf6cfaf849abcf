internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// On a read-only disk, everything can still be read.
@Suite("Without a place to write", .enabled(if: FaultInjector.isAvailable), .blocks)
struct ReadOnlyTests {
  private static let reading = [
    ["log", "trip.md"], ["show", "trip.md"], ["diff", "trip.md"], ["status"], ["conflicts"],
    ["diff", "trip.md", "~1"],
  ]

  @Test("A store that is read-only is read all the same", arguments: ["EROFS", "EACCES"])
  func readOnly(error: String) async throws {
    let baseline = try await Baselines.shared.baseline(of: Operation.save)
    let action = FaultAction(text: "from:\(error)", trait: "c")
    for line in Self.reading {
      let bed = try FaultBed(copyOf: baseline.bed)
      let run = try await Workers.run { try bed.run(line, fault: Fault(action: action, call: 1)) }
      #expect(run.exitCode == 0, "\(line): \(run.errorOutput)")
    }
    let bed = try FaultBed(copyOf: baseline.bed)
    let place = bed.elsewhere("copy.md")
    let run = try await Workers.run {
      try bed.run(
        ["restore", "trip.md", "~1", "--to", place.path], fault: Fault(action: action, call: 1))
    }
    #expect(run.exitCode == 0, "\(run.errorOutput)")
    #expect(try Data(contentsOf: place) == Data("a tent\n".utf8))
    let save = try await Workers.run {
      try bed.run(["save", "trip.md"], fault: Fault(action: action, call: 1))
    }
    #expect(save.exitCode == 5)
  }

  /// Changes that a read-only disk refuses.
  private static let changing = [
    ["save", "trip.md"], ["save", "new.md"], ["watch", "--once"],
    ["undo", "trip.md"], ["delete", "trip.md"], ["rename", "trip.md", "other.md"],
    ["thin", "trip.md", "--keep-last", "1"], ["collect"], ["pause", "trip.md"],
    ["restore", "trip.md", "~1"], ["pin", "trip.md", "~1"],
    ["remote", "add", "origin", "/nonexistent/r.git"],
    ["defaults", "set", "key", "value"], ["exchange", "../exchange"],
  ]

  @Test(
    "What a read-only disk refuses names the folder and what still works, and no file with versions",
    .enabled(if: FullDisk.isPossible, "only root can make a small disk"))
  func readOnlyDisk() async throws {
    let bed = try FaultBed()
    try await Workers.run {
      let disk = try FullDisk(at: bed.home, size: 4 << 20)
      defer { disk.unmount() }
      for (minute, text) in ["a tent\n", "a tent\na map\n"].enumerated() {
        try bed.save(text, as: "trip.md", minute: minute + 1)
      }
      try bed.write("a boat\n", to: "trip.md", minute: 3)
      try bed.write("new\n", to: "new.md", minute: 3)
      try disk.makeReadOnly()
      for line in Self.changing {
        let run = try bed.run(line)
        #expect(run.exitCode == 5, "\(line): \(run.errorOutput)")
        #expect(run.errorOutput.contains("Read-only file system"), "\(line): \(run.errorOutput)")
        #expect(!run.errorOutput.contains(".docversions"), "\(line): \(run.errorOutput)")
        if run.errorOutput.contains("Can’t change anything in") {
          #expect(run.errorOutput.contains("status, find, log"), "\(line): \(run.errorOutput)")
        }
      }
      let watch = try bed.run(["watch", "--once"])
      #expect(watch.errorOutput.contains("Its disk can only be read: status, find, log"))
      for line in Self.reading { #expect(try bed.run(line).exitCode == 0, "\(line)") }
    }
  }

  @Test(
    "A full disk stops a save and nothing else, and a save works again when there is space",
    .enabled(if: FullDisk.isPossible, "only root can make a small disk"))
  func fullDisk() async throws {
    let bed = try FaultBed()
    try await Workers.run {
      let disk = try FullDisk(at: bed.home)
      defer { disk.unmount() }
      try bed.save("a tent\n", as: "trip.md", minute: 1)
      try bed.write("a tent\na map\n", to: "trip.md", minute: 2)
      try disk.fill()
      let save = try bed.run(["save", "trip.md"])
      #expect(save.exitCode == 5)
      #expect(save.errorOutput.contains("No space left on device"), "\(save.errorOutput)")
      #expect(try Data(contentsOf: bed["trip.md"]) == Data("a tent\na map\n".utf8))
      for line in [["log", "trip.md"], ["show", "trip.md"], ["diff", "trip.md"], ["status"]] {
        let run = try bed.run(line)
        #expect(run.exitCode == 0, "\(line): \(run.errorOutput)")
      }
      let place = bed.elsewhere("copy.md")
      let restore = try bed.run(["restore", "trip.md", "current", "--to", place.path])
      #expect(restore.exitCode == 0, "\(restore.errorOutput)")
      #expect(try Data(contentsOf: place) == Data("a tent\n".utf8))
      let inPlace = try bed.run(["restore", "trip.md", "current"])
      #expect(inPlace.exitCode == 5, "\(inPlace.errorOutput)")
      #expect(try Data(contentsOf: bed["trip.md"]) == Data("a tent\na map\n".utf8))
      try disk.makeSpace()
      let again = try bed.run(["save", "trip.md"])
      #expect(again.exitCode == 0, "\(again.errorOutput)")
      #expect(try GitCheck.problems(inContainer: bed.home).isEmpty)
    }
  }
}
