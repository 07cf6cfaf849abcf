internal import DocumentVersions

/// What versions changed against the ones that they were made from.
///
/// Members of packages are told apart by their object ids, so that a log is quick however large they are.
struct ChangeSummaries {
  enum Summary {
    /// What was changed; with every member where that was asked for.
    case known(String, members: [MemberStat]?)
    case unknown
    /// The contents should be here, but cannot be read.
    case unreadable

    var text: String {
      if case .known(let text, _) = self { text } else { "" }
    }

    var members: [MemberStat]? {
      if case .known(_, let members) = self { members } else { nil }
    }

    var isUnreadable: Bool {
      if case .unreadable = self { true } else { false }
    }
  }

  /// Larger files are not compared: a log shall be quick.
  private static let limit = 1_000_000

  private let known: [FileVersion.PersistentIdentifier: FileVersion]
  private let comparison: ContentComparison
  private let listsMembers: Bool
  /// The file that was read last: mostly it is asked for again, as the one that the version before made.
  private var lastRead: (identity: String, bytes: [UInt8]?)?

  /// - Parameter listsMembers: whether every member that was changed is wanted.
  init(_ history: DocumentHistory, _ comparison: ContentComparison, listsMembers: Bool) {
    known = Dictionary(
      history.versions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    self.comparison = comparison
    self.listsMembers = listsMembers
  }

  /// What a version changed.
  ///
  /// Asked for from new to old, the contents of a file are read once.
  mutating func summary(of version: FileVersion) -> Summary {
    do {
      let before = try version.parents.first.flatMap {
        try known[$0] ?? comparison.predecessor(of: version)
      }
      // A version that was made from one that is gone cannot be compared.
      if !version.parents.isEmpty, before == nil { return .unknown }
      guard isComparable(version), before.map(isComparable) ?? true else { return .unknown }
      let differences = try comparison.differences(
        from: before.map { .version($0) } ?? .nothing, to: .version(version),
        readingContents: listsMembers)
      // In packages, members are counted; their lines only where they are listed.
      let isCounted = listsMembers || !version.isPackage
      let stats = isCounted ? try differences.map { try stat($0) } : nil
      let text = text(differences.map(\.change), stats)
      return .known(text, members: listsMembers ? stats : nil)
    } catch let error as VersionError where error.code == .contentsNotLocal {
      return .unknown
    } catch {
      return .unreadable
    }
  }

  private func isComparable(_ version: FileVersion) -> Bool {
    let isSmall = version.isPackage || listsMembers || version.size <= Self.limit
    return !version.isDeletion && version.hasLocalContents && isSmall
  }

  private mutating func stat(_ difference: MemberDifference) throws -> MemberStat {
    try MemberStat(difference, limit: Self.limit) { info, read in
      if let lastRead, lastRead.identity == info.identity { return lastRead.bytes }
      let bytes = try read()
      lastRead = (info.identity, bytes)
      return bytes
    }
  }

  /// Lines of a text, members of a package; nothing where the two do not compare.
  private func text(_ changes: [MemberChange], _ stats: [MemberStat]?) -> String {
    if changes.contains(where: { $0.path.isEmpty }) { return stats?.first?.lines?.text ?? "" }
    func count(_ kind: MemberChange.Kind) -> Int {
      changes.reduce(0) { $0 + ($1.kind == kind ? $1.memberCount : 0) }
    }
    let counts = [
      ("+", count(.added)), ("−", count(.removed)), ("~", count(.changed)),
      ("→", count(.renamed)),
    ].filter { $0.1 > 0 }.map { "\($0.0)\($0.1)" }
    let isOne = changes.count == 1 && changes[0].memberCount == 1
    return counts.isEmpty
      ? "" : counts.joined(separator: " ") + (isOne ? " member" : " members")
  }
}
