import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
import DocumentSync

@Suite("Names that differ only in their spelling")
struct SpellingTests {
  @Test(
    "Two documents of a container can’t have names that some disks take for one",
    arguments: [
      ("mydoc.txt", "MyDoc.TXT"), ("Notes/a.txt", "notes/a.txt"),
      ("caf\u{E9}.txt", "cafe\u{301}.txt"),
    ])
  func refused(first: String, second: String) throws {
    let desk = try Device()
    // Makes the folder the container, and not the one inside it.
    try desk.save("top\n", as: "top.txt")
    try desk.save("one\n", as: first)
    expectFileError(.exists) { try desk.save("two\n", as: second) }
    #expect(try desk.history(first).versions.count == 1)
    #expect(try desk.read(second) == "two\n")
  }

  @Test("A document can be renamed to another spelling of its own name")
  func ownSpelling() throws {
    let desk = try Device()
    try desk.save("one\n", as: "mydoc.txt")
    try desk.store.rename(desk["mydoc.txt"], to: "MyDoc.txt")
    #expect(try desk.history("MyDoc.txt").versions.count == 2)
  }

  @Test("The name is free once the other document is gone from the disk")
  func free() throws {
    let desk = try Device()
    try desk.save("one\n", as: "mydoc.txt")
    try desk.store.delete(desk["mydoc.txt"])
    try desk.save("two\n", as: "MYDOC.txt")
    #expect(try desk.history("MYDOC.txt").versions.count == 1)
  }

  @Test("Devices that meet with two spellings number the same one of them")
  func exchanged() throws {
    let scratch = try ScratchFolder()
    let clock = FixedClock()
    let desks = try ["Mira", "Tom"].map { try Device($0, in: scratch, clock: clock) }
    try desks[0].save("Mira’s\n", as: "mydoc.txt")
    try desks[1].save("Tom’s\n", as: "MyDoc.TXT")
    for _ in 0..<3 {
      for desk in desks { try desk.store.exchange(desk.container, through: scratch["cloud"]) }
    }
    let names = try desks.map { desk in
      try FileManager.default.contentsOfDirectory(atPath: desk.container.path)
        .filter { !$0.hasPrefix(".") }.sorted()
    }
    #expect(names[0] == names[1])
    #expect(Set(names[0].map { $0.lowercased() }).count == 2)
    #expect(names[0].contains { $0.contains(" 2.") })
  }
}
