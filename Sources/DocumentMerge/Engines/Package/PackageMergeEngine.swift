/// Merges packages member by member, and each file with the engine for its path.
///
/// The rules, by path:
///
/// 1. A change of one side, or the same change on both sides, is taken.
/// 2. A file that both sides changed is merged by its engine, and its executable bit separately. Without a
///    base (both sides added it), the files clash where they differ.
/// 3. A deletion and a change clash, and the changed member stays.
/// 4. Links that both sides changed clash, and so does a file with a link or a folder; ours stays.
/// 5. A folder is empty in the result only if it is empty on a side.
///
/// A file or link that a side renamed, or moved to another folder, is one member, which is merged at its new
/// path. It is recognized by contents that are equal to those of a removed member, or at least half the same.
/// If a side has the exact contents of one member at the path of another, members were exchanged or
/// renumbered, and each is followed.
///
/// 6. If both sides renamed a member to the same path, it has that path. If the paths differ, they clash; the
///    member is at the path of ours, with the changes of both sides.
/// 7. A rename and a deletion clash, and the member stays.
/// 8. Members that one side added to a folder that the other side renamed move with the folder.
/// 9. If two members come to one path, ours gets it, and theirs gets a free name beside it, as in
///    `Map (Tom).png`; the clash is about the name. No answer removes either of them.
/// 10. If it isn't clear whether a side edited a member or has another one in its place, and the other side
///     changed it, the two clash as wholes.
///
/// If equal members make it unclear which was renamed, or a file would have to be where a folder is, nothing
/// counts as renamed. A renamed and edited member is then a deletion and a change, which clash, so that
/// nothing is lost.
package struct PackageMergeEngine: Sendable {
  private let engine: @Sendable (PackagePath) -> any MergeEngine

  /// Creates an engine that merges each file by its own type.
  package init(choosing engine: @escaping @Sendable (PackagePath) -> any MergeEngine) {
    self.engine = engine
  }

  /// Merges two sides of a package, leaving the clashes open for answers.
  ///
  /// A clash in one member doesn't prevent the others from being merged.
  package func openMerge(
    of sides: MergeSides<[PackagePath: PackageMember]>, options: MergeOptions
  ) throws -> OpenPackageMerge {
    // Errors refer to the packages before any members are moved.
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
