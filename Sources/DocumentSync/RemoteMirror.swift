internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// This device's copy of what a git repository elsewhere holds of documents: never more than the repository has.
///
/// Only its owner can read it. Where it is not what its list of packs says, it is made anew from the repository. Documents may
/// rest on it: before anything goes, those that have it only here get stores of their own.
struct RemoteMirror {
  let objects: PeerObjects
  /// The name of its folder.
  let name: String
  private let container: FilePath
  private let folder: FilePath
  private let packList: FilePath

  /// Opens the copy, without what an interrupted exchange left.
  init(of remote: Remote, in container: FilePath, clock: FileClock) throws {
    self.container = container
    name = Self.name(of: remote)
    let path = SyncFile.mirror(name, in: container)
    folder = path.parentFolder
    try Folder.create(folder, permissions: 0o700)
    packList = SyncFile.mirrorPacks(name, in: container)
    if try FileStatus.of(path) != nil, try !Self.isSound(path, packList, clock: clock) {
      // What can still be read of it may be nowhere else; the rest is fetched again.
      try RestingDocuments.activate(
        in: container, on: name, failed: { if $0.isFromSystem { throw $0 } })
      try Folder.removeTree(path)
    }
    objects = PeerObjects(
      try ExchangeFolder(path).openRepository(clock: clock), in: nil,
      called: Printable.text(remote.address))
    try objects.repository.removeUnfinishedPacks(olderThan: 0)
    try Self.removeLocks(in: path)
  }

  /// Removes the locks that a process which was killed has left.
  ///
  /// No other process is at the copy: the lock of the container's exchanges is held.
  private static func removeLocks(in repository: FilePath) throws {
    for name in ["packed-refs.lock", "HEAD.lock"] {
      try Folder.removeTree(repository.appending(name))
    }
    try removeLocks(below: repository.appending("refs"))
  }

  private static func removeLocks(below folder: FilePath) throws {
    for member in try Folder.members(of: folder) {
      let path = folder.appending(bytes: member.name)
      if member.kind == .folder {
        try removeLocks(below: path)
      } else if member.name.suffix(5).elementsEqual(".lock".utf8) {
        try Folder.removeTree(path)
      }
    }
  }

  private static func name(of remote: Remote) -> String {
    ObjectID(of: .blob, Array(remote.address.utf8)).description
  }

  /// Returns whether anything was received from a remote.
  static func hasReceived(from remote: Remote, in container: FilePath) throws -> Bool {
    let packs = SyncFile.mirror(name(of: remote), in: container).appending("objects/pack")
    return try FileStatus.of(packs) != nil && !Folder.names(in: packs).isEmpty
  }

  /// Gives stores to the documents that rest on the copy.
  static func release(of remote: Remote, in container: FilePath) throws {
    try RestingDocuments.activate(in: container, on: name(of: remote))
  }

  /// Removes the copy, on which no document may rest.
  static func remove(of remote: Remote, in container: FilePath) throws {
    try Folder.removeTree(SyncFile.mirror(name(of: remote), in: container).parentFolder)
  }

  /// Removes packs that are not known to be on the other side.
  ///
  /// - Returns: false if one that is known is not there as it was.
  private static func isSound(
    _ path: FilePath, _ packList: FilePath, clock: FileClock
  ) throws -> Bool {
    guard let bytes = try SmallFile.read(packList, limit: 16 << 20) else { return false }
    let known: [String: Int]
    do { known = try JSONDecoder().decode([String: Int].self, from: Data(bytes)) } catch {
      return false
    }
    do {
      let repository = try ExchangeFolder(path).openRepository(clock: clock)
      let present = try repository.packFiles()
      let withIndexes = try repository.packFiles(countingIndexes: true)
      // Compaction was cut where a pack has lost its index: the new pack, which is on no list yet, has its objects.
      guard known.allSatisfy({ present[$0.key] == $0.value && withIndexes[$0.key] != $0.value })
      else { return false }
      let others = Set(present.keys).subtracting(known.keys)
      if !others.isEmpty { try repository.replacePacks(others, with: RepackPlan()) }
      for target in try DeviceReference.all(in: repository).values {
        guard try repository.contains(target) else { return false }
      }
      return true
    } catch let error as GitError where !error.isFromSystem {
      return false
    }
  }

