package import Foundation
package import SystemPackage

extension URL {
  /// The file system's path of a file URL, byte for byte.
  ///
  /// - Throws: ``FileError`` with code `invalidName` for the address of something else than a file, and for one that
  ///   stands for no path, because of bytes that are no characters.
  package var filePath: FilePath {
    get throws(FileError) {
      let found =
        isFileURL
        ? withUnsafeFileSystemRepresentation { $0.map { FilePath(platformString: $0) } } : nil
      // The system takes no path at all for the current folder.
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
