package import SystemPackage

/// The file of a container that says that a process watches it.
package enum WatchFile {
  /// The lock of that process.
  package static func lock(of container: FilePath) -> FilePath {
    ContainerFile.watchLock.path(in: container)
  }
}
