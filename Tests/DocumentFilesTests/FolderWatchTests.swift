import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentFiles

/// Folders whose changes the system reports.
struct FolderWatchTests {
  private let scratch: ScratchFolder
  private let folder: FilePath

  init() throws {
    scratch = try ScratchFolder(isInMemory: true)
    for name in ["one", "two"] {
      try FileManager.default.createDirectory(
        at: scratch[name], withIntermediateDirectories: true)
    }
    folder = FilePath(scratch.url.path)
  }

  /// Returns a watch; nil if the system reports nothing.
  private func watch(atMost limit: Int = .max) -> FolderWatch? {
    FolderWatch(from: folder, atMost: limit)
  }

  @Test func `the folders in which something happened are reported once`() throws {
    guard let watch = watch() else { return }
    let one = try #require(watch.add(Array("one".utf8)))
    let two = try #require(watch.add(Array("t".utf8), Array("wo".utf8)))
    #expect(watch.add(Array("one".utf8)) == one)
    #expect(watch.changes() == [])
    try scratch.write("x", to: "two/file")
    #expect(watch.changes() == [two])
    #expect(watch.changes() == [])
    try FileManager.default.moveItem(at: scratch["one"], to: scratch["three"])
    try scratch.write("x", to: "three/file")
    #expect(watch.changes() == [one])
    watch.remove(two)
    #expect(watch.changes()?.subtracting([two]) == [])
    try scratch.write("y", to: "two/file")
    #expect(watch.changes() == [])
  }

  @Test func `links and files are not watched`() throws {
    guard let watch = watch() else { return }
    try FileManager.default.createSymbolicLink(
      at: scratch["link"], withDestinationURL: scratch["one"])
    try scratch.write("x", to: "file")
    for name in ["link", "file", "nothing"] { #expect(watch.add(Array(name.utf8)) == nil) }
  }

  @Test func `no more folders than allowed are watched`() throws {
    guard let watch = watch(atMost: 1) else { return }
    let one = try #require(watch.add(Array("one".utf8)))
    #expect(watch.add(Array("two".utf8)) == nil)
    watch.remove(one)
    #expect(watch.add(Array("two".utf8)) != nil)
  }

  @Test func `more changes than the system keeps are not passed over`() throws {
    guard let watch = watch() else { return }
    _ = try #require(watch.add(Array("one".utf8)))
    for number in 0..<12_000 {
      let name = folder.appending("one").appending("x\(number % 2)")
      try FileDescriptor.open(name, .writeOnly, options: .create, permissions: .ownerReadWrite)
        .close()
      try FileManager.default.removeItem(atPath: name.string)
    }
    #expect(watch.changes() == nil)
  }

  #if os(Linux)
  @Test func `its descriptor is closed at the end`() throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: scratch["one"].path)
    let inode = try #require(attributes[.systemFileNumber] as? Int)
    /// Returns whether a descriptor watches the folder; another one may have its number by now.
    func watches(_ number: Int32) -> Bool {
      do {
        return try String(contentsOfFile: "/proc/self/fdinfo/\(number)", encoding: .utf8)
          .contains("ino:\(String(inode, radix: 16)) ")
      } catch {
        return false
      }
    }
    var watch = watch()
    guard let number = watch?.number else { return }
    _ = try #require(watch?.add(Array("one".utf8)))
    #expect(watches(number))
    watch = nil
    #expect(!watches(number))
  }
  #endif
}
