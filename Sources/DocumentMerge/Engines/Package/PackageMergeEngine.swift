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
/// A file or link that a side renamed, or moved to another folder, is one member, merged under its new path. It is
/// known by its content: equal to that of a member which is gone, or at least half the same. Where a side has the exact
/// content of one member in the place of another one, members were exchanged or got new numbers, and each is followed.
///
/// 6. Both renamed it alike: that is its path. Differently: a clash, and it stands where ours has it, with the
///    changes of both.
/// 7. Rename against delete clashes, and the member stays.
/// 8. What one side added to a folder that the other one renamed goes with the folder.
/// 9. If two members come to one path, ours is there, and theirs under a free name beside it, as in
///    `Map (Tom).png`; the clash is about the name. An answer takes neither of them away.
/// 10. Where it is not clear whether a side edited a member or has another one in its place, and the other side
///     changed it, the two clash as wholes.
///
/// If equal members make it unclear which was renamed, or a file would have to be where a folder is, nothing is
/// taken as renamed: a renamed and edited member is a delete against a change then, which clashes, so that nothing is
/// lost.
package struct PackageMergeEngine: Sendable {
  private let engine: @Sendable (PackagePath) -> any MergeEngine

  /// Creates an engine that merges each file by its own type.
  package init(choosing engine: @escaping @Sendable (PackagePath) -> any MergeEngine) {
    self.engine = engine
  }

  /// Merges two sides of a package, and their base, and leaves the clashes open to be answered.
  ///
  /// A clash in one member leaves the others merged.
  package func openMerge(
    of sides: MergeSides<[PackagePath: PackageMember]>, options: MergeOptions
  ) throws -> OpenPackageMerge {
    // Reported about the packages as they are, before anything in them is moved.
    for members in sides.all { _ = try PackageNode(members) }
    let alignment = try PackageAlignment(sides, options.labels)
    let trees = try alignment.sides.map { members throws(MergeError) in try PackageNode(members) }
    return try OpenPackageMerge { [engine] answers in
      var merge = PackageMerge(
        engine: engine, options: options, moved: alignment.moved, answers: answers)
      try merge.mergeFolders(
        NodeSides(base: trees.base, ours: trees.ours, theirs: trees.theirs), at: [])
      merge.relocate()
      return merge
    }
  }
}
