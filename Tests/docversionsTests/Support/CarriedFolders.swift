import DocumentTestSupport
import Foundation
import Testing

/// The folders of two devices, which a tool syncs, with a watcher for each.
struct CarriedFolders {
  let mira: Program
  let tom: Program

  init() throws {
    mira = try Program()
    var other = try Program()
    (other.author, other.device) = ("Tom", "toms-pc")
    tom = other
  }

  /// Returns the files of a device without those of the tools.
  func files(of device: Program) throws -> [String: String] {
    let root = device.folder.url
    let names = try FileManager.default.subpathsOfDirectory(atPath: root.path)
    return try names.reduce(into: [:]) { files, name in
      guard !name.split(separator: "/").contains(where: { $0.hasPrefix(".") }),
        try root.appending(path: name).resourceValues(forKeys: [.isDirectoryKey]).isDirectory
          != true
      else { return }
      files[name] = try device.read(name)
    }
  }

  /// Returns the text of a document; empty at the moment when the tool replaces it.
  func text(_ name: String, of device: Program) -> String {
    do { return try device.read(name) } catch { return "" }
  }

  /// Returns whether all documents of a device equal their saved versions.
  func isSaved(_ device: Program) throws -> Bool {
    let documents = try device.json("status")["documents"] as? [[String: Any]] ?? []
    return documents.allSatisfy { $0["state"] as? String == "unchanged" }
  }

  /// Returns whether both have the same files, none of them a copy.
  func areEqual() -> Bool {
    do {
      let files = try files(of: mira)
      return try files == self.files(of: tom)
        && !files.keys.contains { $0.contains("conflict") || $0.contains("..path") }
    } catch {
      // A file has disappeared while it was read.
      return false
    }
  }

  /// Edits documents on both devices in different places, and waits until the edits are saved.
  func edit(_ names: [String], round: Int, _ watchers: [Watcher]) throws {
    for ((device, line), watcher) in zip([(mira, 2 * round), (tom, 5 + 2 * round)], watchers) {
      for name in names {
        let text = "line \(line)\n"
        try device.write(
          device.read(name).replacingOccurrences(
            of: text, with: "\(text.dropLast()) by \(device.author) in round \(round)\n"), to: name)
      }
      let isDone = try eventually(every: .milliseconds(50)) { try isSaved(device) }
      if !isDone { Issue.record("Not saved:\n\(try watcher.text)") }
      // Tools compare times to the second.
      _ = try waitForLaterTimes(in: device.folder.url)
      letPass(.seconds(1), because: "the tool compares times to the second")
    }
  }

  /// Returns whether both devices have the edits of both.
  func areMerged(_ names: [String], round: Int) -> Bool {
    areEqual()
      && [mira, tom].allSatisfy { author in
        names.allSatisfy {
          text($0, of: mira).contains("\(author.author) in round \(round)")
        }
      }
  }

  /// Returns the present state of both, for the message of a failure.
  func report(_ watchers: [Watcher]) throws -> String {
    let files = [try files(of: mira), try files(of: tom)].map { "\($0)" }
    return (files + (try watchers.map { try $0.text })).joined(separator: "\n")
  }
}
