internal import DocumentVersions
internal import Foundation

/// Paths as scenarios name them: they stay below the folder that they begin in.
///
/// A scenario may come from anywhere, and what is replayed writes and removes.
enum ScenarioPath {
  /// A path that leads elsewhere.
  struct Escape: Error {
    /// A description of the fault, to follow "found".
    let found: String
  }

  /// The path in its one spelling, without a slash at its end.
  ///
  /// - Throws: ``Escape`` if a part is empty, `.`, `..` or the folder of the stores.
  static func checked(_ path: String) throws -> String {
    let isFolder = path.utf8.last == UInt8(ascii: "/")
    let path = isFolder ? String(Substring(path.utf8.dropLast())) : path
    // Some file systems ignore case; no system takes a zero.
    guard
      !path.pathNames(keepingEmpty: true).contains(where: { refused.contains($0.lowercased()) }),
      !path.utf8.contains(0)
    else { throw Escape(found: "“\(path)”") }
    return path
  }

  /// The place that a path leads to from a folder.
  ///
  /// - Throws: ``Escape``, also if a link is in the path: it could lead anywhere. The item itself may be one.
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
