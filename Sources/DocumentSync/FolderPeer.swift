internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import DocumentTransport
internal import SystemPackage

/// A folder as a peer: on a USB stick, on a network, or synced by a tool, which delivers files in any order.
final class FolderPeer: Peer {
  let path: FilePath
  let objects: PeerObjects
  private let clock: FileClock
  private let listing: DocumentListing?

  /// Opens the folder, and creates the repository in it if the folder is empty or missing.
  ///
  /// - Parameter container: the container that exchanges; some of its documents may be only in the folder.
  init(_ path: FilePath, in container: FilePath? = nil, clock: FileClock) throws {
    let listing = container.map { DocumentListing(ofPeer: path.string, in: $0) }
    self.path = path
    self.clock = clock
    self.listing = listing
    if let listing, try FileStatus.of(path) == nil { try listing.refuseEmptied(path.printable) }
    objects = try ExchangeFolder(path).open(clock: clock)
  }

  var key: String { path.string }

  func references() throws -> [DeviceIdentifier: DeviceReferences] {
    // Incomplete files and conflicted copies aren't references, and are ignored.
    let all = try DeviceReference.all(in: objects.repository)
    if all.isEmpty, let listing { try listing.refuseEmptied(path.printable) }
    return DeviceReferences.devices(among: all, in: objects.repository.objects)
  }

  func holds(_ contents: [ObjectID: ObjectID]) throws -> Bool {
    let branches = try references().values.compactMap(\.contents)
    guard try publishes(contents, on: branches) else { return false }
    do {
      _ = try Reachability(in: objects.repository.objects).objects(from: Array(contents.values))
      return true
    } catch  where !error.isFromSystem {
      // Part of the branch has not arrived in the folder, or was lost.
      return false
    }
  }

  func publish(
    _ batch: ObjectBatch, of device: DeviceIdentifier, branch: String,
    from former: DeviceReferences?, to new: DeviceReferences
  ) throws {
    var moves: [ReferenceMove] = []
    func add(_ name: String, _ target: ObjectID, _ former: ObjectID?) throws {
      guard target != former else { return }
      try removeIfDamaged(name)
      // Only this device writes the reference, so one that couldn't be read with the other is replaced.
      let present = try former ?? objects.repository.references.value(of: name)
      moves.append(ReferenceMove(name, to: target, expecting: present))
    }
    if let contents = new.contents {
      try add(DeviceReference.contents(of: branch), contents, former?.contents)
    }
    try add(DeviceReference.records(of: device), new.records, former?.records)
    try batch.finish(in: objects.repository, moving: moves)
  }

  /// Removes the file of an unreadable reference of this device, which arrived incompletely or was
  /// damaged on a disk.
  private func removeIfDamaged(_ reference: String) throws {
    do {
      _ = try objects.repository.references.value(of: reference)
    } catch  where !error.isFromSystem {
      try Folder.removeTree(path.pushing(FilePath(reference)))
    }
  }

  func remove(_ references: [String: ObjectID]) throws {
    for (name, target) in references {
      try objects.repository.references.delete(name, expecting: target)
    }
  }

  func packs() throws -> [String: Int] { try objects.repository.packFiles(countingIndexes: true) }

  var isTidiedByDevices: Bool { true }

  var traffic: Traffic { Traffic() }

  /// Removes the files that a killed process of this device left: packs that never got a name, and
  /// the locks of the device's own references.
  func removeUnfinished(of device: DeviceIdentifier, branch: String, wasKilled: Bool) throws {
    try objects.repository.removeUnfinishedPacks(olderThan: wasKilled ? 0 : 86_400)
    let names = [DeviceReference.records(of: device), DeviceReference.contents(of: branch)]
    for name in names {
      let lock = path.pushing(FilePath(name + ".lock"))
      guard let status = try FileStatus.of(lock) else { continue }
      // The exchange that left the lock may have been several exchanges ago. A younger lock may
      // belong to a git that packs the references.
      guard wasKilled || !Self.agesOfLocks.contains(clock.age(of: status)) else { continue }
      try Folder.removeTree(lock)
    }
  }

  /// The ages, in seconds, at which a program may still hold the lock of a reference, which takes an instant.
  private static let agesOfLocks = 0.0...10
}
