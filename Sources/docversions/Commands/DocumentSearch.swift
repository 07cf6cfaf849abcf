internal import DocumentVersions
internal import Foundation

/// Documents below the paths that were typed.
struct DocumentSearch {
  let store: SynchronousStore
  /// True if folders are searched only for documents that may be in conflict.
  var isForConflicts = false

  /// Returns every document with versions below the folders, and the named files.
  ///
  /// - Parameter paths: folders and files; none stands for the current folder.
  func documents(at paths: [DocumentArgument]) throws -> [DocumentArgument] {
    guard !paths.isEmpty else { return try documents(below: URL(filePath: ".")) }
    return try paths.flatMap { path in
      guard path.isFolder else { return [path] }
      let found = try documents(below: path.url)
      // A folder in a package holds no documents: the command reports that it is a member.
      guard found.isEmpty, MisplacedDocument.package(around: path) != nil else { return found }
      return [path]
    }.withoutRepetition
  }

  /// Returns the documents below a folder, which may be gone, that have no file under any name; none if the path isn't
  /// one of a folder.
  func documentsWithoutFiles(below path: DocumentArgument) throws -> [DocumentArgument] {
    guard path.isFolder || !path.url.isThere, let all = try store.documents(below: path.url),
      try !store.hasStore(path.url)
    else { return [] }
    let gone = all.filter { !$0.isThere }
    let renamed = try store.renamedDocuments(among: gone)
    let moves = try store.moves(of: gone)
    return
      gone.filter {
        renamed[$0] == nil && moves.places[$0] == nil && !moves.open.contains($0)
      }
      .map { DocumentArgument($0) }
  }

  /// Returns the folder that a path leads to, or its parent folder; the current folder if there is no path.
  static func folder(of path: DocumentArgument?) -> URL {
    guard let path else { return URL(filePath: ".") }
    return path.url.isThere && !path.isFolder ? path.url.deletingLastPathComponent() : path.url
  }

  private func documents(below folder: URL) throws -> [DocumentArgument] {
    let found =
      try isForConflicts
      ? store.documentsMaybeInConflict(below: folder) : store.documents(below: folder)
    guard let found else { return [] }
    return try documents(at: found)
  }

  /// Returns documents at their present locations, even if they were renamed outside docversions.
  ///
  /// - Parameter mayBeRenamed: returns false for a document that certainly hasn't moved.
  func documents(
    at found: [URL], mayBeRenamed: (URL) -> Bool = { _ in true }
  ) throws -> [DocumentArgument] {
    let renamed = try store.renamedDocuments(among: found.filter(mayBeRenamed))
    return found.map { DocumentArgument(renamed[$0] ?? $0) }
  }
}
