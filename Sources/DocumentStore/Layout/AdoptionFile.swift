package import SystemPackage

/// The folder of a container with what adoptions of conflicted copies did, one file each: an adoption is undone by it.
///
/// Syncing tools never carry it: files come back on the device that took them away.
package enum AdoptionFile {
  /// The folder itself.
  package static func folder(of container: FilePath) -> FilePath {
    ContainerFile.adoptions.path(in: container)
  }
}
