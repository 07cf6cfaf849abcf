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

/// A chain of commits.
///
/// The parents of each are the previous commit and the commits that it carries.
///
/// A server that searches for new commits walks back in time until it meets only commits that it has. So
/// carried commits are in the order of their dates, and a commit has the date of the newest one that it
/// carries; its author's date is the time when it was made. If that were its date, a server would walk past
/// everything ever published to find versions that were saved earlier.
struct CommitChain {
  /// The last commit.
  private(set) var end: CommitDate?
  private let committer: Commit.Signature

  /// - Parameter end: the commit to continue from; nil for a new chain.
  init(after end: ObjectID?, in objects: ObjectStore, by committer: Commit.Signature) throws {
    self.end = try end.map { CommitDate(of: $0, try objects.commit($0)) }
    self.committer = committer
  }

  /// Returns the part that each commit of a chain carries; one empty part if there is nothing to carry.
  static func parts(of commits: some Collection<CommitDate>) -> [ArraySlice<CommitDate>] {
    var rest = commits.sorted { ($0.seconds, $0.id) < ($1.seconds, $1.id) }[...]
    var parts: [ArraySlice<CommitDate>] = []
    repeat {
      parts.append(rest.prefix(mostParents))
      rest = rest.dropFirst(mostParents)
    } while !rest.isEmpty
    return parts
  }

  /// Creates the next commit.
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

  /// Git accepts any number of parents; every tool can read this number at once.
  private static let mostParents = 100
}
