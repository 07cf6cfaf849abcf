import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@Suite("Resolving the conflict of a package")
struct PackageResolvingTests {
  private let world: World

  init() throws { world = try World() }

  private func save(on device: String, _ edit: (ScratchFolder, String) throws -> Void) throws {
    try edit(world.scratch, "\(device)/Trip.notes")
    world.clock.advance(bySeconds: 60)
    try world.store(device).save(world.url(device, "Trip.notes"))
  }

  /// Bytes of the packs of a device's store.
  private func storedBytes(on device: String) throws -> Int {
    let packs = world.scratch["\(device)/.docversions/documents/Trip.notes.git/objects/pack"]
    let files = try FileManager.default.contentsOfDirectory(
      at: packs, includingPropertiesForKeys: [.fileSizeKey])
    return try files.reduce(0) {
      $0 + (try $1.resourceValues(forKeys: [.fileSizeKey]).fileSize ?? 0)
    }
  }

  @Test(
    "What a version has is not stored again, whichever side it is from", arguments: ["mira", "tom"])
  func growth(resolver: String) async throws {
    var random = SeededGenerator(seed: 7)
    let photo = Data((0..<400_000).map { _ in UInt8.random(in: 0...255, using: &random) })
    let film = Data((0..<3_000_000).map { _ in UInt8.random(in: 0...255, using: &random) })
    try save(on: "mira") { scratch, package in
      try scratch.write("text\n", to: package + "/text.txt")
      try scratch.write("#!/bin/sh\n", to: package + "/tool.sh")
      try scratch.write("1\n2\n3\n4\n5\n", to: package + "/list.txt")
    }
    try world.exchange("mira", "tom")
    try save(on: "mira") { scratch, package in
      try photo.write(to: scratch[package + "/photo.raw"])
      try scratch.write("0\n2\n3\n4\n5\n", to: package + "/list.txt")
      try FileManager.default.setAttributes(
        [.posixPermissions: 0o755], ofItemAtPath: scratch[package + "/tool.sh"].path)
      try FileManager.default.createDirectory(
        at: scratch[package + "/empty"], withIntermediateDirectories: false)
    }
    try save(on: "tom") { scratch, package in
      try film.write(to: scratch[package + "/film.raw"])
      try scratch.write("1\n2\n3\n4\n6\n", to: package + "/list.txt")
      try FileManager.default.createSymbolicLink(
        atPath: scratch[package + "/link"].path, withDestinationPath: "text.txt")
    }
    try world.exchange("mira", "tom")
    let before = try storedBytes(on: resolver)
    let outcome = try await world.resolver(.merge, on: resolver)
      .resolve(world.url(resolver, "Trip.notes"))
    guard case .resolved = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(try storedBytes(on: resolver) - before < 20_000)
    try world.exchange("mira", "tom")
    for device in ["mira", "tom"] {
      let place = world.url(device, "Trip.notes")
      #expect(try Data(contentsOf: place.appending(path: "photo.raw")) == photo)
      #expect(try Data(contentsOf: place.appending(path: "film.raw")) == film)
      #expect(try world.read("Trip.notes/list.txt", on: device) == "0\n2\n3\n4\n6\n")
      let files = FileManager.default
      #expect(files.isExecutableFile(atPath: place.appending(path: "tool.sh").path))
      #expect(
        try files.destinationOfSymbolicLink(atPath: place.appending(path: "link").path)
          == "text.txt")
      #expect(try files.contentsOfDirectory(atPath: place.appending(path: "empty").path).isEmpty)
      #expect(try world.store(device).verify(place).findings.isEmpty)
    }
    try world.expectSound("mira", "tom")
  }
}
