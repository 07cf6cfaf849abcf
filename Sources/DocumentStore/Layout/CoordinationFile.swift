internal import DocumentFiles
package import SystemPackage

/// A file or folder with which programs on one device coordinate their accesses to the documents of a
/// container.
///
/// After the programs have ended, it has no meaning, and may be removed.
package enum CoordinationFile {
  /// The file whose bytes are locks.
  case claims
  /// The folder with the sockets of programs that present documents.
  case presenters
  /// The messages that were sent to these programs.
  case log

  package func path(in container: FilePath) -> FilePath {
    let presenters = ContainerFile.presenters.path(in: container)
    return switch self {
    case .claims: ContainerFile.claims.path(in: container)
    case .presenters: presenters
    case .log: presenters.appending("log")
    }
  }
}
