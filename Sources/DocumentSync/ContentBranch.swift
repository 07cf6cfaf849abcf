internal import DocumentGit
internal import DocumentStore

/// A device's branch: a chain of commits.
///
/// The tree of each has the current versions of the device's documents. Its parents are the previous commit,
/// and the commits that carry the contents of versions.
struct ContentBranch {
  let objects: ObjectStore

  /// The entry in a commit of the branch that describes the chain up to it.
  struct Counts: Equatable {
    /// The number of contents that the chain carries.
    var contents = 0
    /// The number of these that were withdrawn.
    var withdrawn = 0
    /// The first commit of the chain; nil in that commit itself.
    var start: ObjectID?
  }

  /// The result of a walk back along a branch.
  struct Walk {
    /// The contents on it, the newest first.
    var transports: [TransportCommit] = []
    /// True if the walk reached the known commit.
    var isContinuation = false
    /// Why the walk stopped early: an object has not arrived.
    var failure: GitError?
    /// The first commit of the chain.
    var start: ObjectID?
  }

  /// Walks back along a branch.
  ///
  /// - Parameter known: a commit to end at; if it is not on the branch, the walk ends at the
  ///   beginning of the branch.
  func walk(from end: ObjectID, to known: ObjectID? = nil) throws -> Walk {
    let walk = try partialWalk(from: end, to: known)
    if let failure = walk.failure { throw failure }
    return walk
  }

  /// Walks back along a branch, as far as the branch has arrived.
  func partialWalk(from end: ObjectID, to known: ObjectID?) throws -> Walk {
    var walk = Walk()
    do {
      try extend(&walk, from: end, to: known)
    } catch let error as GitError where !error.isFromSystem {
      walk.failure = error
    }
    return walk
  }

  private func extend(_ walk: inout Walk, from end: ObjectID, to known: ObjectID?) throws {
    var next: ObjectID? = end
    while let id = next {
      if id == known {
        walk.isContinuation = true
        walk.start = try counts(at: id).start ?? id
        return
      }
      let commit = try objects.commit(id)
      let isStart = Self.counts(of: commit).start == nil
      for parent in commit.parents.dropFirst(isStart ? 0 : 1) {
        guard let transport = try TransportCommit(id: parent, decoding: objects.commit(parent))
        else { throw GitError.malformed("\(parent) on a device’s branch carries no version") }
        walk.transports.append(transport)
      }
      if isStart { walk.start = id }
      next = isStart ? nil : commit.parents.first
    }
  }

  /// The entry of the commit at the end of a branch.
  func counts(at end: ObjectID) throws -> Counts {
    Self.counts(of: try objects.commit(end))
  }

  private static func counts(of commit: Commit) -> Counts {
    var counts = Counts()
    for line in commit.message.split(separator: "\n").dropFirst() {
      let fields = line.split(separator: " ")
      guard fields.count == 2 else { continue }
      switch fields[0] {
      case "Contents:": counts.contents = Int(fields[1]) ?? 0
      case "Withdrawn:": counts.withdrawn = Int(fields[1]) ?? 0
      case "Start:": counts.start = ObjectID(hexadecimal: fields[1])
      default: continue
      }
    }
    return counts
  }

  // MARK: Writing

  /// A change of a branch.
  struct Change {
    /// The last commit of the branch so far; nil begins a new branch.
    var former: ObjectID?
    /// The tree of documents.
    var tree: ObjectID
    /// The commits that carry new contents.
    var transports: [TransportCommit]
    /// The number of contents withdrawn since then.
    var withdrawn: Int
    var author: Commit.Signature
    var signature: Commit.Signature
  }

