import Dispatch
import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentFiles

@Suite("Programs that have a replaced file open")
struct OpenWriterTests {
  @Test(
    "A file that is open for writing stays as it is, and is replaced once it is closed",
    arguments: ["a.txt", "P.pack/one", "P.pack/two"])
  func open(name: String) throws {
    let place = try Place()
    for name in ["a.txt", "P.pack/one", "P.pack/two"] { try place.write("old", to: name) }
    let one = DocumentItem.package([("one", .text("new")), ("two", .unchanged)])
    let both = DocumentItem.package([("one", .text("new")), ("two", .text("new"))])
    let changes: [(document: String, item: DocumentItem)] =
      switch name {
      case "a.txt": [("a.txt", .text("new"))]
      case "P.pack/one": [("P.pack", one), ("P.pack", both)]
      default: [("P.pack", both)]
      }
    for (document, item) in changes {
      let path = place[document]
      let file = try FileDescriptor.open(place[name], .readWrite, options: .closeOnExec)
      let listing = try ItemListing(path, limits: nil)
      let before = try place.status(of: name)
      expectFileError(.busy) {
        try DocumentWriter.replace(path, with: item, displacing: listing, mark: "ab12")
      }
      expectFileError(.busy) {
        try DocumentWriter.remove(path, displacing: listing, mark: "ab12")
      }
      #expect(try place.status(of: name) == before)
      #expect(try place.names() == ["P.pack", "a.txt"])
      try file.close()
      try DocumentWriter.replace(path, with: item, displacing: listing, mark: "ab12")
    }
  }

  @Test("What a program writes in place at any moment is not lost", arguments: [false, true])
  func writtenAtAnyMoment(isMember: Bool) throws {
    let place = try Place()
    let (document, name) = isMember ? ("P.pack", "P.pack/one") : ("a.txt", "a.txt")
    try place.write("", to: name)
    if isMember { try place.write("two", to: "P.pack/two") }
    let path = place[name]
    let round = DispatchSemaphore(value: 0)
    let writing = Meanwhile { number in
      _ = round.wait(timeout: .now() + .milliseconds(10))
      Self.spend(microseconds: number * 137 % 4_000)
      let file = try FileDescriptor.open(path, .readWrite, options: .closeOnExec)
      Self.spend(microseconds: number * 61 % 1_000)
      let size = try file.seek(offset: 0, from: .end)
      try file.writeAll(toAbsoluteOffset: size, "w\(number);".utf8)
      try file.close()
    }
    var written: [String] = []
    for number in 0..<300 {
      round.signal()
      do {
        let listing = try ItemListing(place[document], limits: nil)
        let text = try place.text(of: name) + "r\(number);"
        let item = DocumentItem.text(text)
        try DocumentWriter.replace(
          place[document],
          with: isMember ? .package([("one", item), ("two", .unchanged)]) : item,
          displacing: listing, mark: "ab12")
        written.append("r\(number)")
      } catch let error as FileError where [.changing, .busy].contains(error.code) {}
    }
    try writing.stop()
    var texts = try place.text(of: name)
    // An edit of an item that had to go back is kept for the next operation.
    for left in try place.names() where left.hasPrefix(".docversions-") {
      texts += try place.text(of: left)
    }
    let found = Set(texts.split(separator: ";").map(String.init))
    let numbers = 1...writing.steps
    #expect(found.isSuperset(of: written))
    #expect(numbers.filter { !found.contains("w\($0)") } == [])
  }

  /// Uses the processor for a moment.
  private static func spend(microseconds: Int) {
    let end = ContinuousClock.now + .microseconds(microseconds)
    while ContinuousClock.now < end {}
  }
}
