internal import DocumentFiles
package import DocumentStore
package import Foundation
internal import SystemPackage

/// A folder with a container that another tool syncs to other devices.
///
/// The tool must not sync `.docversions`, because it would overwrite a device’s store with another one’s, file by file.
/// Devices exchange versions through a separate folder.
package struct SyncedFolder: Sendable, Hashable {
  /// The tool.
  package let tool: ConflictedCopyName.Tool
  /// The folder that the tool syncs.
  package let folder: URL
  /// The tool's ignore file; `nil` if the tool has such a list only in its settings.
  package let ignoreFile: URL?
  /// The line that the ignore file needs; `nil` if there is no file.
  package let ignoreLine: String?
  /// True if the file already has such a line.
  package let isIgnored: Bool

  /// Returns the folders at or around a folder that show traces of a sync tool.
  package static func around(_ folder: URL) throws -> [SyncedFolder] {
    var path = try folder.filePath.resolvingLinks()
    var found: [SyncedFolder] = []
    while true {
      found += try traces(in: path)
      guard path.lastComponent != nil else { return found }
      path = path.parentFolder
    }
  }

  private struct Trace {
    let tool: ConflictedCopyName.Tool
    /// The names; a star at the end stands for any characters.
    let names: [String]
    var ignoreFile: String?
    var line: String?
  }

  private static let traces = [
    Trace(
      tool: .syncthing, names: [".stfolder", ".stignore"], ignoreFile: ".stignore",
      line: StoresFolder.name),
    Trace(
      tool: .nextcloud,
      names: [".sync_*", "._sync_*", ".nextcloudsync.log", ".sync-exclude.lst"],
      ignoreFile: ".sync-exclude.lst", line: StoresFolder.name),
    Trace(
      tool: .ownCloud, names: [".owncloudsync.log", ".OwnCloudSync.log"],
      ignoreFile: ".sync-exclude.lst", line: StoresFolder.name),
    Trace(tool: .dropbox, names: [".dropbox.cache"]),
    Trace(
      tool: .resilio, names: [".sync"], ignoreFile: ".sync/IgnoreList", line: StoresFolder.name),
    Trace(
      tool: .seafile, names: ["seafile-ignore.txt"], ignoreFile: "seafile-ignore.txt",
      line: StoresFolder.name + "/"),
    Trace(tool: .synology, names: [".SynologyWorkingDirectory"]),
    Trace(tool: .googleDrive, names: [".tmp.drivedownload", ".tmp.driveupload"]),
    Trace(tool: .oneDrive, names: [".849C9593-D756-4E56-8D6E-42412F2A707B"]),
  ]

  private static func traces(in folder: FilePath) throws -> [SyncedFolder] {
    let names: [String]
    do {
      names = try Folder.names(in: folder, beginningWith: [UInt8(ascii: ".")])
        .map { String(decoding: $0, as: UTF8.self) }
    } catch {
      guard error.code == .notPermitted else { throw error }
      return []
    }
    return try traces.filter { trace in
      try trace.names.contains { try isThere($0, in: folder, among: names) }
    }.map { trace in
      let file = trace.ignoreFile.map { folder.appending($0) }
      return SyncedFolder(
        tool: trace.tool, folder: URL(filePath: folder.string, directoryHint: .isDirectory),
        ignoreFile: file.map { URL(filePath: $0.string) }, ignoreLine: trace.line,
        isIgnored: try file.map(isIgnored) ?? false)
    }
  }

  private static func isThere(
    _ name: String, in folder: FilePath, among hidden: [String]
  ) throws -> Bool {
    if name.hasSuffix("*") {
      let start = String(name.dropLast())
      return hidden.contains { $0.hasPrefix(start) && $0.hasSuffix(".db") }
    }
    return name.hasPrefix(".")
      ? hidden.contains(name) : try FileStatus.of(folder.appending(name)) != nil
  }

  /// Returns whether an ignore file has a pattern for the folder of versions.
  private static func isIgnored(by file: FilePath) throws -> Bool {
    guard let bytes = try SmallFile.read(file) else { return false }
    return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).contains {
      line in
      var pattern = line.drop { $0 == " " || $0 == "\t" }
      for start in ["(?d)", "(?i)", "**/", "/"] where pattern.hasPrefix(start) {
        pattern = pattern.dropFirst(start.count)
      }
      while pattern.last == " " || pattern.last == "/" { pattern.removeLast() }
      return pattern == StoresFolder.name || pattern == ".*"
    }
  }
}
