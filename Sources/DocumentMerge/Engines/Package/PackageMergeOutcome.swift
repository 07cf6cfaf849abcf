/// The result of merging a package.
package struct PackageMergeOutcome: Sendable, Equatable {
  /// The merged package's members.
  ///
  /// None of them stands below another.
  package let members: [PackagePath: MergedMember]
  /// What was decided, by path.
  package let decisions: [MergeDecision]

  /// Whether nothing is left to decide.
  package var isComplete: Bool { decisions.isComplete }

  /// Creates an outcome.
  package init(members: [PackagePath: MergedMember], decisions: [MergeDecision]) {
    self.members = members
    self.decisions = decisions
  }
}

/// A merge of packages, with its clashes still open to be answered, one by one.
package struct OpenPackageMerge: Sendable {
  /// The clashes, by path.
  ///
  /// Answers count them, from 0. Members that were merged as a whole are shown as words, such as “file”.
  package let clashes: [MergeClash]
  private let first: PackageMergeOutcome
  private let run: @Sendable ([Int: MergeAnswer]) throws -> PackageMerge

  init(run: @escaping @Sendable ([Int: MergeAnswer]) throws -> PackageMerge) throws {
    self.run = run
    let merge = try run([:])
    clashes = merge.clashes
    first = merge.outcome
  }

  /// The package, with the clashes settled that have an answer, by the number of the clash.
  package func outcome(answers: [Int: MergeAnswer] = [:]) throws -> PackageMergeOutcome {
    guard !answers.isEmpty else { return first }
    try clashes.check(answers)
    return try run(answers).outcome
  }
}

extension PackageMerge {
  fileprivate var outcome: PackageMergeOutcome {
    PackageMergeOutcome(members: members, decisions: decisions)
  }
}

/// A member of a merged package.
package enum MergedMember: Sendable, Equatable {
  /// A member that one of the sides has. Only its executable bit may be the other side's.
  case kept(PackageMember)
  /// A file with content that neither side has.
  case merged(bytes: [UInt8], isExecutable: Bool)
}
