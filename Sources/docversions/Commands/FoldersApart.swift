internal import DocumentVersions
internal import Foundation

/// Folders below another one that keep versions of their own: what is done with that one leaves them out.
struct FoldersApart {
  private let folders: [DocumentArgument]

  /// Looks a few folders deep, as a folder of documents is mostly near.
  init(below folder: URL) {
    let contents = FileManager.default.enumerator(
      at: folder.absoluteURL.standardizedFileURL, includingPropertiesForKeys: [.isDirectoryKey],
      options: [.skipsHiddenFiles])
    var found: [URL] = []
    while let item = contents?.nextObject() as? URL {
      guard item.hasDirectoryPath else { continue }
      let container = item.appending(path: ".docversions")
      if FileManager.default.fileExists(atPath: container.path) { found.append(item) }
      if (contents?.level ?? Self.depth) >= Self.depth { contents?.skipDescendants() }
    }
    folders = found.map { DocumentArgument($0) }.sorted { $0.shown < $1.shown }
  }

  private static let depth = 3

  /// A line for each, with the command that works on it.
  ///
  /// - Parameter command: the command without its last word, the folder.
  func lines(for command: String) -> [String] {
    folders.map {
      "“\($0.shown)” keeps its own versions:  docversions \(command) \($0.word)"
    }
  }
}
