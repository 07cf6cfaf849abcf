/// The options of a merge.
public struct MergeOptions: Sendable, Equatable {
  /// The style of a clash in merged text, with git's names.
  package enum ConflictStyle: String, Sendable, Codable, CaseIterable {
    /// Ours and theirs.
    case merge
    /// Ours, base and theirs.
    case diff3
  }

  /// The names of the three sides, as conflict markers and explanations show them.
  public var labels: MergeSides<String>
  /// The style of a clash in merged text.
  package var conflictStyle: ConflictStyle
  /// The maximum size of one side, in bytes; a larger side is a ``MergeError/Code/tooLarge``.
  package var sizeLimit: Int
  /// The fields of which the newer or higher value is taken.
  package var revisedFields = RevisedFields()

  /// Creates options.
  /// - Parameter labels: The names of the three sides.
  public init(
    labels: MergeSides<String> = MergeSides(base: "base", ours: "ours", theirs: "theirs")
  ) {
    self.init(labels: labels, conflictStyle: .diff3)
  }

  /// Creates options with a style for clashes in merged text, and a maximum size of one side, in bytes.
  package init(
    labels: MergeSides<String> = .names(), conflictStyle: ConflictStyle,
    sizeLimit: Int = 128 << 20
  ) {
    self.labels = labels
    self.conflictStyle = conflictStyle
    self.sizeLimit = sizeLimit
  }
}

extension MergeSides<String> {
  /// The name of the base.
  package var baseName: String { base ?? "base" }

  /// The names of three sides.
  package static func names(ours: String = "ours", theirs: String = "theirs") -> MergeSides {
    MergeSides(base: "base", ours: ours, theirs: theirs)
  }

  /// Returns a sentence that explains a decision about `what`.
  func explanation(of kind: MergeDecision.Kind, what: String) -> String {
    switch kind {
    case .ours: "Only \(ours) changed \(what)."
    case .theirs: "Only \(theirs) changed \(what)."
    case .same: "Both sides changed \(what) alike."
    case .combined: "The changes of both sides to \(what) were combined."
    case .clash: "Both sides changed \(what), differently."
    }
  }
}
