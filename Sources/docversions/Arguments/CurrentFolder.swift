internal import DocumentVersions
internal import Foundation

/// The current folder as the place of the documents below it.
enum CurrentFolder {
  /// Returns the folder for the versions of a document that was named as being below the current folder; `nil` for another
  /// document, and where the current folder may not hold them.
  ///
  /// It is the current folder, unless a folder on the way down is carried by a sync tool, a repository or a vault: these
  /// are wholes. The folder of a user and the root hold much else, and other users may not own or write into the folder.
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
