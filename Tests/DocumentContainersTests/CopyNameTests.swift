import DocumentVersions
import Foundation
import Testing

@Suite("Names of conflicted copies")
struct CopyNameTests {
  struct Example: CustomTestStringConvertible, Sendable {
    let name: String
    let document: String
    let tool: ConflictedCopyName.Tool
    var author: String?
    var device: String?
    var date: String?
    var testDescription: String { name }
  }

  static let certain: [Example] = [
    Example(
      name: "notes.sync-conflict-20261121-025448-UWZBLXH.md", document: "notes.md",
      tool: .syncthing, device: "UWZBLXH", date: "2026-11-21T02:54:48Z"),
    Example(
      name: "noext.sync-conflict-20261121-025448-UWZBLXH", document: "noext", tool: .syncthing,
      device: "UWZBLXH", date: "2026-11-21T02:54:48Z"),
    Example(
      name: "a.tar.sync-conflict-20261121-025448-UWZBLXH.gz", document: "a.tar.gz",
      tool: .syncthing, device: "UWZBLXH", date: "2026-11-21T02:54:48Z"),
    Example(
      name: "old.sync-conflict-20151121-025448.md", document: "old.md", tool: .syncthing,
      date: "2015-11-21T02:54:48Z"),
    Example(
      name: "a (conflicted copy 2021-06-16 143218).md", document: "a.md", tool: .nextcloud,
      date: "2021-06-16T14:32:18Z"),
    Example(
      name: "a (conflicted copy Mira Meyer 2021-06-16 143218).md", document: "a.md",
      tool: .nextcloud, author: "Mira Meyer", date: "2021-06-16T14:32:18Z"),
    Example(
      name: "a_conflict-20180502-214552.md", document: "a.md", tool: .ownCloud,
      date: "2018-05-02T21:45:52Z"),
    Example(
      name: "a_conflict-mira-20180502-214552.md", document: "a.md", tool: .ownCloud,
      author: "mira", date: "2018-05-02T21:45:52Z"),
    Example(
      name: "a (case clash from mira).md", document: "a.md", tool: .nextcloud, author: "mira"),
    Example(
      name: "a (Mira's conflicted copy 2026-11-21).md", document: "a.md", tool: .dropbox,
      author: "Mira", date: "2026-11-21T00:00:00Z"),
    Example(
      name: "a (Tom’s phone’s conflicted copy 2026-11-21 1).md", document: "a.md", tool: .dropbox,
      author: "Tom’s phone", date: "2026-11-21T00:00:00Z"),
    Example(
      name: "a (In Konflikt stehende Kopie von Mira 2026-11-21).md", document: "a.md",
      tool: .dropbox, author: "Mira", date: "2026-11-21T00:00:00Z"),
    Example(
      name: "a (Copie en conflit de Mira 2026-11-21).md", document: "a.md", tool: .dropbox,
      author: "Mira", date: "2026-11-21T00:00:00Z"),
    Example(
      name: "a (Copia en conflicto de Eduardo Zago 2026-05-04).R", document: "a.R", tool: .dropbox,
      author: "Eduardo Zago", date: "2026-05-04T00:00:00Z"),
    Example(
      name: "index (Copia in conflitto di MBP-di-Marco.fritz.box 2026-10-08).html",
      document: "index.html", tool: .dropbox, author: "MBP-di-Marco.fritz.box",
      date: "2026-10-08T00:00:00Z"),
    Example(
      name: "a (Co\u{301}pia em conflito de pc-saito 2014-08-14).jpg", document: "a.jpg",
      tool: .dropbox, author: "pc-saito", date: "2014-08-14T00:00:00Z"),
    Example(
      name: "a (kopia powodująca konflikt użytkownika Jan 2026-10-02).json", document: "a.json",
      tool: .dropbox, author: "Jan", date: "2026-10-02T00:00:00Z"),
    Example(
      name: "a (Конфликтующая копия пользователя Alexei Macheret 2022-02-14).html",
      document: "a.html", tool: .dropbox, author: "Alexei Macheret", date: "2022-02-14T00:00:00Z"),
    Example(
      name: "a (Taketan の競合コピー 2026-09-06).md", document: "a.md", tool: .dropbox,
      author: "Taketan", date: "2026-09-06T00:00:00Z"),
    Example(
      name: "보고서 (김의 충돌된 사본 2026-09-29).md", document: "보고서.md", tool: .dropbox,
      author: "김", date: "2026-09-29T00:00:00Z"),
    Example(
      name: "a (Mira的冲突副本 2026-09-29).md", document: "a.md", tool: .dropbox, author: "Mira",
      date: "2026-09-29T00:00:00Z"),
    Example(
      name: "a (SFConflict mira@example.org 2026-08-22-14-31-07).md", document: "a.md",
      tool: .seafile, author: "mira@example.org", date: "2026-08-22T14:31:07Z"),
    Example(
      name: "a (SFConflict 2026-08-22-14-31-07).md", document: "a.md", tool: .seafile,
      date: "2026-08-22T14:31:07Z"),
    Example(
      name: "a_Andy-PC_Jan-03-0901-2013_CaseConflict_1.txt", document: "a.txt", tool: .synology,
      device: "Andy-PC", date: "2013-01-03T09:01:00Z"),
    Example(
      name: "a_DiskStation_Jan-03-090112-2013_Conflict.txt", document: "a.txt", tool: .synology,
      device: "DiskStation", date: "2013-01-03T09:01:12Z"),
    Example(
      name: "a (Conflicted copy miras-laptop 202309120923).md", document: "a.md", tool: .obsidian,
      device: "miras-laptop", date: "2023-09-12T09:23:00Z"),
    Example(
      name: "a (CONFLICT 2023-09-12 09.23).md", document: "a.md", tool: .fsNotes,
      date: "2023-09-12T09:23:00Z"),
    Example(
      name: "trip (conflict_on_2026-11-26).md", document: "trip.md", tool: .unison,
      date: "2026-11-26T00:00:00Z"),
    Example(
      name: "noext (conflict #2_on_2026-11-26)", document: "noext", tool: .unison,
      date: "2026-11-26T00:00:00Z"),
    Example(name: "a.variant-2a3f.md", document: "a.md", tool: .gitAnnex),
    Example(name: "a.md..path1", document: "a.md", tool: .rclone),
    Example(name: "a [Conflict].md", document: "a.md", tool: .googleDrive),
    Example(name: "a [conflicted].md", document: "a.md", tool: .pCloud),
    Example(
      name: "a (conflict copy by Mira 2026-11-21).md", document: "a.md", tool: .box,
      author: "Mira", date: "2026-11-21T00:00:00Z"),
  ]

