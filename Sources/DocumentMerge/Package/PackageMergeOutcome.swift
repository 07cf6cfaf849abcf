/// The result of merging a package.
public struct PackageMergeOutcome: Sendable, Equatable {
  /// The merged package's members.
  ///
  /// None of them stands below another.
  public let members: [PackagePath: MergedMember]
  /// What was decided, by path.
  public let decisions: [MergeDecision]

  /// Whether nothing is left to decide.
  public var isComplete: Bool { decisions.isComplete }

  /// Creates an outcome.
  /// - Parameters:
  ///   - members: The merged package's members.
  ///   - decisions: What was decided.
  public init(members: [PackagePath: MergedMember], decisions: [MergeDecision]) {
    self.members = members
    self.decisions = decisions
  }
}

/// A member of a merged package.
public enum MergedMember: Sendable, Equatable {
  /// A member that one of the sides has. Only its executable bit may be the other side's.
  case kept(PackageMember)
  /// A file with content that neither side has.
  case merged(bytes: [UInt8], isExecutable: Bool)
}
