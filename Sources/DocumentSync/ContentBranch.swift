internal import DocumentGit
internal import DocumentStore

/// A device's branch: a chain of commits, whose tree is the current version of each of its documents, and whose parents,
/// after the commit before, are the commits that carry the contents of versions.
struct ContentBranch {
  let objects: ObjectStore

  /// The entry of a commit of the branch about the chain up to it.
  struct Counts: Equatable {
    /// The contents that the chain carries.
    var contents = 0
    /// Those among them that were withdrawn.
    var withdrawn = 0
    /// The first commit of the chain; nil for that one itself.
    var start: ObjectID?
  }

  /// A walk back along a branch.
  struct Walk {
    /// The contents on it, the newest first.
    var transports: [TransportCommit] = []
    /// Whether it has come to the commit at which it was to end.
    var isContinuation = false
    /// Why it has not come to its end: something has not arrived.
    var failure: GitError?
    /// The first commit of the chain.
    var start: ObjectID?
  }

  /// Walks back along a branch.
  ///
  /// - Parameter known: a commit to end at; the walk ends at the beginning of the branch where it is not on it.
  func walk(from end: ObjectID, to known: ObjectID? = nil) throws -> Walk {
    let walk = try partialWalk(from: end, to: known)
    if let failure = walk.failure { throw failure }
    return walk
  }

  /// The same, as far as the branch has arrived.
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
    /// The end of the branch so far; nil begins a new one.
    var former: ObjectID?
    /// The tree of documents.
    var tree: ObjectID
    /// The commits that carry new contents.
    var transports: [TransportCommit]
    /// The number of contents that were withdrawn since.
    var withdrawn: Int
    var author: Commit.Signature
    var signature: Commit.Signature
  }

  /// The commits of a change, the last of which is the end of the branch.
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

  /// A folder, of which only what was changed is in memory.
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

  /// Puts a document at its path, in the place of what is there.
  mutating func set(_ entry: Tree.Entry, at path: String) throws {
    let folder = try folder(of: path, isMade: true)
    // A file of many pieces has another name in git.
    for name in Self.names(of: path) where name != entry.name { folder?.entries[name] = nil }
    guard folder?.entries[entry.name] != entry else { return }
    folder?.entries[entry.name] = entry
    folder?.children[entry.name] = nil
    isChanged = true
  }

  /// Takes the document at a path away.
  mutating func remove(_ path: String) throws {
    guard let folder = try folder(of: path, isMade: false) else { return }
    for name in Self.names(of: path) where folder.entries.removeValue(forKey: name) != nil {
      isChanged = true
    }
  }

  /// The tree, and the objects that are new, each with the one in whose place it is.
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

  /// The names that a document may have in git: as one file, and as a folder of pieces.
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
