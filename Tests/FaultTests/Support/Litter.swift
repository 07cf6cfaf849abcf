/// What an operation builds or locks, and must not leave behind.
enum Litter {
  /// Whether a path is that of a temporary file or of one of git's locks.
  static func isLitter(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name.hasSuffix(".lock") || name.hasSuffix(".tmp") || name.hasSuffix(".new")
      || name.hasPrefix("tmp_") || name.hasPrefix(".tmp-") || name.hasPrefix(".new-")
      || name.contains("_git2_") || path.contains("objects/incoming")
  }
}
