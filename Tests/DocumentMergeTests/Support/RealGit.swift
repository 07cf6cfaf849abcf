import DocumentMerge
import Foundation

/// The git program with the patience algorithm, as an oracle.
struct RealGit {
  struct MergedFile: Equatable {
    let text: String
    let isClean: Bool
  }

  private let folder = FileManager.default.temporaryDirectory
    .appending(path: "git-oracle-\(UUID().uuidString)")

  /// Returns the changes between the texts of each pair, as `git diff --patience` finds them.
  static func changes(_ pairs: [(old: String, new: String)]) throws -> [[LineChange]] {
    let git = RealGit()
    defer { git.remove() }
    for (index, pair) in pairs.enumerated() {
      try git.write(pair.old, to: "old/\(index)")
      try git.write(pair.new, to: "new/\(index)")
    }
    // The status is 1 if the folders differ.
    let output = try git.run("diff", "--no-index", "--patience", "-U0", "old", "new", upTo: 1)
    var changes = pairs.map { _ in [LineChange]() }
    var index = 0
    for line in output.split(separator: "\n") {
      if let file = line.wholeMatch(of: /diff --git a\/old\/(\d+) .*/) {
        index = Int(file.1) ?? 0
      } else if let hunk = line.prefixMatch(of: /@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/) {
        changes[index].append(
          LineChange(
            old: range(hunk.1, count: hunk.2), new: range(hunk.3, count: hunk.4)))
      }
    }
    return changes
  }

  /// Returns the lines that a hunk header names; it counts from 1, and an empty range names the line before.
  private static func range(_ start: Substring, count: Substring?) -> Range<Int> {
    let count = count.flatMap { Int($0) } ?? 1
    let first = (Int(start) ?? 0) - (count == 0 ? 0 : 1)
    return first..<first + count
  }

  /// Returns the results of `git merge -X patience` for texts, and the labels in its diff3 markers.
  /// - Parameter markerLength: The length of the markers for each of the texts.
  static func merge(
    _ texts: [MergeSides<String>], markerLength: (MergeSides<String>) -> Int
  ) throws -> (files: [MergedFile], labels: MergeLabels) {
    let git = RealGit()
    defer { git.remove() }
    try git.run("init", "--quiet", "-b", "base", upTo: 0)
    let names = texts.enumerated().map { "\(markerLength($1))-\($0)" }
    try git.write("7-* conflict-marker-size=7\n8-* conflict-marker-size=8\n", to: ".gitattributes")
    func commit(_ text: (MergeSides<String>) -> String, to branch: String) throws {
      try git.run("checkout", "--quiet", "-B", branch, upTo: 0)
      for (name, sides) in zip(names, texts) { try git.write(text(sides), to: name) }
      try git.run("add", "--all", upTo: 0)
      try git.run("commit", "--quiet", "--allow-empty", "-m", branch, upTo: 0)
    }
    try commit({ $0.base ?? "" }, to: "base")
    try commit(\.ours, to: "ours")
    try git.run("checkout", "--quiet", "base", upTo: 0)
    try commit(\.theirs, to: "theirs")
    try git.run("checkout", "--quiet", "ours", upTo: 0)
    // The status is 1 if there are conflicts.
    try git.run("merge", "--quiet", "-s", "recursive", "-X", "patience", "theirs", upTo: 1)
    let unmerged = try git.run("diff", "--name-only", "--diff-filter=U", upTo: 0)
      .split(separator: "\n").map(String.init)
    let base = try git.run("rev-parse", "--short", "base", upTo: 0)
    return (
      try names.map {
        MergedFile(
          text: try String(contentsOf: git.folder.appending(path: $0), encoding: .utf8),
          isClean: !unmerged.contains($0))
      },
      MergeLabels(
        base: base.trimmingCharacters(in: .newlines), ours: "HEAD", theirs: "theirs")
    )
  }

  private func write(_ text: String, to name: String) throws {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  private func remove() {
    do { try FileManager.default.removeItem(at: folder) } catch {}
  }

  /// Runs git without the settings of the user, and returns what it writes.
  /// - Parameter status: The highest exit status that is not a failure.
  @discardableResult
  private func run(_ arguments: String..., upTo status: Int32) throws -> String {
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments =
      ["git", "-c", "merge.conflictStyle=diff3", "-c", "merge.renames=false"] + arguments
    process.currentDirectoryURL = folder
    process.environment = [
      "PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin",
      "GIT_CONFIG_NOSYSTEM": "1", "HOME": folder.path, "GIT_AUTHOR_NAME": "a",
      "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "a",
      "GIT_COMMITTER_EMAIL": "a@example.org",
    ]
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let bytes = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationReason == .exit, 0...status ~= process.terminationStatus else {
      throw CocoaError(.featureUnsupported)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
