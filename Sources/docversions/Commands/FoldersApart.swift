internal import DocumentVersions
internal import Foundation

/// Subfolders that keep their own versions, and that commands on the folder leave out.
struct FoldersApart {
  private let folders: [DocumentArgument]

  init(_ folders: [URL]) {
    self.folders = folders.map { DocumentArgument($0) }
  }

  /// Searches only a few levels deep, because a folder of documents is usually near.
  init(below folder: URL) {
    var found: [URL] = []
    var level = [folder.absoluteURL.standardizedFileURL]
    for _ in 0..<Self.depth {
      level = level.flatMap(Self.folders(in:))
      found += level.filter { $0.appending(path: ".docversions").isThere }
    }
    folders = found.map { DocumentArgument($0) }.sorted { $0.shown < $1.shown }
  }

  private static let depth = 3

  /// Returns the visible folders in a folder; none if it can't be read.
  private static func folders(in folder: URL) -> [URL] {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder.path)
        .filter { !$0.hasPrefix(".") }.map { folder.appending(path: $0) }
        .filter(\.isFolderNow)
    } catch { return [] }
  }

  /// Returns a line for each folder, with the command that works on it.
  ///
  /// - Parameter command: the command, without the program’s name, for a folder.
  func lines(_ command: (DocumentArgument) -> String) -> [String] {
    folders.map { "“\($0.shown)” keeps its own versions:  docversions \(command($0))" }
  }

  /// Returns the lines for a command that found no document.
  ///
  /// - Parameters:
  ///   - paths: the paths that were typed.
  ///   - command: the command’s name.
  static func linesWithoutDocuments(at paths: [DocumentArgument], for command: String) -> [String] {
    let place = DocumentSearch.folder(of: paths.first)
    let apart = FoldersApart(below: place).lines { "\(command) \($0.word)" }
    return ["No document here has versions."]
      + (apart.isEmpty
        ? ["Save all of the folder:  docversions save --all\(DocumentArgument(place).asOperand)"]
        : apart)
  }
}
