internal import DocumentGit
internal import DocumentStore

/// A commit that a chain names, and its date.
struct CommitDate: Hashable, Sendable {
  let id: ObjectID
  /// Seconds since 1970.
  let seconds: Int64

  init(of id: ObjectID, _ commit: Commit) {
    self.id = id
    seconds = commit.committer.seconds
  }

  init(_ record: Record) {
    id = record.id
    seconds = record.facts.deviceSignature.seconds
  }
}

/// A chain of commits, whose parents, after the commit before, are what they carry.
///
/// A server that looks for what is new goes back in time until it meets nothing but what it has. So what is carried
/// stands in the order of its dates, and a commit has the date of the newest that it carries, while its author's date says
/// when it was made. With that date, a server would walk past all that was ever published to find what was saved before.
struct CommitChain {
  /// The last commit.
  private(set) var end: CommitDate?
  private let committer: Commit.Signature

  /// - Parameter end: the commit to go on from; nil for a new chain.
  init(after end: ObjectID?, in objects: ObjectStore, by committer: Commit.Signature) throws {
    self.end = try end.map { CommitDate(of: $0, try objects.commit($0)) }
    self.committer = committer
  }

  /// What the commits of a chain carry, each one's part; one part without anything if that is all.
  static func parts(of commits: some Collection<CommitDate>) -> [ArraySlice<CommitDate>] {
    var rest = commits.sorted { ($0.seconds, $0.id) < ($1.seconds, $1.id) }[...]
    var parts: [ArraySlice<CommitDate>] = []
    repeat {
      parts.append(rest.prefix(mostParents))
      rest = rest.dropFirst(mostParents)
    } while !rest.isEmpty
    return parts
  }

  /// Makes the next commit.
  mutating func commit(
    _ part: ArraySlice<CommitDate>, tree: ObjectID, author: Commit.Signature, _ message: String
  ) -> GitObject {
    let parents = [end].compactMap { $0 } + part
    var committer = committer
    committer.seconds = parents.map(\.seconds).max() ?? committer.seconds
    let commit = Commit(
      tree: tree, parents: parents.map(\.id), author: author, committer: committer,
      message: message)
    let object = commit.encoded()
    end = CommitDate(of: object.id, commit)
    return object
  }

  /// Git takes any number of parents; every tool still reads this number at once.
  private static let mostParents = 100
}
