/// Which folders of base one side renamed or moved as wholes.
///
/// A folder was renamed if the side has it no more, and every member that is still there went to one and the same
/// folder, which base has not.
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
        // The folder around it went along only if it has kept this one under its name.
        let isKept = folder.lastName == to?.lastName
        (from, to) = (folder.parent, isKept ? to?.parent : nil)
      }
    }
    let (before, after) = (Self.folders(of: base), Self.folders(of: side))
    for (folder, goals) in targets where !after.contains(folder) && goals.count == 1 {
      if let goal = goals.first ?? nil, !before.contains(goal) { places[folder] = goal }
    }
  }

  /// Where something in a renamed folder goes with it; `nil` if its folder was not renamed.
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
