internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// This device's copy of the documents in a remote git repository; it never has more than the repository.
///
/// Only its owner can read it. If it doesn't match its list of packs, it is created again from the
/// repository. Documents may rest on it: before objects are removed, the documents that have them only here
/// get stores.
struct RemoteMirror {
  let objects: PeerObjects
  /// The name of its folder.
  let name: String
  private let container: FilePath
  private let folder: FilePath
  private let packList: FilePath

  /// Opens the copy, and removes the files that an interrupted exchange left.
  init(of remote: Remote, in container: FilePath, clock: FileClock) throws {
    self.container = container
    name = Self.name(of: remote)
    let path = SyncFile.mirror(name, in: container)
    folder = path.parentFolder
    try Folder.create(folder, permissions: 0o700)
    packList = SyncFile.mirrorPacks(name, in: container)
    if try FileStatus.of(path) != nil, try !Self.isSound(path, packList, clock: clock) {
      // Its readable parts may exist nowhere else; the rest is fetched again.
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

  /// Removes the locks that a killed process left.
  ///
  /// No other process uses the copy, because the lock of the container's exchanges is held.
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

  /// Removes packs that are not known to be in the remote repository.
  ///
  /// - Returns: false if a known pack is missing or changed.
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
      // If a pack has lost its index, compaction was interrupted: the new pack, which isn't listed yet, has
      // its objects.
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

  /// Records durably that all present packs are in the remote repository as well, so that no reference leads
  /// to objects of a pack that a power cut has removed from the list.
  func recordPacks() throws {
    let packs = try objects.repository.packFiles()
    try SmallFile.replace(
      packList, Array(JSONEncoder().encode(packs)), isPrivate: true)
  }

  /// Has the copy created again when it is next opened, if its bytes differ from the received ones.
  ///
  /// - Returns: whether it will be created again.
  func distrustIfDamaged() throws -> Bool {
    guard objects.repository.hasFoundDamage else { return false }
    try Folder.removeTree(packList)
    return true
  }

  /// Returns the branches on which the front page was published or refused.
  func triedFrontPages() throws -> [String] {
    String(decoding: try SmallFile.read(frontPages) ?? [], as: UTF8.self)
      .split(separator: "\n").map(String.init)
  }

  /// Records that the front page was published or refused on a branch.
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

  /// Sets the references to those of the remote repository, and tidies up the objects.
  func follow(_ new: [String: ObjectID], check: () throws -> Void) throws {
    let former = try references()
    // Then some objects here may no longer be in the remote repository.
    let hasGone = try former.contains { name, old in
      guard let target = new[name] else { return true }
      return try target != old && !isContinuation(target, of: old)
    }
    if hasGone { try activateWhatGoes(new.values, check: check) }
    try setReferences(new)
    try tidy(removingUnreachable: hasGone, check: check)
  }

  /// Fails if documents rest on objects that neither the remote repository, which is empty, nor this copy,
  /// which was created again, has.
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
      try objects.repository.references.delete(name, expecting: target)
    }
  }

  /// Gives stores to the documents that rest on objects to which no new reference leads.
  private func activateWhatGoes(
    _ ends: some Sequence<ObjectID>, check: () throws -> Void
  ) throws {
    guard try !RestingDocuments.of(container).isEmpty else { return }
    let (ends, reachability) = (Array(ends), Reachability(in: objects.repository.objects))
    // If it isn't known what is reachable, nothing is removed, either.
    guard let reachable = try ifReadable({ try reachability.objects(from: ends, check: check) })
    else { return }
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

  /// Removes the objects that no reference leads to, or else combines small packs.
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
