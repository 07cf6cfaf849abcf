import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentFiles

@Suite("File clock")
struct FileClockTests {
  @Test("A file that changed just now by the clock is read once a new change would show")
  func justNow() throws {
    let place = try Place()
    try place.write("text", to: "a")
    let status = try place.status(of: "a")
    let folder = try OpenFolder(place.root)
    let showsAll = try folder.open(reading: Array("a".utf8)).stampsEachChange
    let hands = MovableFileClock(standingAt: status.changed + 1_000_000)
    _ = try DocumentReader.read(place["a"], clock: hands.clock) { Lister() }
    #expect(showsAll ? hands.waits.isEmpty : hands.waits == [10_000_000])
  }

  @Test("A file that changed long ago by the clock, or in its future, is read at once")
  func longAgo() throws {
    let place = try Place()
    try place.write("text", to: "a")
    let changed = try place.status(of: "a").changed
    for distance: Int64 in [3_600_000_000_000, 11_000_000, -1_000_000] {
      let hands = MovableFileClock(standingAt: changed + distance)
      _ = try DocumentReader.read(place["a"], clock: hands.clock) { Lister() }
      #expect(hands.waits.isEmpty)
    }
  }

  @Test("A document that keeps changing is tried again by the clock")
  func again() throws {
    let place = try Place()
    try place.write("text", to: "a")
    let hands = MovableFileClock(standingAt: try place.status(of: "a").changed + 3_600_000_000_000)
    expectFileError(.changing) {
      _ = try DocumentReader.read(
        place["a"], clock: hands.clock,
        progress: { _ in try place.write("text and more", to: "a") }
      ) { Lister() }
    }
    #expect(hands.waits == [20_000_000, 20_000_000, 20_000_000])
  }

  @Test("The age of a file is counted by the clock")
  func age() throws {
    let place = try Place()
    try place.write("text", to: "a")
    let status = try place.status(of: "a")
    #expect(
      MovableFileClock(standingAt: status.modified + 600_000_000_000).clock.age(of: status) == 600)
    #expect(
      MovableFileClock(standingAt: status.modified - 1_000_000_000).clock.age(of: status) == -1)
    #expect((-60...60).contains(FileClock.system.age(of: status)))
  }
}
