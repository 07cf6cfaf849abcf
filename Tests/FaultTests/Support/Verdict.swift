internal import DocumentTestSupport
internal import DocumentVersions
internal import Foundation

/// The problems after a fault, judged through the library and by a retry without faults.
struct Verdict: Sendable {
  /// The severity of a problem, and its name in the report.
  enum Kind: String, Sendable, CaseIterable {
    /// Something was lost or damaged, success was claimed, or the program hung.
    case hard
    /// The next operation doesn't succeed by itself.
    case stuck
    /// Temporary files stay.
    case litter
    /// Temporary files are removed, but not before they are ten minutes old.
    case lingering
    /// The exit code or the message doesn't tell what happened.
    case unclear
  }

  private(set) var findings: [(kind: Kind, text: String)] = []

  mutating func add(_ kind: Kind, _ text: String) {
    findings.append((kind, text.trimmingCharacters(in: .whitespacesAndNewlines)))
  }

  /// Returns the number of findings of a kind.
  func count(_ kind: Kind) -> Int { findings.count { $0.kind == kind } }
}

extension Verdict {
  /// Judges a bed in which an operation met a fault, and repeats the operation.
  init(
    on bed: FaultBed, after run: Run, _ baseline: Baseline, fault: Fault?
  ) throws {
    if run.isHung { add(.hard, "hung") }
    let call = fault.flatMap { fault in run.calls.first { $0.number == fault.call } }
    let now = try FaultBedState(of: bed, baseline.operation.documents)
    // A store that was damaged may still be so.
    let isWholeBefore = !baseline.operation.isRepair
    let sent = try sent(in: bed, baseline)
    if isWholeBefore { judgeVersions(now, baseline, sent) }
    judgeItems(now, baseline)
    judgeExchange(sent, baseline, isDone: run.exitCode == 0)
    let isDone = now.summary == baseline.after.summary && now.items == baseline.after.items
    if run.exitCode == 0 {
      if !isDone { add(.hard, "success, but not the effect: \(now.summary)") }
      if let call, fault?.action.text.hasSuffix("EIO") == true, call.name.hasSuffix("sync"),
        !Self.isMadeGood(call, in: run)
      {
        add(.hard, "success after data could not be synchronised")
      }
    } else if let code = run.exitCode {
      let isVisible =
        baseline.before.summary != baseline.after.summary
        || baseline.before.items != baseline.after.items
      judgeReport(run, code, fault, isDone: isDone && isVisible)
    }
    if isWholeBefore || run.exitCode == 0 { try judgeGit(bed, baseline) }
    try judgeRetry(bed, baseline, isDone: isDone)
  }

  /// Returns whether a failed synchronization was made up for: a folder's by a later one, a file's by a new
  /// file.
  ///
  /// Synchronizing the same file again proves nothing, because its pages count as clean.
  private static func isMadeGood(_ failed: Call, in run: Run) -> Bool {
    var isFolder = ObjCBool(false)
    _ = FileManager.default.fileExists(atPath: failed.path, isDirectory: &isFolder)
    return run.calls.contains { call in
      guard call.number > failed.number, call.path == failed.path else { return false }
      return isFolder.boolValue ? call.name.hasSuffix("sync") : call.name.hasPrefix("unlink")
    }
  }

  /// Checks that every former version still exists, byte for byte, and so do unsaved edits.
  ///
  /// A document that leaves the device is here, or on the others.
  private mutating func judgeVersions(
    _ now: FaultBedState, _ baseline: Baseline, _ sent: FaultBedState?
  ) {
    for (index, document) in now.documents.enumerated() {
      let before = baseline.before.documents[index]
      let after = baseline.after.documents[index]
      for failure in document.failures { add(.hard, failure) }
      for version in before.versions
      where !document.versions.contains(where: { $0.id == version.id }
      ) && after.versions.contains(where: { $0.id == version.id }) {
        add(.hard, "version \(version.id) is not listed any more")
      }
      for (id, contents) in before.contents
      where document.contents[id] != contents
        && (document.contents[id] != nil || after.contents[id] != nil)
      {
        add(.hard, "version \(id) has other contents, or none")
      }
      var kept = Set(document.items.map(\.contentsOnly)).union(document.contents.values)
      if after.versions.isEmpty, let sent { kept.formUnion(sent.documents[index].contents.values) }
      for item in before.items where !kept.contains(item.contentsOnly) && item != Snapshot() {
        add(.hard, "what the document held is nowhere")
      }
    }
  }

  /// Checks that every document has its old or its new state, under one of its names.
  private mutating func judgeItems(_ now: FaultBedState, _ baseline: Baseline) {
    for (index, items) in now.items.enumerated()
    where items != baseline.before.items[index] && items != baseline.after.items[index] {
      add(.hard, "the document on disk is neither the old nor the new one")
    }
  }

  /// Returns the state that others now receive through the exchange folder; nil if there is none, or if they
  /// receive nothing.
  private mutating func sent(in bed: FaultBed, _ baseline: Baseline) throws -> FaultBedState? {
    do {
      return try Baseline.sent(in: bed, baseline.operation)
    } catch {
      add(.hard, "another device cannot exchange: \(error)")
      return nil
    }
  }

  /// Checks that others still receive everything that they could receive before, and the new versions after a
  /// success.
  private mutating func judgeExchange(_ now: FaultBedState?, _ baseline: Baseline, isDone: Bool) {
    guard let now, let before = baseline.sentBefore, let after = baseline.sentAfter else { return }
    let expected = isDone ? after : before
    if !expected.identifiers.isSubset(of: now.identifiers) {
      add(.hard, "others do not get every version through the exchange folder")
    }
    for failure in now.documents.flatMap(\.failures) { add(.hard, "elsewhere, \(failure)") }
  }

  /// Checks that the exit code and the message name the cause.
  private mutating func judgeReport(_ run: Run, _ code: Int32, _ fault: Fault?, isDone: Bool) {
    let message = "exit \(code): \(run.errorOutput)"
    if ![1, 2, 3, 4, 5, 6].contains(code) { return add(.unclear, message) }
    guard let fault else { return add(.unclear, message) }
    if fault.action.text == "short" { return add(.hard, "no success: \(message)") }
    if fault.action.text.hasPrefix("lost-reply"), isDone {
      return add(.unclear, "done, but \(message)")
    }
    guard let words = fault.action.words else { return }
    if code != 5 || !run.errorOutput.localizedCaseInsensitiveContains(words) {
      add(.unclear, message)
    }
  }

  private mutating func judgeGit(_ bed: FaultBed, _ baseline: Baseline) throws {
    var problems = try GitCheck.problems(inContainer: bed.home)
    if let folder = baseline.operation.exchangeFolder.map({ bed.root.appending(path: $0) }),
      FileManager.default.fileExists(atPath: folder.appending(path: "HEAD").path)
    {
      problems += try GitCheck.problems(inStore: folder)
    }
    for problem in problems { add(.hard, "git fsck: \(problem)") }
  }
}
