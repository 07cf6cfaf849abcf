import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@Suite("Adopting conflicted copies")
struct AdoptionTests {
  /// Returns a device with a plan that grew in three saves, and a copy that derives from the second one.
  private func planDesk() throws -> Device {
    let desk = try Device()
    try desk.save("# Plan\n\nTent\nBoots\n", as: "plan.md")
    try desk.save("# Plan\n\nTent\nBoots\nStove and gas\n", as: "plan.md")
    try desk.save("# Plan\n\nTent\nBoots\nStove and gas\nMap of the island\n", as: "plan.md")
    try desk.write(
      "# Plan for July\n\nTent\nBoots\nStove and gas\n", to: syncthingCopy(of: "plan"))
    return desk
  }

  @Test(
    "The base is the version all of which the copy has seen, and the changes of both are merged")
  func merging() async throws {
    let desk = try planDesk()
    let copy = try #require(try await desk.copies()[syncthingCopy(of: "plan")])
    #expect(copy.outlookWord == "merges")
    #expect(copy.author == "unknown" && copy.device == "UWZBLXH")
    #expect(copy.base?.evidence == 1)
    let adopted = try await desk.adopt(.merge)
    #expect(adopted.first?.failure == nil)
    #expect(
      try desk.read("plan.md")
        == "# Plan for July\n\nTent\nBoots\nStove and gas\nMap of the island\n")
    #expect(try desk.names() == ["plan.md"])
    let history = try desk.history("plan.md")
    #expect(history.unresolvedConflicts.isEmpty)
    let version = try #require(adopted.first?.copies.first?.version)
    #expect(version.author == "unknown" && version.savingDevice == "UWZBLXH")
    #expect(
      try await version.contents() == Data("# Plan for July\n\nTent\nBoots\nStove and gas\n".utf8))
    try desk.expectSound()
  }

  @Test("Listing changes nothing")
  func listing() async throws {
    let desk = try planDesk()
    let before = try desk.names()
    let count = try desk.history("plan.md").count
    _ = try await desk.copies()
    #expect(try desk.names() == before)
    #expect(try desk.history("plan.md").count == count)
  }

  @Test("A dry run says what would be taken, and changes nothing")
  func dryRun() async throws {
    var desk = try planDesk()
    desk.store.isDryRun = true
    let adopted = try await desk.adopt(.merge)
    #expect(adopted.first?.copies.first?.isTaken == true)
    #expect(desk.exists(syncthingCopy(of: "plan")))
    #expect(try desk.history("plan.md").count == 3)
  }

  @Test("Undoing brings the file and the document back; then the copy can be adopted again")
  func undoing() async throws {
    let desk = try planDesk()
    let name = syncthingCopy(of: "plan")
    let before = (try desk.read("plan.md"), try desk.read(name))
    try desk.setModificationDate(1_700_000_000, of: name)
    try await desk.adopt(.merge)
    let undone = try #require(try await desk.adoption.undo(in: desk.container))
    #expect(undone.failures.isEmpty && undone.changed.isEmpty)
    #expect(try desk.read("plan.md") == before.0)
    #expect(try desk.read(name) == before.1)
    let attributes = try FileManager.default.attributesOfItem(atPath: desk[name].path)
    #expect(
      attributes[.modificationDate] as? Date == Date(timeIntervalSince1970: 1_700_000_000))
    #expect(try await desk.adoption.undo(in: desk.container) == nil)

    #expect(try await desk.copies()[name]?.outlookWord == "merges")
    let again = try await desk.adopt(.merge)
    #expect(again.first?.failure == nil)
    #expect(try desk.read("plan.md").hasPrefix("# Plan for July\n"))
    #expect(!desk.exists(name))
    try desk.expectSound()
  }

  @Test("A document that was changed since keeps its changes when the adoption is undone")
  func undoingAfterChange() async throws {
    let desk = try planDesk()
    let name = syncthingCopy(of: "plan")
    try await desk.adopt(.merge)
    try desk.save("all new\n", as: "plan.md")
    let undone = try #require(try await desk.adoption.undo(in: desk.container))
    #expect(undone.changed.map(\.lastPathComponent) == ["plan.md"])
    #expect(try desk.read("plan.md") == "all new\n")
    #expect(desk.exists(name))
  }

  @Test("Equal copies join: nothing new is made of them, and their files go")
  func equal() async throws {
    let desk = try Device()
    try desk.write("one\ntwo\n", to: "a.md")
    try desk.write("one\ntwo\n", to: syncthingCopy(of: "a"))
    try desk.write("one\ntwo\n", to: "a (conflicted copy 2021-06-16 143218).md")
    let adopted = try await desk.adopt(.merge)
    #expect(adopted.first?.copies.allSatisfy(\.isRemoved) == true)
    #expect(try desk.names() == ["a.md"])
    #expect(try desk.history("a.md").count == 1)
    let undone = try #require(try await desk.adoption.undo(in: desk.container))
    #expect(undone.copies.count == 2)
    #expect(try desk.names().count == 3)
  }

  @Test("A copy with the contents of an earlier version brings nothing new")
  func ancestor() async throws {
    let desk = try planDesk()
    try desk.write("# Plan\n\nTent\nBoots\n", to: syncthingCopy(of: "plan"))
    #expect(try await desk.copies()[syncthingCopy(of: "plan")]?.outlookWord == "nothing new")
    try await desk.adopt(.merge)
    #expect(try desk.names() == ["plan.md"])
    #expect(try desk.history("plan.md").count == 3)
  }

  @Test(
    "Without a base only what is equal is sure: everything else is asked about, and stays",
    arguments: [
      ("a\nb\nc\n", "a\nb\nc\nd\n", "contains, 1 more"),
      ("a\nb\nc\nd\n", "a\nb\nd\n", "contained, 1 more"),
      ("a\nb\n", "b\na\n", "unknown base"), ("a\nb\n", "a\nc\n", "unknown base"),
      ("", "a\n", "contains, 1 more"), ("{\"a\": 1}", "{\"a\": 1, \"b\": 2}", "unknown base"),
    ])
  func withoutBase(document: String, copy: String, outlook: String) async throws {
    let desk = try Device()
    try desk.write(document, to: "x.md")
    try desk.write(copy, to: syncthingCopy(of: "x"))
    #expect(try await desk.copies()[syncthingCopy(of: "x")]?.outlookWord == outlook)
    let adopted = try await desk.adopt(.merge)
    #expect(adopted.first?.copies.first?.isTaken == false)
    #expect(try desk.read("x.md") == document)
    #expect(try desk.read(syncthingCopy(of: "x")) == copy)
  }

  @Test("A copy that lacks a line which it may never have seen has no base")
  func unseenLine() async throws {
    let desk = try Device()
    // The first save has a line that the copy may be older than.
    try desk.save("one line\nanother line\nthe new line\n", as: "a.md")
    try desk.save("one line\nanother line\nthe new line\nand more\n", as: "a.md")
    try desk.write("one line\nanother line, changed\n", to: syncthingCopy(of: "a"))
    #expect(try await desk.copies()[syncthingCopy(of: "a")]?.outlookWord == "unknown base")
  }

  @Test("A copy with another line in the place of a version’s was made from that version")
  func partlySeen() async throws {
    let desk = try Device()
    try desk.save("first line\n", as: "a.md")
    try desk.save("first line\nsecond line\nthird line\n", as: "a.md")
    try desk.write("first line\nsecond line\nfourth line\n", to: syncthingCopy(of: "a"))
    #expect(try await desk.copies()[syncthingCopy(of: "a")]?.outlookWord == "merges")
  }

  @Test("Changes that contradict each other are asked about, with the base")
  func contradiction() async throws {
    let desk = try Device()
    try desk.save("price 120\nplace Rome\n", as: "a.md")
    try desk.save("price 120\nplace Rome\nhotel by the sea\n", as: "a.md")
    try desk.save("price 95\nplace Rome\nhotel by the sea\n", as: "a.md")
    try desk.write("price 130\nplace Rome\nhotel by the sea\n", to: syncthingCopy(of: "a"))
    let copy = try #require(try await desk.copies()[syncthingCopy(of: "a")])
    #expect(copy.outlookWord == "contradiction")
    #expect(copy.base != nil)
    let adopted = try await desk.adopt(
      .merge(
        else: .ask { question in
          .answer(
            Dictionary(uniqueKeysWithValues: question.proposal.clashes.map { ($0.id, .theirs) }))
        }))
    #expect(adopted.first?.resolution != nil)
    #expect(try desk.read("a.md") == "price 130\nplace Rome\nhotel by the sea\n")
    #expect(!desk.exists(syncthingCopy(of: "a")))
  }

  @Test("A copy that is not decided about stays, as a version in conflict and as a file")
  func skipped() async throws {
    let desk = try Device()
    try desk.write("one\n", to: "a.md")
    try desk.write("two\n", to: syncthingCopy(of: "a"))
    let adopted = try await desk.adopt(.resolve(.ask { _ in .skip }))
    #expect(adopted.first?.resolution == nil)
    #expect(adopted.first?.questions.isEmpty == false)
    #expect(desk.exists(syncthingCopy(of: "a")))
    #expect(try desk.history("a.md").unresolvedConflicts.count == 1)
    // It is found again, and can be decided about.
    let again = try await desk.adopt(.latest)
    #expect(again.first?.resolution != nil)
    #expect(try desk.names() == ["a.md"])
  }

  @Test("A copy that was left open is merged once its base is found")
  func laterBase() async throws {
    let desk = try Device()
    try desk.write("first line\nsecond line\nfrom the document\n", to: "a.md")
    try desk.write("from the copy\nfirst line\nsecond line\n", to: syncthingCopy(of: "a"))
    try await desk.adopt(.resolve(.ask { _ in .skip }))
    #expect(try desk.history("a.md").unresolvedConflicts.count == 1)
    try desk.write("first line\nsecond line\n", to: ".stversions/a~20261120-101112.md")
    let adopted = try await desk.adopt(.merge)
    #expect(adopted.first?.resolution != nil)
    #expect(
      try desk.read("a.md") == "from the copy\nfirst line\nsecond line\nfrom the document\n")
    #expect(!desk.exists(syncthingCopy(of: "a")))
    try desk.expectSound()
  }

  @Test("Two documents of one name in two folders stay two")
  func sameNames() async throws {
    let desk = try Device()
    for folder in ["x", "y"] {
      try desk.write("one\n", to: "\(folder)/a.md")
      try desk.write("two\n", to: "\(folder)/" + syncthingCopy(of: "a"))
    }
    try await desk.adopt(.latest)
    let ids = try ["x", "y"].map { try desk.history("\($0)/a.md").documentIdentifier }
    #expect(ids[0] != ids[1])
  }

  @Test("The latest is taken whole, by the times of the files", arguments: [true, false])
  func latest(isCopyLater: Bool) async throws {
    let desk = try Device()
    try desk.write("one\n", to: "a.md")
    try desk.write("two\n", to: syncthingCopy(of: "a"))
    let times = [1_700_000_000.0, 1_700_000_100.0]
    for (name, time) in zip(
      isCopyLater ? ["a.md", syncthingCopy(of: "a")] : [syncthingCopy(of: "a"), "a.md"], times)
    {
      try desk.setModificationDate(time, of: name)
    }
    try await desk.adopt(.latest)
    #expect(try desk.read("a.md") == (isCopyLater ? "two\n" : "one\n"))
    #expect(try desk.names() == ["a.md"])
    #expect(Set(try desk.texts("a.md")).isSuperset(of: ["one\n", "two\n"]))
  }

  @Test("Several copies of one document are merged one after the other")
  func several() async throws {
    let desk = try Device()
    try desk.save("first line\nsecond line\nthird line\n", as: "a.md")
    try desk.write("first line\nsecond line\nthird line\nfrom Mira\n", to: "a.md")
    try desk.write("from Tom\nfirst line\nsecond line\nthird line\n", to: syncthingCopy(of: "a"))
    try desk.write(
      "first line\nsecond line\nfrom Eva\nthird line\n",
      to: syncthingCopy(of: "a", device: "ABCDEFG"))
    try await desk.adopt(.merge)
    #expect(
      try desk.read("a.md")
        == "from Tom\nfirst line\nsecond line\nfrom Eva\nthird line\nfrom Mira\n")
    #expect(try desk.names() == ["a.md"])
  }

  @Test("A document that only the copy has changed since becomes what the copy is")
  func successor() async throws {
    let desk = try Device()
    try desk.save("first line\n", as: "a.md")
    try desk.save("first line\nsecond line\n", as: "a.md")
    try desk.write("first line, better\nsecond line\n", to: syncthingCopy(of: "a"))
    try await desk.adopt(.merge)
    #expect(try desk.read("a.md") == "first line, better\nsecond line\n")
    let undone = try #require(try await desk.adoption.undo(in: desk.container))
    #expect(undone.failures.isEmpty)
    #expect(try desk.read("a.md") == "first line\nsecond line\n")
  }
}
