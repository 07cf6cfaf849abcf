/// The result of merging one document.
public struct MergeOutcome: Sendable, Equatable {
  /// The merged document.
  ///
  /// Where sides clash, it shows them as its engine does: with conflict markers, or as ours has it.
  public let bytes: [UInt8]
  /// The decisions, in the order of the document.
  public let decisions: [MergeDecision]

  /// Whether nothing is left to decide.
  public var isComplete: Bool { decisions.isComplete }

  /// Creates an outcome.
  /// - Parameters:
  ///   - bytes: The merged document.
  ///   - decisions: What was decided.
  public init(bytes: [UInt8], decisions: [MergeDecision]) {
    self.bytes = bytes
    self.decisions = decisions
  }
}

extension [MergeDecision] {
  /// Whether no decision is a clash.
  var isComplete: Bool { allSatisfy { $0.kind != .clash } }
}
