internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// This device's copy of what a git repository elsewhere holds of documents: never more than the repository has.
///
/// A cache that only its owner can read: where it is not what its list of packs says, it is made anew from the repository.
struct RemoteMirror {
  let objects: PeerObjects
  private let folder: FilePath

  /// Opens the copy, without what an interrupted exchange left.
  init(of remote: Remote, in container: FilePath, clock: FileClock) throws {
    folder = Self.folder(of: remote, in: container)
    try Folder.create(folder, permissions: 0o700)
    let path = folder.appending("git")
    if try FileStatus.of(path) != nil, try !Self.isSound(folder, clock: clock) {
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

  private static func folder(of remote: Remote, in container: FilePath) -> FilePath {
    let name = ObjectID(of: .blob, Array(remote.address.utf8)).description
    return SyncFile.mirrors.path(in: container).appending(name)
  }

  /// Removes the copy.
  static func remove(of remote: Remote, in container: FilePath) throws {
    try Folder.removeTree(folder(of: remote, in: container))
  }

  private static func list(in folder: FilePath) -> FilePath { folder.appending("packs") }

  /// Removes packs that are not known to be on the other side.
  ///
  /// - Returns: false where one that is known is not there as it was.
  private static func isSound(_ folder: FilePath, clock: FileClock) throws -> Bool {
    guard let bytes = try SmallFile.read(list(in: folder), limit: 16 << 20) else { return false }
    let known: [String: Int]
    do { known = try JSONDecoder().decode([String: Int].self, from: Data(bytes)) } catch {
      return false
    }
    do {
      let repository = try ExchangeFolder(folder.appending("git")).openRepository(clock: clock)
      let present = try repository.packFiles()
      guard known.allSatisfy({ present[$0.key] == $0.value }) else { return false }
      let others = Set(present.keys).subtracting(known.keys)
      if !others.isEmpty { try repository.replacePacks(others, with: RepackPlan()) }
      return true
    } catch let error as GitError where !error.isFromSystem {
      return false
    }
  }

  /// Records that all packs which are here now are on the other side as well.
  func recordPacks() throws {
    let packs = try objects.repository.packFiles()
    try SmallFile.replaceCache(
      Self.list(in: folder), Array(JSONEncoder().encode(packs)), isPrivate: true)
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

  /// Makes the references what they are on the other side.
  ///
  /// - Returns: true if some were removed, or lead elsewhere than forward: then there are objects here that the other
  ///   side may have let go.
  func setReferences(_ new: [String: ObjectID]) throws -> Bool {
    let former = try references()
    var hasGone = false
    var moves: [ReferenceMove] = []
    for (name, target) in new.sorted(by: { $0.key < $1.key }) where former[name] != target {
      moves.append(ReferenceMove(name, to: target, expecting: former[name]))
      if let old = former[name], try !isContinuation(target, of: old) { hasGone = true }
    }
    if !moves.isEmpty { try objects.repository.commit(Transaction(moves: moves)) }
    for (name, target) in former where new[name] == nil {
      try objects.repository.deleteReference(name, expecting: target)
      hasGone = true
    }
    return hasGone
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
