import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
@testable import DocumentSync
@testable import DocumentTransport

/// Random devices with many documents that meet in a folder, at a server, or at both, over a connection that
/// breaks now and then.
@Suite("Random devices meet anywhere", .blocks)
struct RemoteModelTests {
  static let seeds = TestMode.stories(short: 3, full: 50)

  @Test("Nothing saved is lost, and all come to the same", arguments: seeds)
  func story(seed: Int) throws {
    try play(MeetingStory(seed: seed), seed: seed)
  }

  @Test("The same of devices at which documents rest", arguments: seeds)
  func restingStory(seed: Int) throws {
    var story = try MeetingStory(seed: seed, isResting: true)
    try story.beginWithManyDocuments()
    try play(story, seed: seed)
  }

  @Test(
    "The same where one device only lists what is new, and downloads and evicts", arguments: seeds)
  func listingStory(seed: Int) throws {
    var story = try MeetingStory(seed: seed, isResting: true, isListing: true)
    try story.beginWithManyDocuments()
    try play(story, seed: seed)
  }

  private func play(_ beginning: MeetingStory, seed: Int) throws {
    var story = beginning
    do {
      for _ in 0..<40 { try story.step() }
      try story.end()
    } catch {
      Issue.record("seed \(seed): \(error)\n\(story.steps.joined(separator: "\n"))")
    }
  }
}

/// A story of devices that save, rename, delete, resolve, remove, undo, thin and meet.
private struct MeetingStory {
  private var random: SeededGenerator
  private let world: RemoteWorld
  private let line: CuttableLine
  private let access: RemoteAccess
  private var names: [String]
  private var backups: [(name: String, copy: URL)] = []
  private var count = 0
  private let isResting: Bool
  /// The device that only lists new documents.
  private let listing: String?
  /// The versions that were current on some device after it had synced, and so are at the remote.
  private var published: Set<FileVersion.ID> = []
  /// The steps so far, for the message of a failure.
  private(set) var steps: [String] = []

  struct Wrong: Error, CustomStringConvertible {
    let description: String
  }

  /// - Parameters:
  ///   - isResting: whether all exchange only through the server, and move files outside docversions.
  ///   - isListing: whether one of them only lists new documents.
  init(seed: Int, isResting: Bool = false, isListing: Bool = false) throws {
    self.isResting = isResting
    listing = isListing ? "tom" : nil
    random = SeededGenerator(seed: seed)
    world = try RemoteWorld()
    line = try CuttableLine(to: world.server.port)
    let count = Int.random(in: 2...5, using: &random)
    names = Array(["mira", "tom", "ida", "jan", "ada"].prefix(count))
    access = world.access
    for (index, name) in names.enumerated() {
      let device = try device(name)
      try device.store.makeContainer(device.container)
      try add(
        to: device, isResting ? .server : [.server, .both, .folder, .both, .server][index])
      if name == listing { try device.store.setListsNewDocuments(true, in: device.container) }
    }
    if isListing, Bool.random(using: &random) { try world.server.allowSingleObjects(in: "docs") }
  }

  private enum Meeting { case folder, server, both }

  private func add(to device: Device, _ meeting: Meeting) throws {
    if meeting != .folder {
      let address = world.server.address(of: "docs", port: line.port)
      try device.store.addRemote(Remote(name: "server", address: address), to: device.container)
    }
    if meeting != .server {
      let address = "file://" + world.world.scratch["meeting"].path
      try device.store.addRemote(Remote(name: "folder", address: address), to: device.container)
    }
  }

  private func device(_ name: String) throws -> Device {
    // Clocks are wrong by years.
    let offsets: [String: Double] = ["tom": -3e8, "ida": 2e8]
    let offset = offsets[name] ?? 0
    return try world.world.device(name, clockOffset: offset)
  }

  /// Begins with enough documents for them to rest when they arrive.
  mutating func beginWithManyDocuments() throws {
    let first = try device("mira")
    for number in 1...10 { try first.save("m\(number)\n", as: "m\(number).md") }
    for name in names { try sync(name) }
    let resting = try names.reduce(0) { count, name in
      try count + Array(RestingDocuments.of(device(name).container.filePath).all).count
    }
    guard resting > 0 || names.allSatisfy({ $0 == "mira" || $0 == listing }) else {
      throw Wrong(description: "No document rests.")
    }
  }

