/// The value of `HEAD`.
package enum RepositoryHead: Equatable, Sendable {
  /// It points to a reference, which need not exist.
  case attached(String)
  /// It points to a commit.
  case detached(ObjectID)

  /// The bytes of its file.
  var encoded: [UInt8] {
    switch self {
    case .attached(let reference): Array("ref: \(reference)\n".utf8)
    case .detached(let id): Array("\(id)\n".utf8)
    }
  }
}
