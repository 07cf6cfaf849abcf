import DocumentTestSupport
import Foundation
import Testing

/// Two devices that Syncthing connects, and a watcher on each.
@Suite(
  "Watching folders that Syncthing carries",
  .enabled(
    if: SyncthingPair.isInstalled, "Syncthing is not installed; .ci/setup --tests does that."))
struct SyncthingTests {
  private let folders: CarriedFolders
  private var mira: Program { folders.mira }
  private var tom: Program { folders.tom }

  init() throws {
    folders = try CarriedFolders()
  }

  @Test(
    "What both edit while they are apart is merged on both, and no copy stays",
    .timeLimit(.minutes(5)))
  func apart() throws {
    let pair = try SyncthingPair(mira.folder.url, tom.folder.url)
    defer { pair.stop() }
    try pair.start()
    var hers = try Watcher(mira, every: "2s")
    let his = try Watcher(tom, every: "2s")
    let lines = (1...10).map { "line \($0)" }
    for name in ["changed.md", "sub/added.md", "removed.md"] {
      try mira.write(lines.joined(separator: "\n") + "\n", to: name)
      #expect(try hers.waits(for: "Saved \(name)"))
      #expect(try his.waits(for: "Saved \(name)"))
    }
    for round in 1...2 {
      pair.stop()
      for (device, watcher, line) in [(mira, hers, 2 * round), (tom, his, 5 + 2 * round)] {
        let (text, edit) = ("line \(line)\n", "\(device.author) in round \(round)")
        for (name, new) in [
          ("changed.md", "\(text.dropLast()) by \(edit)\n"), ("sub/added.md", text + "\(edit)\n"),
          ("removed.md", ""),
        ] {
          try device.write(
            device.read(name).replacingOccurrences(of: text, with: new), to: name)
        }
        let isDone = try eventually(every: .milliseconds(50)) { try folders.isSaved(device) }
        if !isDone { Issue.record("Not saved:\n\(try watcher.text)") }
        // The tool takes the later one of two edits, to the second.
        _ = try waitForLaterTimes(in: device.folder.url)
        letPass(.seconds(1), because: "the tool compares times to the second")
      }
      if round == 2 { #expect(try hers.stop() == 0) }
      try pair.start()
      if round == 2 {
        // On one of them the copies are not adopted for a while.
        #expect(
          eventually { folders.text("changed.md", of: mira).contains("Tom in round 2") })
        hers = try Watcher(mira, every: "2s")
      }
      let isMerged = eventually(within: .seconds(120), every: .milliseconds(100)) {
        folders.areMerged(["changed.md", "sub/added.md"], round: round)
      }
      if !isMerged {
        Issue.record("\(try folders.report([hers, his]))")
        break
      }
      #expect(try mira.read("removed.md").split(separator: "\n").count == 10 - 2 * round)
    }
    #expect(try hers.stop() == 0)
    #expect(try his.stop() == 0)
    for device in [mira, tom] { #expect(try device.run("verify", ".").exitCode == 0) }
  }
}