  // MARK: Steps

  mutating func step() throws {
    world.world.clock.advance(bySeconds: [0, 1, 60, 90_000].randomElement(using: &random) ?? 1)
    let name = names.randomElement(using: &random) ?? "mira"
    let device = try device(name)
    let documents = try (device.store.documents(below: device.container) ?? [])
      .filter { FileManager.default.fileExists(atPath: $0.path) }
    let chosen = documents.randomElement(using: &random)
    count += 1
    if name == listing, Bool.random(using: &random) { return try listOrDownload(device, chosen) }
    switch (Int.random(in: 0..<100, using: &random), chosen) {
    case (0..<12, _), (_, nil):
      steps.append("\(count) \(name) makes d\(count).md")
      try device.save("new \(count)\n", as: "d\(count).md")
    case (12..<40, let document?):
      steps.append("\(count) \(name) saves \(document.lastPathComponent)")
      let text = try String(contentsOf: document, encoding: .utf8)
      try Data((text + "\(name) \(count)\n").utf8).write(to: document)
      try device.store.save(document)
    case (40..<44, let document?):
      steps.append("\(count) \(name) edits \(document.lastPathComponent)")
      try Data("edited \(count)\n".utf8).write(to: document)
    case (44..<49, let document?):
      steps.append("\(count) \(name) renames \(document.lastPathComponent) to r\(count).md")
      try device.store.rename(document, to: "r\(count).md")
    case (49..<52, let document?):
      steps.append("\(count) \(name) deletes \(document.lastPathComponent)")
      // A document with edits isn't deleted.
      do { _ = try device.store.delete(document) } catch is VersionError {}
    case (52..<56, let document?):
      steps.append("\(count) \(name) thins \(document.lastPathComponent)")
      try device.store.thin(document, keeping: RetentionPolicy(last: 3))
    case (58..<60, let document?) where isResting:
      steps.append("\(count) \(name) moves \(document.lastPathComponent) to v\(count).md by hand")
      let place = document.deletingLastPathComponent().appending(path: "v\(count).md")
      try FileManager.default.moveItem(at: document, to: place)
    case (56..<60, let document?):
      steps.append("\(count) \(name) undoes in \(document.lastPathComponent)")
      do { _ = try device.store.undo(document) } catch is VersionError {}
    case (60..<62, _):
      guard names.count < 6 else { return }
      let new = "n\(count)"
      steps.append("\(count) \(new) is cloned")
      line.cut(after: nil)
      let remote = try Remote(
        name: "server", address: world.server.address(of: "docs", port: line.port))
      _ = try world.world.store(new).clone(
        remote, to: world.world.scratch[new], access: access)
      names.append(new)
    case (62..<64, _):
      steps.append("\(count) \(name) is backed up")
      let copy = world.world.scratch["backup-\(count)"]
      try FileManager.default.copyItem(at: device.container, to: copy)
      backups.append((name, copy))
    case (64..<66, _):
      guard let backup = backups.popLast() else { return }
      steps.append("\(count) \(backup.name) goes back to a backup")
      // Unsent versions would be lost with the disk, so the device first sends everything.
      try sync(backup.name)
      let container = try self.device(backup.name).container
      try FileManager.default.removeItem(at: container)
      try FileManager.default.moveItem(at: backup.copy, to: container)
    case (66..<78, _):
      let place = Int.random(in: 0...6_000, using: &random)
      steps.append("\(count) \(name) syncs, cut after \(place)")
      line.cut(after: place)
      defer { line.cut(after: nil) }
      do { try sync(name) } catch let error as VersionError {
        guard [.remoteUnreachable, .remoteRefused].contains(error.code) else { throw error }
      }
    default:
      steps.append("\(count) \(name) syncs")
      try sync(name)
    }
  }

