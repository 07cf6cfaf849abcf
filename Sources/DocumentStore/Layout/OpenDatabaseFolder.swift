package import SystemPackage

/// The folder of a container with the working copies of the databases that apps have open.
package enum OpenDatabaseFolder {
  package static func path(in container: FilePath) -> FilePath {
    ContainerFile.openDatabases.path(in: container)
  }
}
