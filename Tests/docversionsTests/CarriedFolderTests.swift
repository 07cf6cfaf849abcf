import DocumentTestSupport
import Foundation
import Testing

/// Two devices whose folder a tool syncs whenever it is run, with a watcher on each.
@Suite("Watching folders that Unison and rclone carry", .enabled(if: TestMode.isFull))
struct CarriedFolderTests {
  /// A tool that compares two folders when it is run.
  enum Tool: String, CaseIterable, Sendable {
    case unison, rclone

    private var path: String { "/usr/bin/\(rawValue)" }
    static var installed: [Tool] {
      allCases.filter { FileManager.default.isExecutableFile(atPath: $0.path) }
    }

    /// Runs it once.
    func run(_ folders: CarriedFolders, in home: ScratchFolder, isFirst: Bool = false) throws {
      let (mira, tom) = (folders.mira.folder.url.path, folders.tom.folder.url.path)
      let arguments =
        switch self {
        case .unison:
          [
            mira, tom, "-batch", "-ui", "text", "-prefer", mira, "-copyonconflict", "-times",
            "-ignore", "Name .docversions",
          ]
        case .rclone:
          [
            "bisync", mira, tom, "--force", "--exclude", ".docversions/**", "--workdir",
            home.url.path,
          ] + (isFirst ? ["--resync"] : [])
        }
      let result = try Command.run(
        path, arguments, in: home.url,
        environment: ["HOME": home.url.path, "UNISON": home.url.path])
      #expect(result.exitCode <= 1, "\(result)")
    }
  }

  @Test(
    "What both edit is merged on both, and no copy stays", .timeLimit(.minutes(10)),
    arguments: Tool.installed)
  func merged(tool: Tool) throws {
    let folders = try CarriedFolders()
    let home = try ScratchFolder()
    let names = ["a.md", "sub/b.md", "untouched.md"]
    for name in names {
      try folders.mira.write((1...20).map { "line \($0)\n" }.joined(), to: name)
    }
    let watchers = [
      try Watcher(folders.mira, every: "2s"), try Watcher(folders.tom, every: "2s"),
    ]
    for name in names { #expect(try watchers[0].waits(for: "Saved \(name)")) }
    try tool.run(folders, in: home, isFirst: true)
    for name in names { #expect(try watchers[1].waits(for: "Saved \(name)")) }
    for round in 1...3 {
      try folders.edit(Array(names.prefix(2)), round: round, watchers)
      // rclone before 1.64 renames equal files again that have come back on both sides, so one device adopts
      // the copies first.
      watchers[1].signal(SIGSTOP)
      try tool.run(folders, in: home)
      let isMerged = try eventually(within: .seconds(120), every: .seconds(2)) {
        let files = try folders.files(of: folders.mira)
        guard files.count == names.count else { return false }
        try tool.run(folders, in: home)
        watchers[1].signal(SIGCONT)
        return folders.areMerged(Array(names.prefix(2)), round: round)
      }
      if !isMerged {
        Issue.record("round \(round):\n\(try folders.report(watchers))")
        break
      }
    }
    for device in [folders.mira, folders.tom] {
      #expect(try eventually(every: .milliseconds(100)) { try folders.isSaved(device) })
    }
    for watcher in watchers { #expect(try watcher.stop() == 0) }
    for device in [folders.mira, folders.tom] {
      #expect(try device.run("verify", ".").exitCode == 0)
      #expect(try device.run("conflicts", "--exit-code").exitCode == 0)
    }
  }
}
