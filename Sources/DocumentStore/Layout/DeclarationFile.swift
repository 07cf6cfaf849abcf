package import SystemPackage

/// The file in which an app declares how its container is shown to the user.
package enum DeclarationFile {
  /// The file of a container.
  package static func path(in container: FilePath) -> FilePath {
    ContainerFile.declaration.path(in: container)
  }
}
