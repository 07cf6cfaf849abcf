/// A property of a document, such as its encoding, merged three ways.
struct MergedProperty<Value: Equatable> {
  /// The merged value; `nil` if no side has one.
  let value: Value?
  /// The decision; `nil` if none was needed.
  let kind: MergeDecision.Kind?
  private let hasBase: Bool

  /// Merges a property.
  ///
  /// A side without a value (a text without a line break has no line ending) counts as having the base's value. Without
  /// a base, ours is taken without a clash, because neither side changed anything.
  init(base: Value?, ours: Value?, theirs: Value?) {
    hasBase = base != nil
    switch (base, ours ?? base, theirs ?? base) {
    case (let base, let ours, let theirs) where ours == theirs:
      (value, kind) = (ours, base == nil || base == ours ? nil : .same)
    case (let base?, let ours, let theirs) where base == ours:
      (value, kind) = (theirs, .theirs)
    case (let base?, let ours, let theirs) where base == theirs:
      (value, kind) = (ours, .ours)
    case (nil, nil, let theirs):
      (value, kind) = (theirs, nil)
    case (nil, let ours, nil):
      (value, kind) = (ours, nil)
    case (nil, let ours, _):
      (value, kind) = (ours, .ours)
    case (_, let ours, _):
      (value, kind) = (ours, .clash)
    }
  }

  /// Returns a sentence that explains the decision about the property `name`.
  func explanation(of name: String, _ labels: MergeLabels) -> String {
    switch kind {
    case .ours where !hasBase:
      "The sides differ in the \(name); that of \(labels.ours) was taken."
    case .clash:
      "Both sides changed the \(name), differently; that of \(labels.ours) was kept."
    case let kind:
      labels.explanation(of: kind ?? .same, what: "the \(name)")
    }
  }
}
