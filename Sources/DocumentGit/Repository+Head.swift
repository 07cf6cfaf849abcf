internal import CGit2

/// What `HEAD` says.
package enum RepositoryHead: Equatable, Sendable {
  /// It is at what a reference is at, whether that exists or not.
  case attached(String)
  /// It is at a commit.
  case detached(ObjectID)

  fileprivate var encoded: String {
    switch self {
    case .attached(let reference): "ref: \(reference)\n"
    case .detached(let id): "\(id)\n"
    }
  }
}

extension Repository {
  /// What `HEAD` says.
  package func head() throws(GitError) -> RepositoryHead {
    guard let file = try ReferenceFile("HEAD", in: self) else {
      throw GitError(
        code: GIT_ENOTFOUND.rawValue, category: Int32(GIT_ERROR_REFERENCE.rawValue),
        operation: "read HEAD", message: "it is missing")
    }
    switch file.value {
    case .object(let id): return .detached(id)
    case .reference(let name): return .attached(name)
    case nil: throw .malformed("HEAD is at nothing")
    }
  }

  /// Changes `HEAD`; on return it is on the disk.
  package func setHead(_ head: RepositoryHead) throws(GitError) {
    let lock = cPath("HEAD.lock")
    let file = try GitError.retryingWhileLocked { () throws(GitError) in try NewFile(lock) }
    try file.append(Array(head.encoded.utf8))
    try file.flush()
    try wait(for: [file.pendingWrite])
    try file.place(at: cPath("HEAD"))
    try synchronize("")
  }
}
