internal import DocumentFiles
internal import DocumentGit
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Another user who owns a document or its versions.
package struct OtherOwner {
  private let location: DocumentLocation

  package init(of location: DocumentLocation) {
    self.location = location
  }

  /// Returns an error that names the user, if that is why the document or its versions can't be read or changed;
  /// otherwise the error itself.
  package func named(in error: any Error) -> any Error {
    // If the owner can't be determined, the first error is reported.
    do {
      switch error {
      case let error as VersionError: return try named(in: error)
      case let error as FileError: return try named(in: error)
      default: return error
      }
    } catch { return error }
  }

  private func named(in error: VersionError) throws -> VersionError {
    guard (error.cause as? GitError)?.isForeign == true,
      let owner = try Self.owner(of: location.store)
    else { return error }
    return VersionError(
      error.code, document: error.document,
      message: "The versions of “\(location.printable)” belong to \(owner), and are not trusted.",
      recovery: error.recovery, cause: error.cause)
  }

  private func named(in error: FileError) throws -> FileError {
    guard error.code == .notPermitted, let number = error.systemError else { return error }
    let document = location.document
    if error.path == document.printable, let owner = try Self.owner(of: document) {
      return FileError(
        error.code, path: document, message: "\(error.message) It belongs to \(owner).",
        cause: error.cause, systemError: number)
    }
    guard error.path.hasPrefix(location.store.printable),
      let owner = try Self.owner(of: location.store)
    else { return error }
    let reason = Errno(rawValue: number).description
    return FileError(
      error.code, path: document,
      message: "The versions of “\(location.printable)” belong to \(owner): \(reason).",
      cause: error, systemError: number)
  }

  /// Returns the name of the user whom an item belongs to; `nil` if that is this user.
  private static func owner(of path: FilePath) throws -> String? {
    guard let owner = try FileStatus.of(path)?.owner, owner != geteuid() else { return nil }
    return "another user, “\(Printable.text(SystemUser.name(of: owner)))”"
  }
}
