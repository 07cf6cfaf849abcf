internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// Conflicts between two devices about a package, and the reports on its members.
@Suite(.blocks)
struct PackageConflictTests {
  private static let text = "one\ntwo\nthree\nfour\nfive\n"

  /// Returns a package in which Tom edited a member that Mira renamed, and both added members.
  private func conflicted(toms: [String: String] = [:]) throws -> Program {
    let base = ["a.txt": Self.text, "b.json": #"{"k": 1, "m": 1}"#, "d/x.txt": "x\n"]
    var mira = base
    mira["renamed.txt"] = mira.removeValue(forKey: "a.txt")
    mira["b.json"] = #"{"k": 2, "m": 1}"#
    mira["new.txt"] = "Mira’s\n"
    var tom = base
    tom["a.txt"] = Self.text.replacing("five", with: "5")
    tom["b.json"] = #"{"k": 1, "m": 3}"#
    for (path, text) in toms { tom[path] = text }
    return try ConflictedDocument.package("trip.imagenotes", base: base, mira: mira, tom: tom)
  }

  @Test func `members are merged, the renamed one as well`() throws {
    let program = try conflicted()
    #expect(try program.run("resolve", "--merge", "trip.imagenotes").exitCode == 0)
    #expect(try program.read("trip.imagenotes/renamed.txt") == "one\ntwo\nthree\nfour\n5\n")
    #expect(try program.read("trip.imagenotes/b.json") == #"{"k": 2, "m": 3}"#)
    #expect(!program.exists("trip.imagenotes/a.txt"))
  }

  @Test func `a clash in one member is reported; answered, the others are merged`() throws {
    let program = try conflicted(toms: ["new.txt": "Tom’s\n"])
    let result = try program.run("resolve", "--merge", "trip.imagenotes")
    #expect(result.exitCode == 1)
    #expect(result.output.contains("1 question left"))
    #expect(result.output.contains("new.txt"))
    #expect(program.exists("trip.imagenotes/new.txt"))
    let asked = try program.run("resolve", "--ask", "trip.imagenotes", input: "b\n")
    #expect(asked.exitCode == 0)
    let both = try program.read("trip.imagenotes/new.txt")
    #expect(both.contains("Mira’s\n") && both.contains("Tom’s\n"))
    #expect(try program.read("trip.imagenotes/renamed.txt") == "one\ntwo\nthree\nfour\n5\n")
    #expect(try program.read("trip.imagenotes/b.json") == #"{"k": 2, "m": 3}"#)
  }

  @Test func `a member that is no text is chosen, and the others are merged`() throws {
    let program = try conflicted(toms: ["new.txt": "\0Tom"])
    // The version that was saved last is the first.
    let asked = try program.run("resolve", "--ask", "trip.imagenotes", input: "1\n")
    #expect(asked.exitCode == 0, "\(asked.output)")
    #expect(asked.output.contains("4 bytes, no text"))
    #expect(!asked.output.contains("e  type another text"))
    #expect(try program.read("trip.imagenotes/new.txt") == "\0Tom")
    #expect(try program.read("trip.imagenotes/renamed.txt") == "one\ntwo\nthree\nfour\n5\n")
    #expect(try program.read("trip.imagenotes/b.json") == #"{"k": 2, "m": 3}"#)
  }

  @Test func `two members that come to one name are both kept`() throws {
    let program = try conflicted(toms: ["renamed.txt": "quite another text\n"])
    let asked = try program.run("resolve", "--ask", "trip.imagenotes", input: "1\n")
    #expect(asked.exitCode == 0)
    let names = try FileManager.default.contentsOfDirectory(
      atPath: program.folder["trip.imagenotes"].path)
    let texts = try names.filter { $0.hasPrefix("renamed") }
      .map { try program.read("trip.imagenotes/\($0)") }
    #expect(texts.sorted() == ["one\ntwo\nthree\nfour\n5\n", "quite another text\n"])
  }
}
