import DocumentTestSupport
import Foundation
import Synchronization
import Testing

/// Cuts the power at every step of an operation, on file systems that keep as little as they may.
@Suite("Power cuts", .enabled(if: FaultInjector.isAvailable), .blocks)
struct PowerCutTests {
  @Test("A power cut at any step loses nothing that was acknowledged", arguments: operations)
  func powerCut(_ operation: CutOperation) throws {
    let recording = try CutRecording(operation)
    var verdicts: [State: [CutProblem]] = [:]
    for model in Self.models(for: operation) {
      var row = CutReport.Row(operation: operation.name, model: model.family)
      var seen: Set<State> = []
      for cut in recording.cuts {
        guard let image = model.image(of: recording.trace, cut: cut) else { continue }
        let acknowledged = recording.acknowledged(at: cut)
        let state = State(tree: image.tree, acknowledged: acknowledged)
        guard seen.insert(state).inserted else { continue }
        let name = "\(operation.name), \(model), cut \(cut) of \(recording.trace.changes.count)"
        let known = verdicts[state]
        let problems = try known ?? judge(image, recording, acknowledged, named: name)
        verdicts[state] = problems
        row.add(problems)
        if known == nil {
          report(problems, of: "\(name), before \(recording.call(at: cut))", failed: row.failed)
        }
      }
      CutReport.shared.add(row)
    }
  }

  /// The operations to test; `DOCVERSIONS_FAULT_OPERATIONS="save,rename"` selects some.
  private static let operations: [CutOperation] = {
    if let names = chosen("DOCVERSIONS_FAULT_OPERATIONS") {
      return CutOperation.all.filter { names.contains($0.name) }
    }
    return TestMode.isFull ? CutOperation.all : CutOperation.short
  }()

  /// Returns the models to test them with; `DOCVERSIONS_FAULT_MODELS="strict,random"` selects some.
  private static func models(for operation: CutOperation) -> [CutModel] {
    if let names = chosen("DOCVERSIONS_FAULT_MODELS") {
      return CutModel.all.filter { names.contains($0.family) }
    }
    return TestMode.isFull ? CutModel.all : operation.shortModels
  }

  private static func chosen(_ variable: String) -> [String]? {
    ProcessInfo.processInfo.environment[variable]?.split(separator: ",").map(String.init)
  }

  /// Records the first problem of a state; a few states per model are enough.
  private func report(_ problems: [CutProblem], of name: String, failed: Int) {
    let isHard = problems.contains { $0.kind != .litter }
    guard let problem = problems.first(where: { $0.kind != .litter }) ?? problems.first,
      failed <= 3 || isHard
    else { return }
    Issue.record("\(name): \(problem.kind): \(problem.detail) (\(problems.count) problems)")
  }

  /// The key of identical states.
  private struct State: Hashable {
    let tree: [String: DiskImage.Node]
    let acknowledged: Int
  }

  private func judge(
    _ image: DiskImage, _ recording: CutRecording, _ acknowledged: Int, named name: String
  ) throws -> [CutProblem] {
    let scratch = try ScratchFolder(isInMemory: true)
    let root = scratch["root"]
    try image.write(to: root)
    try recording.writeRemote(besides: root, acknowledged: acknowledged)
    let judge = CutJudge(recording: recording, acknowledged: acknowledged, root: root)
    let problems = try judge.problems()
    if !problems.isEmpty { try keep(image, name, problems) }
    return problems
  }

  /// Keeps an incorrect state, as it was before the judge's work, if `DOCVERSIONS_KEEP` names a folder.
  private func keep(_ image: DiskImage, _ name: String, _ problems: [CutProblem]) throws {
    guard let folder = ProcessInfo.processInfo.environment["DOCVERSIONS_KEEP"] else { return }
    let target = URL(filePath: folder).appending(path: name)
    try FileManager.default.createDirectory(
      at: target.deletingLastPathComponent(), withIntermediateDirectories: true)
    if FileManager.default.fileExists(atPath: target.path) {
      try FileManager.default.removeItem(at: target)
    }
    try image.write(to: target)
    let text = problems.map { "\($0.kind): \($0.detail)\n" }.joined()
    try Data(text.utf8).write(to: URL(filePath: "\(target.path).txt"))
  }
}

/// A table of the findings for each operation and model, which is written to the file that
/// `DOCVERSIONS_FAULT_REPORT` names.
final class CutReport: Sendable {
  static let shared = CutReport()

  struct Row: Sendable {
    let operation: String
    let model: String
    var states = 0
    var failed = 0
    var counts: [CutProblem.Kind: Int] = [:]

    init(operation: String, model: String) {
      self.operation = operation
      self.model = model
    }

    mutating func add(_ problems: [CutProblem]) {
      states += 1
      if !problems.isEmpty { failed += 1 }
      for kind in Set(problems.map(\.kind)) { counts[kind, default: 0] += 1 }
    }
  }

  private let rows = Mutex<[Row]>([])

  func add(_ row: Row) {
    let text = rows.withLock { rows in
      let index = rows.firstIndex { $0.operation == row.operation && $0.model == row.model }
      if let index {
        rows[index].states += row.states
        rows[index].failed += row.failed
        rows[index].counts.merge(row.counts, uniquingKeysWith: +)
      } else {
        rows.append(row)
      }
      return Self.table(rows)
    }
    guard let path = ProcessInfo.processInfo.environment["DOCVERSIONS_FAULT_REPORT"] else { return }
    do {
      try Data(text.utf8).write(to: URL(filePath: path))
    } catch {
      Issue.record(error, "The report can’t be written")
    }
  }

  private static func table(_ rows: [Row]) -> String {
    let kinds = CutProblem.Kind.allCases
    let head = ["operation", "model", "states"] + kinds.map(\.rawValue)
    let lines = rows.sorted { ($0.operation, $0.model) < ($1.operation, $1.model) }.map { row in
      [row.operation, row.model, "\(row.states)"] + kinds.map { "\(row.counts[$0] ?? 0)" }
    }
    return ([head, head.map { _ in "---" }] + lines)
      .map { "| \($0.joined(separator: " | ")) |\n" }.joined()
  }
}
