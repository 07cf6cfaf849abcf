import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

/// Long runs of zeros take no space on disk.
@Suite("Sparse files")
struct SparseFileTests {
  private let desk: Device

  init() throws {
    desk = try Device()
  }

  /// Returns the bytes that a file takes on disk.
  private func room(of file: URL) throws -> Int {
    var status = stat()
    try #require(lstat(file.path, &status) == 0)
    return Int(status.st_blocks) * 512
  }

  @Test(
    "Zeros at the start, in between and at the end are holes, and the bytes are the same",
    arguments: [
      [0], [0, 5, 0], [5, 0, 0, 5], [5, 0], [0, 0, 0, 0, 5],
    ])
  func holes(parts: [UInt8]) throws {
    let size = 900_000
    let contents = Data(parts.flatMap { [UInt8](repeating: $0, count: size) } + [0, 0, 0])
    try contents.write(to: desk["a.img"])
    let version = try desk.store.save(desk["a.img"]).version
    try FileManager.default.removeItem(at: desk["a.img"])
    _ = try desk.store.restore(version)
    #expect(try Data(contentsOf: desk["a.img"]) == contents)
    let written = parts.count { $0 != 0 } * size
    #expect(try room(of: desk["a.img"]) < written + 3 * 65_536 * (parts.count + 1))
  }
}
