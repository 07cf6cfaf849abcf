/// The value of `HEAD`.
package enum RepositoryHead: Equatable, Sendable {
  /// It is at what a reference is at, whether that exists or not.
  case attached(String)
  /// It is at a commit.
  case detached(ObjectID)

  /// The bytes of its file.
  var encoded: [UInt8] {
    switch self {
    case .attached(let reference): Array("ref: \(reference)\n".utf8)
    case .detached(let id): Array("\(id)\n".utf8)
    }
  }
}
