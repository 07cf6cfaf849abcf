extension IgnoredItem.Reason {
  /// Finds the reason why a folder with certain members has no documents of the container around it; `nil` if
  /// it may have some.
  package init?(ofFolderWith names: Set<[UInt8]>) {
    func has(_ name: String) -> Bool { names.contains(Array(name.utf8)) }
    if has(Layout.folderName) {
      self = .ownVersions
    } else if has(".git") || has("HEAD") && has("objects") && has("refs") {
      self = .repository
    } else if ["CACHEDIR.TAG", "CMakeCache.txt", "pyvenv.cfg"].contains(where: has) {
      self = .madeByPrograms
    } else {
      return nil
    }
  }
}
