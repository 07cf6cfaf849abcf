package import Foundation
package import SystemPackage

extension URL {
  /// The file system's path for a file URL, byte for byte.
  ///
  /// - Throws: ``FileError`` with code `invalidName` for a URL that isn't a file URL, and for one without a
  ///   path because its bytes aren't characters.
  package var filePath: FilePath {
    get throws(FileError) {
      let found =
        isFileURL
        ? withUnsafeFileSystemRepresentation { $0.map { FilePath(platformString: $0) } } : nil
      // The system doesn't accept an empty path for the current folder.
      guard let found, !found.isEmpty else {
        let address = FilePath(absoluteString)
        throw FileError(
          .invalidName, path: address,
          message: "“\(address.printable)” is not the address of a file.")
      }
      return found
    }
  }
}
