import DocumentFiles
import DocumentGit
import Testing

@testable import DocumentStore

/// The list of resting documents in memory.
@Suite("The entries of resting documents")
struct RestingEntriesTests {
  private func document(_ path: String, versions: Int = 1) throws -> RestingDocument {
    let head = ObjectID.emptyTree
    return RestingDocument(
      path: path, identity: DocumentIdentity(.random()), mirror: versions > 1 ? "m" : Shelf.name,
      isPublished: versions > 1, head: head, contents: [head], versions: versions,
      formerHeads: [], device: 1, stamp: .none, mark: "mark")
  }

  private func names(_ entries: RestingEntries, _ folder: String) -> Set<String> {
    Set(entries.names(in: Array(folder.utf8)).map { String(decoding: $0, as: UTF8.self) })
  }

  @Test("Entries are found by their paths, and later ones count")
  func found() throws {
    var entries = RestingEntries()
    let paths = [
      "b.md", "a/x.md", "a.md", "a-b/y.md", "a/deep/z.md", "a/deep.md", "ä/1", "a\u{308}/1",
    ]
    let all = try paths.map { try document($0) }
    let bytes = all.map { RestingEntries.encoded($0) }
    entries.take(Array(bytes.prefix(3).joined())[...])
    entries.take(Array(bytes.dropFirst(3).joined())[...])
    #expect(entries.isWhole && entries.count == 8 && entries.shelved == 8)
    for document in all { #expect(entries.document(at: Array(document.path.utf8)) == document) }
    #expect(entries.document(at: Array("a".utf8)) == nil)
    #expect(names(entries, "") == ["a", "a-b", "a.md", "b.md", "ä", "a\u{308}"])
    #expect(entries.names(in: []).count == 6)
    #expect(names(entries, "a") == ["x.md", "deep", "deep.md"])
    #expect(names(entries, "a/deep") == ["z.md"] && names(entries, "a/x.md").isEmpty)
    let newer = try document("a/x.md", versions: 3)
    let changes =
      RestingEntries.encoded(departureOf: "a.md") + RestingEntries.encoded(all[1])
      + RestingEntries.encoded(newer) + RestingEntries.encoded(departureOf: "none.md")
      + RestingEntries.encoded(departureOf: "b.md") + RestingEntries.encoded(all[0])
    entries.take(changes[...])
    #expect(entries.count == 7 && entries.shelved == 6 && entries.written == 14)
    #expect(entries.document(at: Array("a/x.md".utf8)) == newer)
    #expect(entries.document(at: Array("a.md".utf8)) == nil)
    #expect(entries.document(at: Array("b.md".utf8)) == all[0])
    var same = RestingEntries()
    same.take(entries.encoded[...])
    #expect(Array(same.all) == Array(entries.all) && same.written == 7)
  }
}
