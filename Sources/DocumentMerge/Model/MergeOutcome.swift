/// The outcome of merging one document.
public struct MergeOutcome: Sendable, Equatable {
  /// The merged document.
  ///
  /// The engine determines how it shows clashes: with conflict markers, or with the value of ours.
  public let bytes: [UInt8]
  /// The decisions, in the order of the document.
  public let decisions: [MergeDecision]

  /// True if no question is open.
  public var isComplete: Bool { decisions.isComplete }

  /// Creates an outcome.
  /// - Parameters:
  ///   - bytes: The merged document.
  ///   - decisions: The decisions, in the order of the document.
  public init(bytes: [UInt8], decisions: [MergeDecision]) {
    self.bytes = bytes
    self.decisions = decisions
  }
}

extension [MergeDecision] {
  /// True if no decision is a clash.
  var isComplete: Bool { allSatisfy { $0.kind != .clash } }
}
