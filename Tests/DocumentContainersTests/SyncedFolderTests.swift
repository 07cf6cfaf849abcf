import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@Suite("Folders that other tools carry")
struct SyncedFolderTests {
  @Test(
    "A tool is known by what it leaves in a folder, and named with the line that it needs",
    arguments: [
      (".stfolder/x", "Syncthing", ".stignore", ".docversions"),
      (".sync_5f3a.db", "Nextcloud", ".sync-exclude.lst", ".docversions"),
      ("._sync_5f3a.db", "Nextcloud", ".sync-exclude.lst", ".docversions"),
      (".sync/ID", "Resilio Sync", ".sync/IgnoreList", ".docversions"),
      ("seafile-ignore.txt", "Seafile", "seafile-ignore.txt", ".docversions/"),
    ])
  func traces(trace: String, tool: String, file: String, line: String) throws {
    let desk = try Device()
    try desk.write("x", to: trace)
    try desk.write("x", to: "sub/a.md")
    let found = try SyncedFolder.around(desk["sub"]).filter {
      $0.folder.path.contains(desk.container.lastPathComponent)
    }
    let folder = try #require(found.first)
    #expect(folder.tool.rawValue == tool)
    #expect(folder.ignoreFile?.path.hasSuffix("/" + file) == true)
    #expect(folder.ignoreLine == line)
    #expect(!folder.isIgnored)
  }

  @Test(
    "A tool that leaves the folder of versions out needs no line",
    arguments: [".docversions", "/.docversions", "(?d).docversions/", "  .docversions  ", ".*"])
  func ignored(line: String) throws {
    let desk = try Device()
    try desk.write("x", to: ".stfolder/x")
    try desk.write("// mine\n*.tmp\n\(line)\n", to: ".stignore")
    let folder = try #require(
      try SyncedFolder.around(desk.container).first { $0.tool == .syncthing })
    #expect(folder.isIgnored)
  }
}