  /// Evicts a document from the device that lists, or downloads some.
  private mutating func listOrDownload(_ device: Device, _ chosen: URL?) throws {
    if let chosen, Bool.random(using: &random) {
      steps.append("\(count) \(device.name) evicts \(chosen.lastPathComponent)")
      var failure: (any Error)?
      _ = try device.store.evict([chosen], access: access) { failure = $1 }
      let refusals: [VersionError.Code] = [.onlyHere, .unresolvedConflict, .pinnedVersion]
      if let failure, !refusals.contains(where: { $0 == (failure as? VersionError)?.code }) {
        throw failure
      }
      return
    }
    let listed = try device.store.documentsNotDownloaded(below: device.container)
    let wanted = listed.map(\.document).shuffled(using: &random)
      .prefix(Int.random(in: 1...10, using: &random))
    guard !wanted.isEmpty else { return }
    steps.append(
      "\(count) \(device.name) downloads \(wanted.map(\.lastPathComponent).joined(separator: " "))")
    for document in try device.store.download(Array(wanted), access: access).documents {
      if let failure = document.failure { throw failure }
    }
  }

  private mutating func sync(_ name: String) throws {
    let device = try device(name)
    for remote in try device.store.remotes(of: device.container) {
      for document in try device.store.sync(
        device.container, with: remote.name, access: access
      ).documents {
        if let failure = document.failure { throw failure }
      }
    }
    for document in try device.store.documents(below: device.container) ?? [] {
      let history = try device.store.history(of: document)
      published.formUnion(history.versions.filter(\.isCurrent).map(\.persistentIdentifier))
    }
  }

  // MARK: The end

  mutating func end() throws {
    line.cut(after: nil)
    if let listing, names.contains(listing) {
      let device = try device(listing)
      try device.store.setListsNewDocuments(false, in: device.container)
    }
    var states: [[String: String]] = []
    for round in 1...12 {
      for name in names { try sync(name) }
      states = try names.map(state)
      if round > 2, states.allSatisfy({ $0 == states.first }) { break }
    }
    for (name, state) in zip(names, states) where state != states.first {
      let first = states.first ?? [:]
      let different = Set(first.keys).union(state.keys).filter { first[$0] != state[$0] }.sorted()
      throw Wrong(
        description: different.map {
          "\(name) has “\(state[$0] ?? "nothing")” for \($0), not “\(first[$0] ?? "nothing")”"
        }.joined(separator: "\n"))
    }
    let lost = try names.reduce(into: published) { try $0.subtract(versions(of: $1)) }
    guard lost.isEmpty else { throw Wrong(description: "lost: \(lost)") }
    // All have the same versions now. Checking each store with git takes as long as the story.
    let checked = TestMode.pick(
      short: names.randomElement(using: &random).map { [$0] } ?? [], full: names)
    for name in checked {
      let problems = try device(name).problems()
      guard problems.isEmpty else { throw Wrong(description: "\(name): \(problems)") }
    }
    let problems = try GitCheck.problems(inStore: world.server.folder("docs"))
    guard problems.isEmpty else { throw Wrong(description: "the server: \(problems)") }
  }

  /// Returns all versions of all documents.
  private func versions(of name: String) throws -> Set<FileVersion.ID> {
    let device = try device(name)
    var all: Set<FileVersion.ID> = []
    for document in try device.store.documents(below: device.container) ?? [] {
      let history = try device.store.history(of: document)
      all.formUnion(history.versions.map(\.persistentIdentifier))
      all.formUnion(try device.store.removedVersions(of: document).map(\.id))
    }
    return all
  }

  /// Returns the current version and the conflicts of every document, by its path.
  private func state(of name: String) throws -> [String: String] {
    let device = try device(name)
    var state: [String: String] = [:]
    for document in try device.store.documents(below: device.container) ?? [] {
      let history = try device.store.history(of: document)
      let current = history.versions.first { $0.isCurrent }?.id.description ?? "none"
      let conflicts = history.unresolvedConflicts.map(\.id.description).sorted()
      let place = document.path.dropFirst(device.container.path.count)
      state[String(place)] = "\(current) \(conflicts)"
    }
    return state
  }
}
