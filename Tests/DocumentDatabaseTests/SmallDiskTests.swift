import DocumentDatabase
import DocumentTestSupport
import Foundation
import GRDB
import Testing

/// An operation without enough space fails with one code, whichever file can't be written.
@Suite(
  "A full disk under a document with a database",
  .enabled(if: FullDisk.isPossible, "only root can make a small disk"))
@MainActor
struct SmallDiskTests {
  /// The amounts of free space in bytes, from none up to enough for everything.
  private static let rooms = stride(from: 0, through: 2_400 << 10, by: 200 << 10)

  /// Repeats an operation with more and more space, until it succeeds.
  ///
  /// - Returns: the number of failures.
  private func failures(
    on disk: FullDisk, _ action: () async throws -> Void, after failure: () async throws -> Void
  ) async throws -> Int {
    var count = 0
    for room in Self.rooms {
      try disk.fill(leaving: room)
      do {
        try await action()
        try disk.makeSpace()
        return count
      } catch let error as FileError {
        #expect(error.code == .noSpace, "\(room): \(error)")
      } catch {
        #expect(Bool(false), "\(room): \(error)")
      }
      count += 1
      try disk.makeSpace()
      try await failure()
    }
    #expect(Bool(false), "there is never enough room")
    return count
  }

  @Test("A document is not created without room, and leaves nothing")
  func creating() async throws {
    let desk = try Desk()
    let disk = try FullDisk(at: desk.folder, size: 6 << 20)
    defer { disk.unmount() }
    var contacts = desk.contacts()
    let count = try await failures(on: disk) {
      contacts = desk.contacts()
      try await contacts.create()
    } after: {
      #expect(!contacts.isOpen)
    }
    #expect(count > 0)
    try await contacts.addMira()
    try await contacts.save()
    #expect(try desk.rowsInPackage() == "1 Mira Oslo, 7 1 12")
    try await contacts.close()
    await contacts.settleDatabases()
  }
}
