/// The three values of a three-way merge.
public struct MergeSides<Value> {
  /// The value that both sides are based on; `nil` if both sides are new.
  public let base: Value?
  /// The value of the side that merges.
  public let ours: Value
  /// The value of the side that is merged in.
  public let theirs: Value

  /// Creates the three values.
  /// - Parameters:
  ///   - base: The value that both sides are based on; `nil` if there is none.
  ///   - ours: The value of the side that merges.
  ///   - theirs: The value of the side that is merged in.
  public init(base: Value?, ours: Value, theirs: Value) {
    self.base = base
    self.ours = ours
    self.theirs = theirs
  }

  /// The values that exist, base first.
  var all: [Value] { (base.map { [$0] } ?? []) + [ours, theirs] }

  /// Transforms the values that exist, base first.
  package func map<Other, Thrown: Error>(
    _ transform: (Value) throws(Thrown) -> Other
  ) throws(Thrown) -> MergeSides<Other> {
    var other: Other?
    if let base { other = try transform(base) }
    return MergeSides<Other>(base: other, ours: try transform(ours), theirs: try transform(theirs))
  }
}

extension MergeSides {
  /// Transforms the three values; `nil` if one that exists becomes nothing.
  func compactMap<Other>(_ transform: (Value) throws -> Other?) rethrows -> MergeSides<Other>? {
    let old = try base.map(transform)
    guard let ours = try transform(ours), let theirs = try transform(theirs) else { return nil }
    guard let old else { return MergeSides<Other>(base: nil, ours: ours, theirs: theirs) }
    return old.map { MergeSides<Other>(base: $0, ours: ours, theirs: theirs) }
  }

  /// Transforms each of the values with that of other sides.
  func map<Other, Result>(
    with others: MergeSides<Other>, _ transform: (Value, Other) throws -> Result
  ) rethrows -> MergeSides<Result> {
    MergeSides<Result>(
      base: try base.flatMap { value in try others.base.map { try transform(value, $0) } },
      ours: try transform(ours, others.ours), theirs: try transform(theirs, others.theirs))
  }
}

extension MergeSides where Value: Equatable {
  /// The side whose value is the result if no merging is needed; `nil` if both sides changed it,
  /// differently.
  var settled: MergeDecision.Kind? {
    if ours == theirs { return .same }
    if base == ours { return .theirs }
    if base == theirs { return .ours }
    return nil
  }
}

extension MergeSides<Int> {
  /// How often something may occur in a merge, by how often it occurs on each side.
  ///
  /// It is a range because both sides may have made the same change, or one each.
  var mergedCounts: ClosedRange<Int> {
    let sum = ours + theirs - (base ?? 0)
    return max(0, min(sum, max(ours, theirs)))...max(sum, min(ours, theirs))
  }
}

extension MergeSides: Sendable where Value: Sendable {}
extension MergeSides: Equatable where Value: Equatable {}
