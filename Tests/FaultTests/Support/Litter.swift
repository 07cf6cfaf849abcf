/// The temporary files and locks that an operation must not leave behind.
enum Litter {
  /// Returns whether a path is that of a temporary file or of one of git's locks.
  static func isLitter(_ path: String) -> Bool {
    let name = path.split(separator: "/").last ?? ""
    return name.hasSuffix(".lock") || name.hasSuffix(".tmp") || name.hasSuffix(".new")
      || name.hasPrefix("tmp_") || name.hasPrefix(".tmp-") || name.hasPrefix(".new-")
      || name.contains("_git2_") || path.contains("objects/incoming")
  }
}
