package import Foundation
package import SystemPackage

extension URL {
  /// The file system's path of a file URL, byte for byte.
  package var filePath: FilePath {
    withUnsafeFileSystemRepresentation { $0.map { FilePath(platformString: $0) } ?? FilePath(path) }
  }
}
