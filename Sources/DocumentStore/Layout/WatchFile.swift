package import SystemPackage

/// The files of a container that say that a process watches it.
package enum WatchFile {
  /// The lock of that process.
  package static func lock(of container: FilePath) -> FilePath {
    ContainerFile.watchLock.path(in: container)
  }

  /// What that process saw go, and did not record as deleted yet.
  package static func deletions(of container: FilePath) -> FilePath {
    ContainerFile.watchDeletions.path(in: container)
  }

  /// The socket at which that process says what it has done.
  package static func socket(of container: FilePath) -> FilePath {
    ContainerFile.watchSocket.path(in: container)
  }
}
