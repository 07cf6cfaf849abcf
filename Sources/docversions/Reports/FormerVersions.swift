internal import DocumentVersions

/// The versions that a log compares each version of a history with: the first ones that they were made from.
struct FormerVersions {
  enum Former {
    /// The version was made from none.
    case nothing
    case version(FileVersion)
    /// It may be there, but is not among the versions that are listed.
    case unlisted
    /// One of the two is a deletion, gone or large, or its contents are not here.
    case incomparable
  }

  private let listed: [FileVersion.PersistentIdentifier: FileVersion]
  private let hasAll: Bool
  private let limit: Int?

  /// - Parameter limit: larger files are not compared, so that a log is quick; `nil` to compare all.
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
