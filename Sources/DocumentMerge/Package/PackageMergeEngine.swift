/// Merges packages: member by member, each file by the engine for its path.
///
/// The rules, by path:
///
/// 1. What one side did, or both did alike, is taken.
/// 2. A file that both sides changed is merged by its engine, and its executable bit on its own.
///    Without a base (both sides added it) the files clash where they differ.
/// 3. Delete against change clashes, and the changed member stays.
/// 4. Links that both sides changed clash, and so does a file against a link or a folder; ours
///    stays.
/// 5. A folder is empty in the result only if a side has it empty.
///
/// Renames are not looked for: a renamed and edited member is a delete against a change, which
/// clashes, so that nothing is lost.
public struct PackageMergeEngine: Sendable {
  private let engine: @Sendable (PackagePath) -> any MergeEngine

  /// Creates an engine.
  /// - Parameter fileEngine: The engine for every file.
  public init(fileEngine: any MergeEngine) {
    self.init { _ in fileEngine }
  }

  /// Creates an engine that merges each file by its own type.
  /// - Parameter engine: Chooses the engine for a path.
  public init(choosing engine: @escaping @Sendable (PackagePath) -> any MergeEngine) {
    self.engine = engine
  }

  /// Merges two sides of a package.
  ///
  /// A clash in one member leaves the others merged.
  /// - Parameters:
  ///   - sides: The members as both sides have them, and what they started from.
  ///   - options: What the caller chose.
  /// - Returns: The merged members, and what was decided.
  /// - Throws: ``MergeError`` for a package that cannot be, `CancellationError` if the task is
  ///   cancelled, and the errors of reading a file and of the file's engine.
  public func merge(
    _ sides: MergeSides<[PackagePath: PackageMember]>, options: MergeOptions
  ) throws -> PackageMergeOutcome {
    try openMerge(of: sides, options: options).outcome()
  }

  /// Merges two sides of a package, and leaves the clashes open to be answered.
  /// - Parameters:
  ///   - sides: The members as both sides have them, and what they started from.
  ///   - options: What the caller chose.
  /// - Returns: The merge, to which somebody can answer.
  /// - Throws: The errors of ``merge(_:options:)``.
  public func openMerge(
    of sides: MergeSides<[PackagePath: PackageMember]>, options: MergeOptions
  ) throws -> OpenPackageMerge {
    let trees = try sides.map { members throws(MergeError) in try PackageNode(members) }
    return try OpenPackageMerge { [engine] answers in
      var merge = PackageMerge(engine: engine, options: options, answers: answers)
      try merge.mergeFolders(
        NodeSides(base: trees.base, ours: trees.ours, theirs: trees.theirs), at: [])
      return merge
    }
  }
}
