internal import CGit2

/// Process-wide state of libgit2: started once, on first use, with the settings every store needs.
package enum GitLibrary {
  /// Starts libgit2.
  ///
  /// Cheap after the first call; thread-safe.
  package static func start() {
    _ = started
  }

  /// libgit2's version, as "1.5.1".
  package static var version: String {
    var (major, minor, patch): (Int32, Int32, Int32) = (0, 0, 0)
    unsafe git_libgit2_version(&major, &minor, &patch)
    return "\(major).\(minor).\(patch)"
  }

  private static let started: Bool = {
    git_libgit2_init()
    // Durable by default: libgit2 fsyncs nothing unless told.
    docversions_enable_fsync(1)
    docversions_enable_hash_verification(1)
    docversions_limit_mapping(1 << 20, 16 << 20)
    // A store's own config is the only one: neither the user's nor the system's may change it.
    for level in [
      GIT_CONFIG_LEVEL_PROGRAMDATA, GIT_CONFIG_LEVEL_SYSTEM, GIT_CONFIG_LEVEL_XDG,
      GIT_CONFIG_LEVEL_GLOBAL,
    ] {
      unsafe docversions_set_search_path(level.rawValue, "")
    }
    return true
  }()
}
