internal import DocumentFiles
internal import DocumentGit

/// The objects that a collect keeps, in order: everything that a reference leads to, with similar objects
/// side by side.
struct CollectionPlan {
  private let reader: StoreReader
  private var seen: Set<ObjectID> = []
  private var records: [(date: Int64, id: ObjectID)] = []
  private var contents: [(date: Int64, content: ContentCommit)] = []
  private var plan = RepackPlan()
  /// The contents at each path, newest first, and the folders likewise.
  private var runs: [String: [ObjectID]] = [:]
  private var paths: [String] = []

  /// Walks everything that the references lead to.
  ///
  /// - Throws: the errors of reading, because a store with missing objects isn't collected.
  static func make(for reader: StoreReader) throws -> RepackPlan {
    var plan = CollectionPlan(reader: reader)
    let references = try reader.objects.references(below: StoreFile.references.prefix)
    for (name, target) in references { try plan.refuseForeign(name, at: target) }
    try plan.walkCommits(from: Array(references.values))
    return try plan.finish()
  }

  /// Throws an error for a reference of another tool, whose objects would be lost.
  private func refuseForeign(_ name: String, at target: ObjectID) throws {
    guard !HeadName.isValid(name), !name.hasPrefix(TrashGroup.prefix) else { return }
    do {
      _ = try ContentCommit.record(of: target, reader.objects.repository.commit(target))
    } catch {
      if error.isFromSystem { throw error }
      throw VersionError(
        .invalidArgument, document: reader.location.printable,
        message: """
          The store of “\(reader.location.printable)” has the reference “\(Printable.text(name))”, which is none of its \
          own: while it is there, nothing is collected.
          """,
        recovery: .removeReference(name: name), cause: error)
    }
  }

  private init(reader: StoreReader) {
    self.reader = reader
  }

  private mutating func walkCommits(from roots: [ObjectID]) throws {
    var pending = roots
    while let next = pending.popLast() {
      guard seen.insert(next).inserted else { continue }
      let commit = try reader.objects.repository.commit(next)
      pending += commit.parents
      if Record.isRecord(commit) {
        records.append((try reader.record(next).facts.date, next))
      } else {
        let content = try ContentCommit(id: next, decoding: commit)
        contents.append((try reader.record(content.record).facts.date, content))
      }
    }
  }

  private mutating func finish() throws -> RepackPlan {
    contents.sort { $0.date != $1.date ? $0.date > $1.date : $0.content.id > $1.content.id }
    records.sort { $0.date != $1.date ? $0.date > $1.date : $0.id > $1.id }
    for (_, content) in contents { try walkTree(content.tree, at: "", depth: 0) }
    // The tree of the records' commits.
    if !records.isEmpty { try walkTree(.emptyTree, at: "", depth: 0) }
    plan.runs = [records.map(\.id), contents.map(\.content.id)] + paths.compactMap { runs[$0] }
    return plan
  }

  private mutating func walkTree(_ tree: ObjectID, at path: String, depth: Int) throws {
    guard seen.insert(tree).inserted else { return }
    guard depth <= DocumentLimits().depth else {
      throw GitError.malformed("the folders of \(tree) are nested too deeply")
    }
    add(tree, at: path + "/")
    for entry in try reader.objects.repository.tree(tree).entries {
      let place = path + "/" + String(decoding: entry.name, as: UTF8.self)
      if MemberName.decoded(entry.name)?.isChunked == true {
        try walkChunks(below: entry.id, at: place)
      } else if entry.mode == .folder {
        try walkTree(entry.id, at: place, depth: depth + 1)
      } else if seen.insert(entry.id).inserted {
        add(entry.id, at: place)
      }
    }
  }

  /// Adds the chunks of a file singly, because two chunks are either equal or not similar at all.
  private mutating func walkChunks(below tree: ObjectID, at path: String) throws {
    guard seen.insert(tree).inserted else { return }
    add(tree, at: path + "/")
    for entry in try reader.objects.repository.tree(tree).entries {
      if entry.mode == .folder {
        try walkChunks(below: entry.id, at: path)
      } else if seen.insert(entry.id).inserted {
        plan.singles.append(entry.id)
      }
    }
  }

  private mutating func add(_ id: ObjectID, at path: String) {
    if runs[path] == nil { paths.append(path) }
    runs[path, default: []].append(id)
  }
}