  /// Returns the commits for a change; the last one is the new end of the branch.
  func commits(for change: Change) throws -> (end: ObjectID, objects: [GitObject]) {
    var counts = try change.former.map(counts) ?? Counts()
    let start = try change.former.map { try self.counts(at: $0).start ?? $0 }
    counts.start = start
    counts.withdrawn += change.withdrawn
    var chain = try CommitChain(after: change.former, in: self.objects, by: change.signature)
    var objects: [GitObject] = []
    for part in CommitChain.parts(of: change.transports.map(\.date)) {
      counts.contents += part.count
      let versions = part.count == 1 ? "1 version" : "\(part.count) versions"
      var message = "Documents, with the contents of \(versions)\n\n"
      message += "Contents: \(counts.contents)\nWithdrawn: \(counts.withdrawn)\n"
      if let start = counts.start { message += "Start: \(start)\n" }
      let object = chain.commit(part, tree: change.tree, author: change.author, message)
      objects.append(object)
      if counts.start == nil { counts.start = object.id }
    }
    return (chain.end?.id ?? .emptyTree, objects)
  }
}

/// The tree of a branch: documents under their paths.
struct DocumentTree {
  private let objects: ObjectStore
  private var root: Level
  private var isChanged = false

  /// A folder; only its changed parts are in memory.
  private final class Level {
    var entries: [[UInt8]: Tree.Entry]
    var children: [[UInt8]: Level] = [:]
    /// The tree that it was read from.
    let former: ObjectID?

    init(_ entries: [Tree.Entry], of former: ObjectID? = nil) {
      self.former = former
      self.entries = Dictionary(entries.map { ($0.name, $0) }, uniquingKeysWith: { $1 })
    }
  }

  init(_ tree: ObjectID?, in objects: ObjectStore) throws {
    self.objects = objects
    root = Level(try tree.map { try objects.tree($0).entries } ?? [], of: tree)
  }

  /// Puts a document at its path, replacing any present one.
  mutating func set(_ entry: Tree.Entry, at path: String) throws {
    let folder = try folder(of: path, isMade: true)
    // A file stored as chunks has another name in git.
    for name in Self.names(of: path) where name != entry.name { folder?.entries[name] = nil }
    guard folder?.entries[entry.name] != entry else { return }
    folder?.entries[entry.name] = entry
    folder?.children[entry.name] = nil
    isChanged = true
  }

  /// Removes the document at a path.
  mutating func remove(_ path: String) throws {
    guard let folder = try folder(of: path, isMade: false) else { return }
    for name in Self.names(of: path) where folder.entries.removeValue(forKey: name) != nil {
      isChanged = true
    }
  }

  /// Returns the tree and the new objects, each with the object that it replaces.
  func encoded() -> (tree: ObjectID, objects: [(new: GitObject, former: ObjectID?)]) {
    var new: [(new: GitObject, former: ObjectID?)] = []
    func write(_ folder: Level) -> ObjectID {
      for (name, child) in folder.children {
        let id = write(child)
        folder.entries[name] =
          id == .emptyTree ? nil : Tree.Entry(mode: .folder, name: name, id: id)
      }
      let object = Tree(Array(folder.entries.values)).encoded()
      new.append((object, folder.former == object.id ? nil : folder.former))
      return object.id
    }
    return (write(root), new)
  }

  /// The names that a document may have in git: as one file, and as a folder of chunks.
  private static func names(of path: String) -> [[UInt8]] {
    let name = Array((path.split(separator: "/").last ?? "").utf8)
    return [false, true].map { MemberName.encoded(name, isChunked: $0) }
  }

  private func folder(of path: String, isMade: Bool) throws -> Level? {
    var folder = root
    for component in path.split(separator: "/").dropLast() {
      let name = MemberName.encoded(Array(component.utf8), isChunked: false)
      if let child = folder.children[name] {
        folder = child
      } else if let entry = folder.entries[name], entry.mode == .folder {
        let child = Level(try objects.tree(entry.id).entries, of: entry.id)
        folder.children[name] = child
        folder = child
      } else if isMade {
        let child = Level([])
        folder.children[name] = child
        folder = child
      } else {
        return nil
      }
    }
    return folder
  }
}
