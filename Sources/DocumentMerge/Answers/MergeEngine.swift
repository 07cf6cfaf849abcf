/// A type that merges documents of some format.
///
/// An engine is a pure function: it uses no disk, no clock, and no settings except its options. For every base `b` and
/// sides `x`, `o`, `t`, the following hold, byte for byte:
///
/// 1. `merge(b, o, b)` is `o`, and `merge(b, b, t)` is `t`: changes of one side are kept.
/// 2. `merge(b, x, x)` is `x`: the same change on both sides is one change.
/// 3. Swapped sides give the same result with swapped names.
/// 4. A clash in one place doesn't prevent the others from being merged.
public protocol MergeEngine: Sendable {
  /// The engine's name in settings.
  var name: String { get }

  /// Merges two sides of a document.
  ///
  /// A clash is part of the outcome, not an error.
  /// - Parameters:
  ///   - sides: The document on both sides, and their base.
  ///   - options: The caller's options.
  /// - Returns: The merged document and the decisions.
  /// - Throws: ``MergeError``, or an error of the engine's dependencies.
  func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> MergeOutcome

  /// Merges two sides of a document, leaving the clashes open for answers.
  ///
  /// An engine that can't answer individual clashes doesn't implement this; its merges have one clash of the whole
  /// document.
  /// - Parameters:
  ///   - sides: The document on both sides, and their base.
  ///   - options: The caller's options.
  /// - Returns: The merge, whose outcome without answers is that of ``merge(_:options:)``.
  /// - Throws: ``MergeError``, or an error of the engine's dependencies.
  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge
}

extension MergeEngine {
  /// Merges two sides of a document, with one clash of the whole document if a question is open.
  /// - Parameters:
  ///   - sides: The document on both sides, and their base.
  ///   - options: The caller's options.
  /// - Returns: The merge, whose clashes can be answered.
  /// - Throws: The errors of ``merge(_:options:)``.
  public func openMerge(
    of sides: MergeSides<[UInt8]>, options: MergeOptions
  ) throws -> OpenMerge {
    let outcome = try merge(sides, options: options)
    guard !outcome.isComplete else { return OpenMerge(CompleteMerge(outcome: outcome)) }
    return OpenMerge(UndividedMerge(sides: sides, unanswered: outcome))
  }
}

/// An engine whose clashes can be answered one by one.
package protocol OpenMergeEngine: MergeEngine {}

extension OpenMergeEngine {
  package func merge(
    _ sides: MergeSides<[UInt8]>, options: MergeOptions
  ) throws -> MergeOutcome {
    try openMerge(of: sides, options: options).outcome()
  }
}
