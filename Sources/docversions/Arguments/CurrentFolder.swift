internal import DocumentVersions
internal import Foundation

/// The current folder as the container of the documents below it.
enum CurrentFolder {
  /// Returns the folder for the versions of a document that was named by a path below the current folder;
  /// `nil` for any other document, or if the current folder may not hold them.
  ///
  /// It is the current folder, unless a folder between the two is synced by a tool, or is a repository or a
  /// vault, because these belong together. The current folder must not be a user's home folder or the root,
  /// which hold much else, and other users must not own it or be able to write into it.
  static func place(of document: DocumentArgument) throws -> URL? {
    let manager = FileManager.default
    guard !document.path.hasPrefix("/"), manager.fileExists(atPath: document.url.path),
      !document.path.pathNames(keepingEmpty: false).contains("..")
    else { return nil }
    let current = DocumentArgument.here.url.standardizedFileURL.resolvingSymlinksInPath()
    var folder = document.url.deletingLastPathComponent().standardizedFileURL
      .resolvingSymlinksInPath()
    let home = Settings.variable("HOME").map { URL(filePath: $0).resolvingSymlinksInPath().path }
    guard folder.path.hasPrefix(current.path), current.path != "/", current.path != home else {
      return nil
    }
    var (own, inner) = (stat(), stat())
    guard stat(current.path, &own) == 0, stat(folder.path, &inner) == 0 else { return nil }
    let isOurs = own.st_uid == geteuid()
    let isOneDisk = own.st_dev == inner.st_dev
    let isShared = own.st_mode & 0o002 != 0
    guard isOurs, isOneDisk, !isShared else { return nil }
    let carried = Set(try SyncedFolder.around(folder).map(\.folder.path))
    while folder.path != current.path {
      let isWhole = [".git", ".obsidian"].contains {
        manager.fileExists(atPath: folder.appending(path: $0).path)
      }
      if isWhole || carried.contains(folder.path) { return folder }
      folder.deleteLastPathComponent()
    }
    return current
  }
}
