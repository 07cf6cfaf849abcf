/// The result of merging a package.
package struct PackageMergeOutcome: Sendable, Equatable {
  /// The members of the merged package.
  ///
  /// None of them is below another.
  package let members: [PackagePath: MergedMember]
  /// The decisions, by path.
  package let decisions: [MergeDecision]

  /// True if no question is open.
  package var isComplete: Bool { decisions.isComplete }

  /// Creates an outcome.
  package init(members: [PackagePath: MergedMember], decisions: [MergeDecision]) {
    self.members = members
    self.decisions = decisions
  }
}

/// A merge of packages whose clashes can be answered one by one.
package struct OpenPackageMerge: Sendable {
  /// The clashes, by path.
  ///
  /// Answers number them from 0. Members that were merged as wholes are described in words, such as “file”.
  package let clashes: [MergeClash]
  private let first: PackageMergeOutcome
  private let run: @Sendable ([Int: MergeAnswer]) throws -> PackageMerge

  init(run: @escaping @Sendable ([Int: MergeAnswer]) throws -> PackageMerge) throws {
    self.run = run
    let merge = try run([:])
    clashes = merge.clashes
    first = merge.outcome
  }

  /// Returns the package with the answered clashes resolved; answers are given by the number of the clash.
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
  /// A member of one side, possibly with the executable bit of the other side.
  case kept(PackageMember)
  /// A file with content that neither side has.
  case merged(bytes: [UInt8], isExecutable: Bool)
}
