internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import DocumentTransport
internal import SystemPackage

/// A folder as peer: on a stick, on a network, or carried by a syncing tool, which brings files in any order.
final class FolderPeer: Peer {
  let path: FilePath
  let objects: PeerObjects
  private let clock: FileClock
  private let listing: DocumentListing?

  /// Opens the folder, and makes the repository in it if it is empty or missing.
  ///
  /// - Parameter container: the container that exchanges, whose documents may be in the folder alone.
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
    // A file that has arrived by half, and a conflicted copy, are no references: they are passed over.
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
      // The folder has not received all of it, or lost some.
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
      // Nothing else writes it: one that could not be read together with the other one is replaced.
      let present = try former ?? objects.repository.reference(name)
      moves.append(ReferenceMove(name, to: target, expecting: present))
    }
    if let contents = new.contents {
      try add(DeviceReference.contents(of: branch), contents, former?.contents)
    }
    try add(DeviceReference.records(of: device), new.records, former?.records)
    try batch.finish(in: objects.repository, moving: moves)
  }

  /// Removes the file of a reference of this device that cannot be read: it has arrived by half, or a disk has damaged it.
  private func removeIfDamaged(_ reference: String) throws {
    do {
      _ = try objects.repository.reference(reference)
    } catch  where !error.isFromSystem {
      try Folder.removeTree(path.pushing(FilePath(reference)))
    }
  }

  func remove(_ references: [String: ObjectID]) throws {
    for (name, target) in references {
      try objects.repository.deleteReference(name, expecting: target)
    }
  }

  func packs() throws -> [String: Int] { try objects.repository.packFiles(countingIndexes: true) }

  var isTidiedByDevices: Bool { true }

  var traffic: Traffic { Traffic() }

  /// Removes what a process of this device that was killed has left: packs that never got a name, and the locks of the
  /// device's own references.
  func removeUnfinished(of device: DeviceIdentifier, branch: String, wasKilled: Bool) throws {
    try objects.repository.removeUnfinishedPacks(olderThan: wasKilled ? 0 : 86_400)
    let names = [DeviceReference.records(of: device), DeviceReference.contents(of: branch)]
    for name in names {
      let lock = path.pushing(FilePath(name + ".lock"))
      guard let status = try FileStatus.of(lock) else { continue }
      // The exchange that left it may have been with this peer some exchanges ago. A younger one may be of a git that packs
      // the references.
      guard wasKilled || !Self.agesOfLocks.contains(clock.age(of: status)) else { continue }
      try Folder.removeTree(lock)
    }
  }

  /// The ages, in seconds, at which a program may still hold the lock of a reference, which takes an instant.
  private static let agesOfLocks = 0.0...60
}
