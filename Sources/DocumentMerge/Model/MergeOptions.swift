/// The options of a merge.
public struct MergeOptions: Sendable, Equatable {
  /// The style of a clash in merged text, with git's names.
  public enum ConflictStyle: String, Sendable, Codable, CaseIterable {
    /// Ours and theirs.
    case merge
    /// Ours, base and theirs.
    case diff3
  }

  /// The names of the three sides.
  public var labels: MergeLabels
  /// The style of a clash in merged text.
  public var conflictStyle: ConflictStyle
  /// The maximum size of one side, in bytes; a larger side is a ``MergeError/Code/tooLarge``.
  public var sizeLimit: Int
  /// The fields of which the newer or higher value is taken.
  package var revisedFields = RevisedFields()

  /// Creates options.
  /// - Parameters:
  ///   - labels: The names of the three sides.
  ///   - conflictStyle: The style of a clash in merged text.
  ///   - sizeLimit: The maximum size of one side, in bytes.
  public init(
    labels: MergeLabels = MergeLabels(), conflictStyle: ConflictStyle = .diff3,
    sizeLimit: Int = 128 << 20
  ) {
    self.labels = labels
    self.conflictStyle = conflictStyle
    self.sizeLimit = sizeLimit
  }
}

/// The names of the three sides, as conflict markers and explanations show them.
public struct MergeLabels: Sendable, Equatable {
  /// The name of the base.
  public var base: String
  /// The name of the side that merges.
  public var ours: String
  /// The name of the side that is merged in.
  public var theirs: String

  /// Creates labels.
  /// - Parameters:
  ///   - base: The name of the base.
  ///   - ours: The name of the side that merges.
  ///   - theirs: The name of the side that is merged in.
  public init(base: String = "base", ours: String = "ours", theirs: String = "theirs") {
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }
}

extension MergeLabels {
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
