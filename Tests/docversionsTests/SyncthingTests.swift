import DocumentTestSupport
import Foundation
import Testing

/// Two devices that Syncthing connects, and a watcher on each.
@Suite(
  "Watching folders that Syncthing carries",
  .enabled(
    if: SyncthingPair.isInstalled, "Syncthing is not installed; .ci/setup --tests does that."))
struct SyncthingTests {
  private let mira: Program
  private let tom: Program

  init() throws {
    mira = try Program()
    var other = try Program()
    (other.author, other.device) = ("Tom", "toms-pc")
    tom = other
  }

  /// The files of a device but for the tools’ own.
  private func files(of device: Program) throws -> [String: String] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: device.folder.url.path)
    return try names.reduce(into: [:]) { files, name in
      let isHidden = name.split(separator: "/").contains { $0.hasPrefix(".") }
      guard !isHidden, name != "sub" else { return }
      files[name] = try device.read(name)
    }
  }

  /// The text of a document; nothing in the moment in which the tool replaces it.
  private func text(_ name: String, of device: Program) -> String {
    do { return try device.read(name) } catch { return "" }
  }

  /// All documents of a device are as they were saved.
  private func isSaved(_ device: Program) throws -> Bool {
    let documents = try device.json("status")["documents"] as? [[String: Any]] ?? []
    return documents.allSatisfy { $0["state"] as? String == "unchanged" }
  }

  /// Both have the same files, none of which is a copy.
  private func areEqual() -> Bool {
    do {
      let files = try files(of: mira)
      return try files == self.files(of: tom)
        && !files.keys.contains { $0.contains("sync-conflict") }
    } catch {
      // A file has gone while it was read.
      return false
    }
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
        let isDone = try eventually(every: .milliseconds(50)) { try isSaved(device) }
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
          eventually { text("changed.md", of: mira).contains("Tom in round 2") })
        hers = try Watcher(mira, every: "2s")
      }
      let isMerged = eventually(within: .seconds(120), every: .milliseconds(100)) {
        areEqual()
          && ["Mira", "Tom"].allSatisfy { author in
            ["changed.md", "sub/added.md"].allSatisfy {
              text($0, of: mira).contains("\(author) in round \(round)")
            }
          }
      }
      if !isMerged {
        Issue.record(
          "\(try files(of: mira))\n\(try files(of: tom))\n\(try hers.text)\n\(try his.text)")
        break
      }
      #expect(try mira.read("removed.md").split(separator: "\n").count == 10 - 2 * round)
    }
    #expect(try hers.stop() == 0)
    #expect(try his.stop() == 0)
    for device in [mira, tom] { #expect(try device.run("verify", ".").exitCode == 0) }
  }
}
