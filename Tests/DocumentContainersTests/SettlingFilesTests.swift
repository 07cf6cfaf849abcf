import DocumentFiles
import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentContainers

/// Tests of when a changing file counts as settled, with a clock that the test moves.
@Suite("Files that settle")
struct SettlingFilesTests {
  private let file: FilePath = "/n.md"
  private let start = ContinuousClock.now

  /// The status of some file.
  private let status: FileStatus

  init() throws {
    status = try #require(try FileStatus.of(FilePath(FileManager.default.temporaryDirectory.path)))
  }

  @Test("A file is due once it was left alone for the pause")
  func pause() {
    var files = SettlingFiles(pause: .seconds(2))
    files.touch(file, status, at: start)
    files.touch(file, status, at: start + .seconds(1))
    #expect(files.nextDue() == start + .seconds(3))
    #expect(files.takeDue(at: start + .seconds(2)) { _ in status }.isEmpty)
    #expect(files.hasChanged(within: .seconds(2), before: start + .seconds(2)))
    #expect(files.takeDue(at: start + .seconds(3)) { _ in status } == [file])
    #expect(files.nextDue() == nil)
  }

  @Test("A change that nothing reported begins the pause anew")
  func unreported() {
    var files = SettlingFiles(pause: .seconds(2))
    files.touch(file, nil, at: start)
    #expect(files.takeDue(at: start + .seconds(2)) { _ in status }.isEmpty)
    #expect(files.takeDue(at: start + .seconds(3)) { _ in status }.isEmpty)
    #expect(files.takeDue(at: start + .seconds(4)) { _ in status } == [file])
  }

  @Test("A file that never comes to rest is taken all the same, and one that has gone is forgotten")
  func restless() {
    var files = SettlingFiles(pause: .seconds(2))
    for second in 0..<60 {
      files.touch(file, status, at: start + .seconds(second))
      #expect(files.takeDue(at: start + .seconds(second)) { _ in status }.isEmpty)
    }
    files.touch(file, status, at: start + .seconds(60))
    #expect(files.takeDue(at: start + .seconds(60)) { _ in status } == [file])
    files.touch(file, status, at: start)
    #expect(files.takeDue(at: start + .seconds(9)) { _ in nil }.isEmpty)
    #expect(files.nextDue() == nil)
  }

  @Test("One that was modified long ago is due at once")
  func old() {
    var files = SettlingFiles(pause: .seconds(120))
    files.touch(file, status, at: start, age: .seconds(500))
    #expect(files.takeDue(at: start) { _ in status } == [file])
  }

  @Test("A file that is moved before it is due is found at its last path, by its first one")
  func moved() throws {
    let scratch = try ScratchFolder()
    let folder = FilePath(scratch.url.path)
    for name in ["n.md", "other.md", "sub/k2.md"] { try scratch.write("text", to: name) }
    let paths = ["n.md", "m.md", "sub/k.md", "other.md"].map { folder.appending($0) }
    var files = SettlingFiles(pause: .seconds(2))
    for path in [paths[0], paths[3]] { files.touch(path, try FileStatus.of(path), at: start) }
    func move(_ former: FilePath, to place: FilePath) throws -> [FilePath: FilePath] {
      try FileManager.default.moveItem(atPath: former.string, toPath: place.string)
      files.touch(place, try FileStatus.of(place), at: start)
      return files.takeMoved(from: [former])
    }
    #expect(try move(paths[0], to: paths[1]) == [paths[0]: paths[1]])
    #expect(try move(paths[1], to: paths[2]) == [paths[0]: paths[2]])
    #expect(files.count == 2)
    // A folder that has gone stands for its files; another file is no later path of theirs.
    try FileManager.default.removeItem(at: scratch["sub"])
    try scratch.write("text", to: "m.md")
    files.touch(paths[1], try FileStatus.of(paths[1]), at: start)
    #expect(files.takeMoved(from: [folder.appending("sub")]) == [:])
    #expect(files.count == 2)
  }
}
