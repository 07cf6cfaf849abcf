package import SystemPackage

/// The files of a container that belong to the process that watches it.
package enum WatchFile {
  /// Returns the lock of that process.
  package static func lock(of container: FilePath) -> FilePath {
    ContainerFile.watchLock.path(in: container)
  }

  /// Returns the removals that this process saw, and that are not recorded as deletions yet.
  package static func deletions(of container: FilePath) -> FilePath {
    ContainerFile.watchDeletions.path(in: container)
  }

  /// Returns the socket at which this process reports what it has done.
  package static func socket(of container: FilePath) -> FilePath {
    ContainerFile.watchSocket.path(in: container)
  }
}
