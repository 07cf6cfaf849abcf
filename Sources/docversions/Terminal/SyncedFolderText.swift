internal import DocumentVersions
internal import Foundation

/// The lines about excluding the folder of versions from a sync tool.
enum SyncedFolderText {
  /// Returns the lines about folders that tools sync together with the versions in them; none if the tools
  /// exclude these.
  static func lines(_ folders: [SyncedFolder]) -> [String] {
    folders.filter { !$0.isIgnored }.flatMap { folder -> [String] in
      let place = DocumentArgument(folder.folder)
      let start =
        "\(folder.tool.rawValue) carries \(place.shown), and must not carry .docversions in it."
      if let file = folder.ignoreFile, let line = folder.ignoreLine {
        return [start, "  Put this line in \(DocumentArgument(file).shown):  \(line)"]
      }
      if folder.tool == .dropbox {
        return [
          start,
          "  Say so to Dropbox:  attr -s com.dropbox.ignored -V 1 \(DocumentArgument(folder.folder.appending(path: ".docversions")).word)",
        ]
      }
      return [
        start, "  Leave the folder .docversions out in the settings of \(folder.tool.rawValue).",
      ]
    }
  }

  /// Returns the lines about a store that a save has just created, once, if a tool would sync it.
  static func lines(onStoreMadeIn folder: URL, _ store: SynchronousStore) throws -> [String] {
    guard let container = try store.container(around: folder) else { return [] }
    let warning = lines(try SyncedFolder.around(container))
    guard !warning.isEmpty else { return [] }
    let place = DocumentArgument(container.appending(path: ".docversions"))
    return ["The versions are kept in \(place.shown), on this device."] + warning
  }
}
