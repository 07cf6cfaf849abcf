package import SystemPackage

/// The folder of a container that records adoptions of conflicted copies, one file each, so that they can be
/// undone.
///
/// Sync tools never transfer it: files come back on the device that took them away.
package enum AdoptionFile {
  /// Returns the folder itself.
  package static func folder(of container: FilePath) -> FilePath {
    ContainerFile.adoptions.path(in: container)
  }
}
