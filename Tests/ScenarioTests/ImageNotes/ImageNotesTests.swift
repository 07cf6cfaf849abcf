import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// The stories of an app whose documents are packages, through the one import: wrappers, versions and exchange
/// together.
@Suite("An app with notes that are packages", .blocks)
struct ImageNotesTests {
  private let scratch: ScratchFolder
  private let clock = FixedClock()
  private var url: URL { scratch["Mira/Hornindal.imagenotes"] }

  init() throws {
    scratch = try ScratchFolder()
    for name in ["Mira", "Tom"] {
      try FileManager.default.createDirectory(at: scratch[name], withIntermediateDirectories: true)
    }
  }

  private func store(_ person: String = "Mira") -> SynchronousStore {
    clock.advance(bySeconds: 60)
    let now = clock.now
    return SynchronousStore(identity: Identity(author: person, device: "\(person)-laptop")) { now }
  }

  private static let picture = Fixtures.folder.appending(
    path: "packages/image-notes/Base/Image.png")

  /// A note with a real picture, saved as a version.
  private func note() throws -> (note: ImageNotes, version: FileVersion) {
    let note = try ImageNotes()
    try note.setText("The lake in the morning.\n")
    try note.setImage(Data(contentsOf: Self.picture))
    try note.save(to: url)
    return (note, try store().save(url).version)
  }

  private func inode(_ member: String) throws -> Int? {
    let path = url.appending(path: member).path
    return try FileManager.default.attributesOfItem(atPath: path)[.systemFileNumber] as? Int
  }

  private func identities(_ version: FileVersion) throws -> [String: String] {
    Dictionary(
      uniqueKeysWithValues: try store().members(of: version).map { ($0.path, $0.identity) })
  }