  /// Records that all packs which are here now are on the other side as well; durably, so that no reference leads to
  /// objects of a pack that a power cut has taken off the list.
  func recordPacks() throws {
    let packs = try objects.repository.packFiles()
    try SmallFile.replace(
      packList, Array(JSONEncoder().encode(packs)), isPrivate: true)
  }

  /// Lets the copy be made anew when it is opened again, if bytes in it aren't what was received.
  ///
  /// - Returns: whether it will be.
  func distrustIfDamaged() throws -> Bool {
    guard objects.repository.hasFoundDamage else { return false }
    try Folder.removeTree(packList)
    return true
  }

  /// The branches on which the front page was published, or refused.
  func triedFrontPages() throws -> [String] {
    String(decoding: try SmallFile.read(frontPages) ?? [], as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  /// Records that the front page was published on a branch, or refused.
  func recordFrontPage(on branch: String) throws {
    let all = try triedFrontPages() + [branch]
    try SmallFile.replaceCache(
      frontPages, Array((all.joined(separator: "\n") + "\n").utf8), isPrivate: true)
  }

  private var frontPages: FilePath { folder.appending("front-page") }

  /// The references, by their full names.
  func references() throws -> [String: ObjectID] {
    try DeviceReference.all(in: objects.repository)
  }

  /// Makes the references what they are on the other side, and keeps the objects in order.
  func follow(_ new: [String: ObjectID], check: () throws -> Void) throws {
    let former = try references()
    // Then there are objects here that the other side may have let go.
    let hasGone = try former.contains { name, old in
      guard let target = new[name] else { return true }
      return try target != old && !isContinuation(target, of: old)
    }
    if hasGone { try activateWhatGoes(new.values, check: check) }
    try setReferences(new)
    try tidy(removingUnreachable: hasGone, check: check)
  }

  /// Fails if documents rest on what neither the other side has, which is empty, nor this copy, which was made anew.
  func refuseEmptied(_ place: String) throws {
    guard try references().isEmpty, try RestingDocuments.of(container).contains(mirror: name)
    else { return }
    throw VersionError(
      .remoteRefused, document: place,
      message:
        "“\(place)” is empty now, and this device has lost its copy of the versions that it held.",
      hint: """
        Nothing was changed. Bring it back; or repair the documents, which gives these versions up.
        """)
  }

  func setReferences(_ new: [String: ObjectID]) throws {
    let former = try references()
    let moves = new.sorted { $0.key < $1.key }.filter { former[$0.key] != $0.value }
      .map { ReferenceMove($0.key, to: $0.value, expecting: former[$0.key]) }
    if !moves.isEmpty { try objects.repository.commit(Transaction(moves: moves)) }
    for (name, target) in former where new[name] == nil {
      try objects.repository.deleteReference(name, expecting: target)
    }
  }

  /// Gives stores to the documents that rest on objects to which none of the new references leads.
  private func activateWhatGoes(
    _ ends: some Sequence<ObjectID>, check: () throws -> Void
  ) throws {
    guard try !RestingDocuments.of(container).isEmpty else { return }
    let reachable: Set<ObjectID>
    do {
      reachable = try Reachability(in: objects.repository.objects)
        .objects(from: Array(ends), check: check)
    } catch let error as GitError where !error.isFromSystem {
      // Nothing goes then, either.
      return
    }
    try RestingDocuments.activate(in: container, on: name) { document in
      try check()
      return try !document.contents.allSatisfy { version in
        guard reachable.contains(version) else { return false }
        let record = try Record(id: version, decoding: objects.repository.commit(version))
        return record.content.map { reachable.contains($0.tree) } ?? true
      }
    }
  }

  /// Returns whether a commit comes after another one in a chain of first parents.
  func isContinuation(_ new: ObjectID, of old: ObjectID) throws -> Bool {
    var next: ObjectID? = new
    while let id = next {
      if id == old { return true }
      next = try objects.repository.objects.commit(id).parents.first
    }
    return false
  }

  /// Removes what no reference leads to, or else puts small packs together.
  func tidy(removingUnreachable isRemoving: Bool, check: () throws -> Void) throws {
    if isRemoving {
      let all = try references()
      let devices = DeviceReferences.devices(among: all, in: objects.repository.objects)
      let packs = Set(try objects.repository.packFiles().keys)
      _ = try PeerTidying(of: objects, own: packs).removeUnreachable(from: devices, check: check)
    } else {
      try objects.repository.compactPacks(check: check)
    }
    try recordPacks()
  }
}
