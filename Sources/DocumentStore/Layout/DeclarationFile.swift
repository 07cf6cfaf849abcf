package import SystemPackage

/// The file in which an app declares how its container is presented to the user.
package enum DeclarationFile {
  /// Returns the path of a container's file.
  package static func path(in container: FilePath) -> FilePath {
    ContainerFile.declaration.path(in: container)
  }
}
