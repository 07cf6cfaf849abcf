import DocumentTestSupport
import Foundation
import Synchronization
import SystemPackage
import Testing

@testable import DocumentFiles

@Suite("Several writers of one folder")
struct FolderWritersTests {
  /// The name of the temporary item of a killed writer.
  private let temporary = ".docversions-wrapper-1-new.tmp"

  @Test("None takes away what another one is building")
  func together() throws {
    let place = try Place()
    let written = Mutex(0)
    let writers = (0..<4).map { number in
      Meanwhile { turn in
        let wrapper = try DocumentWrapper(directoryWithFileWrappers: [
          "a.txt": DocumentWrapper(regularFileWithContents: Data("\(turn)".utf8)),
          "b.txt": DocumentWrapper(regularFileWithContents: Data("b".utf8)),
        ])
        try wrapper.write(to: place.scratch["\(number).notes"], options: .atomic)
        written.withLock { $0 += 1 }
      }
    }
    #expect(eventually { written.withLock { $0 >= 400 } })
    for writer in writers { try writer.stop() }
    #expect(try place.names() == (0..<4).map { "\($0).notes" })
  }

  @Test("Temporary items of a killed writer go when no other one writes there, and only then")
  func temporaryItems() throws {
    let place = try Place()
    try place.write("half", to: "\(temporary)/a.txt")
    let wrapper = DocumentWrapper(regularFileWithContents: Data("text".utf8))
    let other = try Descriptor.open(folder: place.root)
    #expect(other.lock(LOCK_SH, waitingAtMost: 0) == nil)
    try wrapper.write(to: place.scratch["a.txt"])
    #expect(try place.names() == [temporary, "a.txt"])
    _ = consume other
    // A process that another test is just starting also has the lock for an instant.
    let alone = try Descriptor.open(folder: place.root)
    #expect(alone.lock(LOCK_EX, waitingAtMost: 10) == nil)
    _ = consume alone
    try wrapper.write(to: place.scratch["b.txt"])
    #expect(try place.names() == ["a.txt", "b.txt"])
  }

  @Test("Another program's lock on the folder hinders no writer, and nothing there goes")
  func lockedByOthers() throws {
    let place = try Place()
    try place.write("half", to: temporary)
    let other = try Descriptor.open(folder: place.root)
    #expect(other.lock(LOCK_EX, waitingAtMost: 0) == nil)
    var built: [String] = []
    let item = DocumentItem.text("text") { built = try place.names() }
    try DocumentWriter.replaceElsewhere(place["a.txt"], with: item, displacing: nil)
    try DocumentWrapper(regularFileWithContents: Data("b".utf8)).write(to: place.scratch["b.txt"])
    _ = consume other
    #expect(try place.names() == [temporary, "a.txt", "b.txt"])
    // The next writer must not take it for a temporary item.
    #expect(built.filter { $0.hasPrefix(".docversions-wrapper-") } == [temporary])
    #expect(built.count == 2)
  }
}
