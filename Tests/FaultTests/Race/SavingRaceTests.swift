import DocumentTestSupport
import DocumentVersions
import Foundation
import Synchronization
import Testing

/// Many processes that work on one document at the same time.
@Suite("Processes side by side", .serialized, .blocks)
struct SavingRaceTests {
  @Test(
    "Every save of many processes is taken, and whole",
    arguments: [2, 4, 8], ["trip.md", "Trip.imagenotes"])
  func saving(writers: Int, name: String) throws {
    let desk = try RaceDesk(name: name)
    let rate = try desk.race(writers: writers, saves: TestMode.pick(short: 5, full: 10))
    print("\(writers) processes, \(name): \(Int(rate)) saves per second")
    try desk.expectNothingLost()
    try desk.expectShown(5)
  }

  @Test("Many processes make the first save of one document, and one store")
  func firstSave() throws {
    for _ in 0..<TestMode.pick(short: 3, full: 20) {
      let desk = try RaceDesk()
      let written = try desk.write(0, 0)
      try Crowd.run(8) { try desk.save(as: $0, since: written) }
      try desk.expectNothingLost()
      #expect(try SynchronousStore().history(of: desk.document).versions.count == 1)
      let stores = try FileManager.default.contentsOfDirectory(
        atPath: desk.store.deletingLastPathComponent().path)
      #expect(stores == ["trip.md.git"])
    }
  }

  @Test("The contents of each writer are stored under the identifier that it gets")
  func givenContents() throws {
    let desk = try RaceDesk()
    try desk.save(as: 0, since: desk.write(0, 0))
    let added = Mutex<[(FileVersion.PersistentIdentifier, String)]>([])
    try Crowd.run(8) { writer in
      for step in 0..<TestMode.pick(short: 4, full: 10) {
        let text = "writer \(writer) adds \(step)\n"
        let source = try desk.scratch.write(text, to: "staging/\(writer).md")
        let version = try FileVersion.add(to: desk.document, contentsOf: source)
        added.withLock { $0.append((version.id, text)) }
      }
    }
    let versions = try SynchronousStore().history(of: desk.document).versions
    for (id, text) in added.withLock({ $0 }) {
      let version = try #require(versions.first { $0.id == id }, "\(text) is missing")
      #expect(try desk.text(of: version) == text)
    }
    try desk.expectSoundStores()
  }

  @Test("Readers beside writers never meet an error")
  func readers() throws {
    let desk = try RaceDesk()
    try desk.save(as: 0, since: desk.write(0, 0))
    let failures = Mutex<[String]>([])
    let loops = [["log", desk.document.path, "--json"], ["show", desk.document.path]].map { line in
      BackgroundLoop { _ in
        let end = try desk.start(line).wait()
        if end.exitCode != 0 { failures.withLock { $0.append("\(line[0]): \(end.errorOutput)") } }
        return true
      }
    }
    try desk.race(writers: 2, saves: TestMode.pick(short: 10, full: 40))
    for loop in loops { try loop.stop(after: 4) }
    #expect(failures.withLock { $0 } == [])
    try desk.expectNothingLost()
  }
}
