internal import DocumentVersions

/// The versions that a log compares with each version of a history: the first parents.
struct FormerVersions {
  enum Former {
    /// The version has no parent.
    case nothing
    case version(FileVersion)
    /// The parent may exist, but isn't among the listed versions.
    case unlisted
    /// One of the two is a deletion, removed or too large, or its contents aren't here.
    case incomparable
  }

  private let listed: [FileVersion.PersistentIdentifier: FileVersion]
  private let hasAll: Bool
  private let limit: Int?

  /// - Parameter limit: the maximum size of compared files, so that a log is fast; `nil` to compare all.
  init(in history: DocumentHistory, limit: Int?) {
    listed = Dictionary(
      history.versions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    hasAll = history.versions.count == history.count
    self.limit = limit
  }

  func former(of version: FileVersion) -> Former {
    guard isComparable(version) else { return .incomparable }
    guard let id = version.parents.first else { return .nothing }
    guard let former = listed[id] else { return hasAll ? .incomparable : .unlisted }
    return isComparable(former) ? .version(former) : .incomparable
  }

  func isComparable(_ version: FileVersion) -> Bool {
    let isSmall = version.isPackage || limit.map { version.size <= $0 } ?? true
    return !version.isDeletion && version.hasLocalContents && isSmall
  }
}
