internal import DocumentTestSupport
internal import Foundation

extension Verdict {
  /// The time that the next operation may take, which is shorter than its wait for an abandoned lock.
  private static let patience = Duration.seconds(5)

  /// Repeats the operation, and judges the files that it leaves.
  ///
  /// - Parameter isDone: whether the operation already had its effect; then it may report that, and a save
  ///   must succeed.
  mutating func judgeRetry(_ bed: FaultBed, _ baseline: Baseline, isDone: Bool) throws {
    let operation = baseline.operation
    var retry = try bed.run(baseline.arguments, minute: 40)
    var words = baseline.arguments
    // The operation was already done, was completed by the retry, or had removed the old name or version.
    if retry.exitCode != 0, try isDone || retry.exitCode == 3 || Self.isDone(bed, baseline) {
      words = ["save"] + existingNames(bed, operation)
      // A deleted document can't be saved, so listing it must succeed.
      if words.count == 1 { words = ["log", operation.documents[0].names[0]] }
      retry = try bed.run(words, minute: 41)
    }
    if retry.exitCode != 0 {
      add(.stuck, "\(words.joined(separator: " ")): \(retry.ending) \(retry.errorOutput)")
    } else if retry.result.duration > Self.patience {
      add(.stuck, "\(words.joined(separator: " ")) took \(retry.result.duration)")
    }
    let now = try FaultBedState(of: bed, operation.documents, showsContents: operation.isRepair)
    for failure in now.documents.flatMap(\.failures) { add(.hard, "afterwards, \(failure)") }
    if !baseline.before.identifiers.intersection(baseline.after.identifiers)
      .isSubset(of: now.identifiers)
    {
      add(.hard, "versions are gone after the retry")
    }
    if operation.isRepair, now.documents.map(\.contents) != baseline.after.documents.map(\.contents)
    {
      add(.hard, "not every version is whole after the retry")
    }
    if retry.exitCode == 0, words == baseline.arguments, now.items != baseline.after.items {
      add(.hard, "the document on disk is not the new one after the retry")
    }
    for problem in try GitCheck.problems(inContainer: bed.home) {
      add(.hard, "afterwards, git fsck: \(problem)")
    }
    try judgeLitter(bed, baseline)
  }

  /// Returns whether the operation has had its effect by now.
  private static func isDone(_ bed: FaultBed, _ baseline: Baseline) throws -> Bool {
    let now = try FaultBedState(of: bed, baseline.operation.documents, showsContents: false)
    return now.summary == baseline.after.summary && now.items == baseline.after.items
  }

  /// Judges the files that no run without a fault leaves.
  private mutating func judgeLitter(_ bed: FaultBed, _ baseline: Baseline) throws {
    let found = try Listing(of: bed.root)
    let new = found.names.subtracting(baseline.listing.names)
    // A folder stands for everything in it.
    let litter = new.filter { name in !new.contains { name.hasPrefix($0 + "/") } }
    guard !litter.isEmpty else { return }
    // Files that may belong to a running process stay until they are too old for that.
    let aged = try Command.run(
      "find",
      [
        bed.root.path, "-newermt", "2001-01-01", "-exec", "touch", "-h", "-d", "2001-01-01", "{}",
        "+",
      ])
    guard aged.exitCode == 0 else { throw FaultError(aged.errorOutput) }
    try bed.write("another\n", to: "another.md", minute: 45)
    _ = try bed.run(
      ["save", "another.md"] + existingNames(bed, baseline.operation), minute: 45)
    _ = try bed.run(baseline.arguments, minute: 46)
    let remaining = try Listing(of: bed.root).names
    for name in litter.sorted() {
      if baseline.operation.letsRest,
        baseline.operation.documents.flatMap(\.names).contains(where: {
          name.hasSuffix("/.docversions/documents/\($0).git")
        })
      {
        continue
      }
      // This isn't left from a change, but a document that no person made.
      if name.contains(/\/documents\/[^.*][^\/]*\.git$/) {
        add(.hard, "a second document: \(name)")
        continue
      }
      add(remaining.contains(name) ? .litter : .lingering, found.examples[name] ?? name)
    }
  }

  private func existingNames(_ bed: FaultBed, _ operation: Operation) -> [String] {
    operation.documents.flatMap(\.names).filter {
      FileManager.default.fileExists(atPath: bed[$0].path)
    }
  }
}