  @Test("A name says document, tool, person, device and time", arguments: certain)
  func reading(example: Example) throws {
    let name = try #require(ConflictedCopyName(example.name))
    #expect(name.documentName == example.document)
    #expect(name.tools == [example.tool])
    #expect(name.author == example.author)
    #expect(name.device == example.device)
    #expect(name.date.map(Timestamp.textInSeconds) == example.date)
    #expect(name.isCertain)
  }

  @Test(
    "A copy of a copy of a copy, by several tools, is one of the document",
    arguments: [
      "a (conflicted copy 2021-06-16 143218).sync-conflict-20261121-025448-UWZBLXH.md",
      "a.sync-conflict-20261121-025448-UWZBLXH (Mira's conflicted copy 2026-11-22).md",
      "a (conflicted copy 2021-06-16 143218) (conflicted copy 2021-06-17 143218).md",
      "a (conflict_on_2026-11-26).sync-conflict-20261121-025448-UWZBLXH (case clash from mira).md",
      "a.sync-conflict-20261121-025448-UWZBLXH.md..path2",
    ])
  func nested(name: String) throws {
    let read = try #require(ConflictedCopyName(name))
    #expect(read.documentName == "a.md")
    #expect(read.tools.count >= 2)
  }

  @Test("Of nested marks the outermost says who and when")
  func outermost() throws {
    let name = try #require(
      ConflictedCopyName(
        "a.sync-conflict-20261121-025448-UWZBLXH (Mira's conflicted copy 2026-11-22).md"))
    #expect(name.tools == [.dropbox, .syncthing])
    #expect(name.author == "Mira")
    #expect(name.device == "UWZBLXH")
    #expect(name.date.map(Timestamp.textInSeconds) == "2026-11-22T00:00:00Z")
  }

  @Test(
    "A name that only looks like one is none",
    arguments: [
      "meeting (conflict resolution).md", "conflicted copy.md", "(conflicted copy 2021-06-16).md",
      "a (conflicted copy 2021-06-16) notes.md", "a.sync-conflict-.md", "a.sync-conflict-x-y-z.md",
      "sync-conflict-20261121-025448-UWZBLXH.md", "Conflict.md", "a_Conflict.md",
      "a_b_c_Conflict.md", "a.variant-long.md", "a.variant-.md", "conflict [draft].md", "a..path3",
      "..path1", "a (draft).md", "a-b.md", "", ".", "(", ")(", "a ().md", "a_conflict-.md",
    ])
  func lookalikes(name: String) {
    #expect(ConflictedCopyName(name) == nil)
  }

  @Test(
    "A name that another document may have as well is no certain one",
    arguments: [
      ("trip 2.md", "trip.md", "iCloud Drive"), ("trip (1).md", "trip.md", "Google Drive"),
      ("trip-LAPTOP.md", "trip.md", "OneDrive"),
      ("trip-DESKTOP-K3LM9.json", "trip.json", "OneDrive"),
      ("trip.md.orig", "trip.md", "an editor"), ("trip.md.mine", "trip.md", "an editor"),
      ("trip.Conflict.md", "trip.md", "Resilio Sync"), ("trip.Conflict2", "trip", "Resilio Sync"),
      ("trip.md.conflict1", "trip.md", "rclone"), ("trip.conflict1.md", "trip.md", "rclone"),
    ])
  func ambiguous(name: String, document: String, tool: String) {
    #expect(ConflictedCopyName(name) == nil)
    let readings = ConflictedCopyName.possible(name)
    #expect(
      readings.contains { $0.documentName == document && $0.tools == [.init(rawValue: tool)] })
    #expect(readings.allSatisfy { !$0.isCertain })
  }

  @Test("An impossible date is none, and the name is read all the same")
  func impossibleDate() throws {
    let name = try #require(ConflictedCopyName("a.sync-conflict-20261399-995448-UWZBLXH.md"))
    #expect(name.date == nil && name.documentName == "a.md")
  }
}
