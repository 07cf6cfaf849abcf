internal import Foundation

/// Records the decisions of one run of a merge, in the order of the document, and asks about clashes.
final class DecisionLog<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>
  let options: MergeOptions
  /// The path to the value that is being merged.
  var path: [PathStep] = []
  /// True if both sides changed one named value differently, so that no merge by lines can be correct.
  private(set) var hasContradiction: Bool
  /// The decisions, and the clashes that have no answer yet.
  let clashes: ClashLog
  /// The answers that are texts, which the format must write in its own syntax.
  private let literals: Set<ClashLog.Key>

  init(
    _ documents: MergedDocuments<Format>, options: MergeOptions, clashes: ClashLog,
    literals: Set<ClashLog.Key>, hasContradiction: Bool
  ) {
    self.documents = documents
    self.options = options
    self.clashes = clashes
    self.literals = literals
    self.hasContradiction = hasContradiction
  }

  /// Records a decision about the value at the current path.
  func record(_ kind: MergeDecision.Kind, _ sides: MemberSides, explanation: String? = nil) {
    record(kind, bytes(sides, .value), explanation: explanation)
  }

  /// Records a decision about bytes of each side.
  func record(_ kind: MergeDecision.Kind, _ bytes: SideBytes, explanation: String? = nil) {
    clashes.record(decision(kind, bytes, explanation))
  }

  /// Records a clash and returns its answer; the answer is ours if there is none.
  /// - Parameters:
  ///   - site: The aspect that clashes.
  ///   - bytes: The bytes of each side.
  ///   - choices: The possible answers; base is possible only if it has bytes, or nothing is a choice.
  ///   - isPositional: Whether the clash is only about positions, not about something with a name.
  ///   - explanation: A sentence for people, if it isn't the usual one.
  func ask(
    _ site: ClashLog.Site, _ bytes: SideBytes, choices: Set<MergeAnswer.Choice>,
    isPositional: Bool = false, explanation: String? = nil
  ) -> MergeAnswer {
    let decision = decision(.clash, bytes, explanation)
    let hasBase = bytes.base.flatMap { $0 } != nil
    let clash = MergeClash(
      decision, bytes.map { $0.map(Array.init) },
      choices: hasBase ? choices : choices.subtracting([.base]))
    guard let (key, answer) = clashes.answer(to: clash, at: site) else {
      clashes.record(decision)
      if !isPositional { hasContradiction = true }
      return .ours
    }
    clashes.record(decision.answered(answer))
    guard case .text(let text) = answer else { return answer }
    let line = text.last == .lineFeed ? text.dropLast() : text
    guard literals.contains(key), let model = bytes.ours, format.text(ofLeaf: model) != nil else {
      return .text(line)
    }
    return .text(format.leaf(holding: line, like: model) ?? line)
  }

  private func decision(
    _ kind: MergeDecision.Kind, _ bytes: SideBytes, _ explanation: String?
  ) -> MergeDecision {
    let steps = path.map { name(of: $0) }.filter { format.isPlace($0) }
    let what = steps.last.map { "“\(String(decoding: $0, as: UTF8.self))”" } ?? "the document"
    return MergeDecision(
      kind, at: MergePlace(path: MergePlace.path(steps)), bytes,
      explanation ?? options.labels.explanation(of: kind, what: what))
  }

  /// Returns the name of a step of the path.
  private func name(of step: PathStep) -> [UInt8] {
    switch step {
    case .key(let side, let node):
      return tree(side).name(of: node, format)
    case .identity(let side, let node, let fields):
      return tree(side).name(of: node, by: fields, format)
    case .positions(let places):
      let (first, last) = (places.lowerBound, places.upperBound - 1)
      return Array((last > first ? "\(first)-\(last)" : "\(first)").utf8)
    }
  }
}

extension DecisionLog {
  /// Runs a closure with a step added to the path.
  func at<Result>(_ step: PathStep, _ body: () -> Result) -> Result {
    path.append(step)
    defer { path.removeLast() }
    return body()
  }
}