  @Test("Saving the text leaves the picture alone, on disk and among the versions")
  func onlyTheText() throws {
    let (note, first) = try note()
    let picture = try inode(ImageNotes.imageKey)
    try note.setText("The lake in the evening.\n")
    try note.save(to: url)
    let second = try store().save(url).version
    #expect(try inode(ImageNotes.imageKey) == picture)
    let (before, after) = try (identities(first), identities(second))
    #expect(before[ImageNotes.imageKey] == after[ImageNotes.imageKey])
    #expect(before[ImageNotes.textKey] != after[ImageNotes.textKey])
    #expect(
      try store().memberChanges(from: first, to: second).map(\.path) == [ImageNotes.textKey])
  }

  @Test("A member that became stale is made again, and nothing else changes")
  func staleMember() throws {
    let (note, first) = try note()
    let inodes = try [ImageNotes.imageKey, ImageNotes.textKey].map(inode)
    try note.setTextHidden(true)
    try note.save(to: url)
    let second = try store().save(url).version
    #expect(try [ImageNotes.imageKey, ImageNotes.textKey].map(inode) == inodes)
    #expect(
      try store().memberChanges(from: first, to: second).map(\.path) == [ImageNotes.metadataKey])
    #expect(try ImageNotes(opening: url).isTextHidden)
  }

  @Test("Without a picture a note opens, without text it is empty, without metadata it is refused")
  func missingMembers() throws {
    _ = try note()
    try FileManager.default.removeItem(at: url.appending(path: ImageNotes.imageKey))
    try FileManager.default.removeItem(at: url.appending(path: ImageNotes.textKey))
    let opened = try ImageNotes(opening: url)
    #expect(try opened.image == nil && opened.text.isEmpty)
    try FileManager.default.removeItem(at: url.appending(path: ImageNotes.metadataKey))
    #expect(throws: ImageNotes.Refusal.damaged(ImageNotes.metadataKey)) {
      try ImageNotes(opening: url)
    }
  }

  @Test("A member that goes away after opening is an error, not an empty text")
  func vanishedMember() throws {
    _ = try note()
    let opened = try ImageNotes(opening: url)
    try FileManager.default.removeItem(at: url.appending(path: ImageNotes.textKey))
    let error = #expect(throws: FileError.self) { try opened.text }
    #expect(error?.code == .notFound)
  }

  @Test("A package with more members than a note has, or of another kind, is refused")
  func untrusted() throws {
    _ = try note()
    let tool = url.appending(path: "tool.sh")
    try Data("#!/bin/sh\n".utf8).write(to: tool)
    #expect(throws: ImageNotes.Refusal.untrusted("tool.sh")) { try ImageNotes(opening: url) }
    try FileManager.default.removeItem(at: tool)
    let text = url.appending(path: ImageNotes.textKey)
    try FileManager.default.removeItem(at: text)
    try FileManager.default.createSymbolicLink(
      atPath: text.path, withDestinationPath: "/etc/hostname")
    #expect(throws: ImageNotes.Refusal.untrusted(ImageNotes.textKey)) {
      try ImageNotes(opening: url)
    }
  }

  @Test("A note of a newer app can be read, kept as a version, and not be overwritten")
  func newerFormat() throws {
    _ = try note()
    let metadata = try PropertyListSerialization.data(
      fromPropertyList: ["format": 3, "isTextHidden": false, "mood": "calm"], format: .binary,
      options: 0)
    try metadata.write(to: url.appending(path: ImageNotes.metadataKey))
    let version = try store().save(url).version
    let opened = try ImageNotes(opening: url)
    #expect(opened.isReadOnly)
    #expect(try opened.text == "The lake in the morning.\n")
    try opened.setText("older app’s text")
    #expect(throws: ImageNotes.Refusal.newerFormat(3)) { try opened.save(to: url) }
    #expect(try store().state(of: url) == .unchanged)
    #expect(try version.contents(ofMember: ImageNotes.metadataKey) == metadata)
  }

  @Test("Two notes whose names differ only in case are not both taken")
  func caseCollision() throws {
    _ = try note()
    let other = scratch["Mira/HORNINDAL.imagenotes"]
    try ImageNotes().save(to: other)
    let error = #expect(throws: FileError.self) { try store().save(other) }
    #expect(error?.code == .exists)
    #expect(error?.message.contains("Hornindal.imagenotes") == true)
  }

  @Test("Of a hundred members, exchanging one that changed moves that one")
  func incrementalTransfer() throws {
    let album = scratch["Mira/Album.imagenotes"]
    var random = SeededGenerator(seed: 1)
    func picture() -> Data {
      Data((0..<20_000).map { _ in UInt8.random(in: .min ... .max, using: &random) })
    }
    try FileManager.default.createDirectory(at: album, withIntermediateDirectories: true)
    for number in 0..<100 { try picture().write(to: album.appending(path: "\(number).png")) }
    try store().save(album)
    try store().exchange(scratch["Mira"], through: scratch["cloud"])
    let before = try size(of: scratch["cloud"])
    try picture().write(to: album.appending(path: "50.png"))
    try store().save(album)
    try store().exchange(scratch["Mira"], through: scratch["cloud"])
    let moved = try size(of: scratch["cloud"]) - before
    #expect((20_000...40_000).contains(moved), "\(moved) bytes for one picture of 20,000")
    try store("Tom").exchange(scratch["Tom"], through: scratch["cloud"])
    #expect(
      try Data(contentsOf: album.appending(path: "50.png"))
        == Data(contentsOf: scratch["Tom/Album.imagenotes/50.png"]))
  }

  private func size(of folder: URL) throws -> Int {
    try FileManager.default.subpathsOfDirectory(atPath: folder.path).reduce(0) { sum, name in
      let attributes = try FileManager.default.attributesOfItem(
        atPath: folder.appending(path: name).path)
      let isFile = attributes[.type] as? FileAttributeType == .typeRegular
      return sum + (isFile ? attributes[.size] as? Int ?? 0 : 0)
    }
  }

  @Test("A note that is sent as one piece of data is the same note")
  func serialized() throws {
    _ = try note()
    let sent = try DocumentWrapper(url: url).serializedRepresentation
    let place = scratch["Tom/Received.imagenotes"]
    try DocumentWrapper(serializedRepresentation: sent).write(to: place)
    for member in [ImageNotes.textKey, ImageNotes.imageKey, ImageNotes.metadataKey] {
      #expect(
        try Data(contentsOf: place.appending(path: member))
          == Data(contentsOf: url.appending(path: member)))
    }
    #expect(try ImageNotes(opening: place).text == "The lake in the morning.\n")
  }
}
