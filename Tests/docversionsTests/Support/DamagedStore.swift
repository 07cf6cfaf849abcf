internal import DocumentTestSupport
internal import DocumentVersions
internal import Foundation
internal import Testing

/// A document with three versions, whose store a test damages.
extension Program {
  /// Creates the document without running the program; each version has a separate pack.
  static func withThreeVersions() throws -> Program {
    let program = try Program()
    let clock = FixedClock()
    for edition in 1...3 {
      clock.advance(bySeconds: 60)
      let now = clock.now
      let lines = (1...200).map { "\($0 &* edition &* 2_654_435_761 % 1_000_003)\n" }
      try program.write(lines.joined(), to: "trip.md")
      try SynchronousStore(
        identity: Identity(author: program.author, device: program.device), clock: { now }
      ).save(program.folder["trip.md"])
    }
    return program
  }

  /// The store of `trip.md`.
  var store: URL { folder[".docversions/documents/trip.md.git"] }

  /// Every file of the store with its bytes.
  func storeFiles() throws -> [String: Data] {
    let names = try FileManager.default.subpathsOfDirectory(atPath: store.path)
    return try names.reduce(into: [:]) { files, name in
      var isFolder = ObjCBool(false)
      let file = store.appending(path: name)
      _ = FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder)
      if !isFolder.boolValue { files[name] = try Data(contentsOf: file) }
    }
  }

  func removeFromStore(_ name: String) throws {
    try FileManager.default.removeItem(at: store.appending(path: name))
  }

  /// Flips a bit in the first version's contents, which no other version has.
  func flipByteInOldestPack() throws {
    let packs = try FileManager.default.contentsOfDirectory(
      at: store.appending(path: "objects/pack"),
      includingPropertiesForKeys: [.contentModificationDateKey]
    )
    // The very first pack has only the objects that every store has.
    let oldest =
      try packs.filter { try $0.pathExtension == "pack" && Data(contentsOf: $0).count > 500 }
      .min { try Self.modified($0) < Self.modified($1) }
    let pack = try #require(oldest)
    var bytes = try Data(contentsOf: pack)
    // The bit is in the pack's first entry, the first version's contents.
    bytes[bytes.startIndex + 20] ^= 1
    try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: pack.path)
    try bytes.write(to: pack)
  }

  private static func modified(_ file: URL) throws -> Date {
    let values = try file.resourceValues(forKeys: [.contentModificationDateKey])
    return try #require(values.contentModificationDate)
  }

  /// The contents of all versions.
  func contents() throws -> [String] {
    try versions(of: "trip.md").map { try run("show", "trip.md", $0).output }
  }

  /// Returns the document's bytes and the identity of its file, to check that it is unchanged.
  func documentStatus() throws -> [String] {
    let attributes = try FileManager.default.attributesOfItem(atPath: folder["trip.md"].path)
    return [
      try read("trip.md"), "\(attributes[.systemFileNumber] ?? "")",
      "\(attributes[.modificationDate] ?? "")",
    ]
  }
}
