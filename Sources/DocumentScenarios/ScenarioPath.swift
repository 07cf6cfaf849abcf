internal import DocumentVersions
internal import Foundation

/// The paths in scenarios, which can't leave the folder in which they begin.
///
/// A scenario may come from anywhere, and replaying it writes and removes files.
enum ScenarioPath {
  /// A path that leads elsewhere.
  struct Escape: Error {
    /// A description of the fault, to follow "found".
    let found: String
  }

  /// Returns the path in its normalized form, without a final slash.
  ///
  /// - Throws: ``Escape`` if a part is empty, `.`, `..` or the folder of the stores.
  static func checked(_ path: String) throws -> String {
    let isFolder = path.utf8.last == UInt8(ascii: "/")
    let path = isFolder ? String(Substring(path.utf8.dropLast())) : path
    // Some file systems ignore case; no system accepts a null byte.
    guard
      !path.pathNames(keepingEmpty: true).contains(where: { refused.contains($0.lowercased()) }),
      !path.utf8.contains(0)
    else { throw Escape(found: "“\(path)”") }
    return path
  }

  /// Returns the location that a path leads to from a folder.
  ///
  /// - Throws: ``Escape``, also if the path contains a link, which could lead anywhere; the item itself may
  ///   be a link.
  static func place(of path: String, in folder: URL) throws -> URL {
    var place = folder
    let parts = try checked(path).pathNames()
    for (index, part) in parts.enumerated() {
      place.append(path: part)
      guard index < parts.count - 1 else { break }
      guard try FileStatus.of(place.filePath)?.kind != .symbolicLink else {
        throw Escape(found: "“\(path)”, where “\(part)” is a link")
      }
    }
    return place
  }

  private static let refused: Set = ["", ".", "..", ".docversions"]
}
