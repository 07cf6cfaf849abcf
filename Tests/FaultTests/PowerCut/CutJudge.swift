import DocumentTestSupport
import DocumentVersions
import Foundation

/// A problem in the state that a power cut left.
struct CutProblem: Sendable {
  enum Kind: String, Sendable, CaseIterable {
    /// Stock git finds a fault in a store, before anything repairs it.
    case corrupt
    /// An acknowledged version isn't listed or isn't complete, or a change is undone.
    case lost
    /// The document is neither the old nor the new one.
    case document
    /// The operation doesn't succeed afterward.
    case stuck
    /// Temporary files are still there after that.
    case litter
  }

  let kind: Kind
  let detail: String
}

/// Judges the state that a machine finds when it is switched on after a power cut.
struct CutJudge {
  let recording: CutRecording
  /// The number of commands that had reported success.
  let acknowledged: Int
  let root: URL

  private var isDone: Bool { acknowledged == recording.after.count }
  /// The command that was under way; the last one if all were done.
  private var command: Int { min(acknowledged, recording.after.count - 1) }
  private var before: CutExpectation { recording.before[command] }
  private var after: CutExpectation { recording.after[command] }

  func problems() throws -> [CutProblem] {
    // A store that was damaged may still be so.
    let isWhole = isDone || !recording.operation.isRepair
    var problems = isWhole ? try corruption() : []
    if isWhole { problems += loss(exactly: isDone) }
    problems += try documentProblems()
    problems += try retry()
    return problems
  }

  // MARK: As it is

  private func corruption() throws -> [CutProblem] {
    try stores().flatMap { store in
      try GitCheck.problems(inStore: store).map {
        CutProblem(kind: .corrupt, detail: "\(store.lastPathComponent): \($0)")
      }
    }
  }

  /// Returns the named stores, and the exchange folder unless it is empty.
  private func stores() throws -> [URL] {
    guard let names = FileManager.default.enumerator(atPath: root.path) else { return [] }
    var stores: [URL] = []
    for case let name as String in names {
      if name.hasSuffix(".git") { names.skipDescendants() }
      if name.hasSuffix(".git") || name == "cloud/objects" || name == "cloud/HEAD" {
        let store = root.appending(path: name)
        stores.append(name.hasPrefix("cloud") ? store.deletingLastPathComponent() : store)
      }
    }
    return Array(Set(stores))
  }

  /// - Parameter exactly: whether only the versions of the final state may exist.
  private func loss(exactly: Bool) -> [CutProblem] {
    do {
      let found = try CutExpectation(of: root, recording.operation).versions
      var problems = required.compactMap { id, contents -> CutProblem? in
        guard found[id] != contents else { return nil }
        return CutProblem(
          kind: .lost, detail: "version \(id.prefix(7)) \(found[id] == nil ? "is gone" : "differs")"
        )
      }
      if exactly, problems.isEmpty, found.count != after.versions.count {
        problems.append(
          CutProblem(kind: .lost, detail: "\(found.count) versions, not \(after.versions.count)"))
      }
      return problems
    } catch {
      return required.isEmpty
        ? [CutProblem(kind: .corrupt, detail: "the list: \(error)")]
        : [CutProblem(kind: .lost, detail: "all \(required.count), the list says: \(error)")]
    }
  }

  /// The acknowledged versions, without those that the running command may remove.
  private var required: [String: [String: [UInt8]]] {
    if isDone || recording.operation.isRepair { return after.versions }
    return before.versions.filter { after.versions[$0.key] == $0.value }
  }

  private func documentProblems() throws -> [CutProblem] {
    let found = try CutExpectation.documents(in: DiskImage(of: root))
    let allowed = (isDone ? [] : [before.documents]) + [after.documents]
    if allowed.contains(found)
      || recording.operation.isOneByOne
        && found.allSatisfy({ path, node in
          allowed.contains { $0[path] == node }
        }) && before.documents.keys.allSatisfy({ found[$0] != nil })
    {
      return []
    }
    let names = found.map { path, node in
      guard case .file(let bytes, _) = node else { return path }
      return "\(path) “\(String(decoding: bytes.prefix(30), as: UTF8.self))”"
    }
    return [CutProblem(kind: .document, detail: "there are \(names.sorted())")]
  }

  // MARK: Afterwards

  /// Repeats the command that was running.
  private func retry() throws -> [CutProblem] {
    let line = recording.commands[command]
    // A completed command needn't succeed again.
    if let complaint = try CutRetry.complaint(of: line, in: root), try !isAsAfterwards() {
      return [CutProblem(kind: .stuck, detail: "\(line[0]) says \(complaint)")]
    }
    var problems = try corruption().map {
      CutProblem(kind: .stuck, detail: "after the retry, \($0.detail)")
    }
    problems += loss(exactly: false).map {
      CutProblem(kind: .lost, detail: "after the retry, \($0.detail)")
    }
    if try CutExpectation.documents(in: DiskImage(of: root)) != after.documents {
      problems.append(CutProblem(kind: .stuck, detail: "after the retry, another document"))
    }
    let litter = try FileManager.default.subpathsOfDirectory(atPath: root.path)
      .filter(Litter.isLitter)
    return problems
      + litter.map { CutProblem(kind: .litter, detail: "after the retry there is \($0)") }
  }

  /// Returns whether the operation's whole effect is present; a program may only have to add a save.
  private func isAsAfterwards() throws -> Bool {
    guard try CutExpectation.documents(in: DiskImage(of: root)) == after.documents else {
      return false
    }
    for path in recording.operation.documents {
      let document = root.appending(path: path)
      guard FileManager.default.fileExists(atPath: document.path) else { continue }
      guard try CutRetry.complaint(of: ["save", path], in: root) == nil else { return false }
    }
    return try CutExpectation(of: root, recording.operation).versions.count == after.versions.count
  }
}
