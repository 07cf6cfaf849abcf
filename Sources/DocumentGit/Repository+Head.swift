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
    var head: OpaquePointer?
    try git("read HEAD") { unsafe git_reference_lookup(&head, handle, "HEAD") }
    defer { unsafe git_reference_free(head) }
    if let target = unsafe git_reference_target(head) {
      return unsafe .detached(ObjectID(target.pointee))
    }
    guard let name = unsafe git_reference_symbolic_target(head) else {
      throw .malformed("HEAD is at nothing")
    }
    return unsafe .attached(String(cString: name))
  }

  /// Changes `HEAD`; on return it is on the disk.
  package func setHead(_ head: RepositoryHead) throws(GitError) {
    let lock = cPath("HEAD.lock")
    let file = try GitError.retryingWhileLocked { () throws(GitError) in try NewFile(lock) }
    try file.append(Array(head.encoded.utf8))
    try file.flush()
    try file.pendingWrite.wait()
    try file.place(at: cPath("HEAD"))
    try synchronize("")
  }
}
