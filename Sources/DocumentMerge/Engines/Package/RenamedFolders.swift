/// The folders of base that one side renamed or moved as wholes.
///
/// A folder was renamed if the side no longer has it, and every remaining member of it moved to the same
/// folder, which base lacks.
struct RenamedFolders {
  private var places: [PackagePath: PackagePath] = [:]

  init(
    from base: PackageMembers, to side: PackageMembers, members: [PackagePath: PackagePath]
  ) {
    guard !members.isEmpty else { return }
    var targets: [PackagePath: Set<PackagePath?>] = [:]
    for (old, new) in members {
      var (from, to) = (old.parent, new.parent)
      while let folder = from {
        targets[folder, default: []].insert(to)
        // The enclosing folder moved as well only if this one kept its name in it.
        let isKept = folder.lastName == to?.lastName
        (from, to) = (folder.parent, isKept ? to?.parent : nil)
      }
    }
    let (before, after) = (Self.folders(of: base), Self.folders(of: side))
    for (folder, goals) in targets where !after.contains(folder) && goals.count == 1 {
      if let goal = goals.first ?? nil, !before.contains(goal) { places[folder] = goal }
    }
  }

  /// Returns the new path of an item in a renamed folder; `nil` if its folder wasn't renamed.
  func place(of path: PackagePath) -> PackagePath? {
    for folder in path.ancestors {
      if let place = places[folder] { return path.moved(from: folder, to: place) }
    }
    return nil
  }

  private static func folders(of members: PackageMembers) -> Set<PackagePath> {
    var folders: Set<PackagePath> = []
    for (path, member) in members {
      if member == .folder { folders.insert(path) }
      for folder in path.ancestors where !folders.insert(folder).inserted { break }
    }
    return folders
  }
}
