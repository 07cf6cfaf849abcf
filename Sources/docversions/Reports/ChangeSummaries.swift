internal import DocumentVersions

/// The changes of a version since the one that it is based on.
enum ChangeSummary {
  /// The counts are known; with every changed member if requested.
  case known(ChangeCounts, members: [MemberStat]?)
  case unknown
  /// The contents should be here, but can't be read.
  case unreadable

  var counts: ChangeCounts? {
    if case .known(let counts, _) = self { counts } else { nil }
  }

  var members: [MemberStat]? {
    if case .known(_, let members) = self { members } else { nil }
  }

  var isUnreadable: Bool {
    if case .unreadable = self { true } else { false }
  }
}

/// The changes of versions since the ones that they are based on.
///
/// Compares members of packages by their object ids, so that a log is fast for any size.
struct ChangeSummaries {
  /// The maximum size of compared files, so that a log is fast.
  private static let limit = 1_000_000

  private let comparison: ContentComparison
  private let listsMembers: Bool
  private let formers: FormerVersions
  /// The file that was read last; usually it is needed again, as the file of the previous version.
  private var lastRead: (identity: String, bytes: [UInt8]?)?

  /// - Parameter listsMembers: whether to list every changed member.
  init(_ history: DocumentHistory, _ comparison: ContentComparison, listsMembers: Bool) {
    self.comparison = comparison
    self.listsMembers = listsMembers
    formers = FormerVersions(in: history, limit: listsMembers ? nil : Self.limit)
  }

  /// Returns the counts of the changes of versions.
  ///
  /// The store has a cache of earlier counts; only the contents of the remaining versions are read.
  static func counted(
    _ versions: [FileVersion], of history: DocumentHistory, in store: SynchronousStore
  ) throws -> [ChangeSummary] {
    guard let first = versions.first else { return [] }
    var known = store.knownChangeCounts(of: history.document)
    let formers = FormerVersions(in: history, limit: limit)
    var summaries = versions.map { version -> ChangeSummary? in
      switch formers.former(of: version) {
      case .incomparable: .unknown
      case .unlisted: nil
      case .nothing, .version: known.counts(of: version).map { .known($0, members: nil) }
      }
    }
    if summaries.contains(where: { $0 == nil }) {
      try store.comparing(first) { comparison in
        var changes = ChangeSummaries(history, comparison, listsMembers: false)
        for (place, version) in versions.enumerated() where summaries[place] == nil {
          let summary = try changes.summary(of: version)
          if let counts = summary.counts { known.add(counts, of: version) }
          summaries[place] = summary
        }
      }
      known.write()
    }
    return summaries.compactMap(\.self)
  }

  /// Returns the changes of a version.
  ///
  /// If versions are requested from new to old, the contents of a file are read only once.
  ///
  /// - Throws: the system's error if the contents can't be read.
  mutating func summary(of version: FileVersion) throws -> ChangeSummary {
    do {
      guard let former = try former(of: version) else { return .unknown }
      let differences = try comparison.differences(
        from: former, to: .version(version), readingContents: listsMembers)
      // In packages, members are counted; their lines only if they are listed.
      let isCounted = listsMembers || !version.isPackage
      let stats = isCounted ? try differences.map { try stat($0) } : nil
      let counts = ChangeCounts(differences.map(\.change), lines: stats?.first?.lines)
      return .known(counts, members: listsMembers ? stats : nil)
    } catch let error as VersionError where error.code == .contentsNotLocal {
      return .unknown
    } catch  where !error.isFromSystem {
      return .unreadable
    }
  }

  /// Returns the content to compare a version with; `nil` if it can't be compared.
  private func former(of version: FileVersion) throws -> ContentComparison.Content? {
    switch formers.former(of: version) {
    case .nothing: return .nothing
    case .version(let former): return .version(former)
    case .incomparable: return nil
    case .unlisted:
      guard let former = try comparison.predecessor(of: version), formers.isComparable(former)
      else { return nil }
      return .version(former)
    }
  }

  private mutating func stat(_ difference: MemberDifference) throws -> MemberStat {
    try MemberStat(difference, limit: Self.limit) { info, read in
      if let lastRead, lastRead.identity == info.identity { return lastRead.bytes }
      let bytes = try read()
      lastRead = (info.identity, bytes)
      return bytes
    }
  }
}

extension ChangeCounts {
  /// Counts the lines of a text or the members of a package; nothing if a file became a package or the
  /// reverse.
  fileprivate init(_ changes: [MemberChange], lines: LineCounts?) {
    if changes.contains(where: { $0.path.isEmpty }) {
      self.init(linesAdded: lines?.added ?? 0, removed: lines?.removed ?? 0)
    } else {
      self.init(changes)
    }
  }

  /// The counts in short, as "+3 −1" or "+1 ~2 members".
  var text: String {
    let counts = [("+", added), ("−", removed), ("~", changed), ("→", renamed)]
      .filter { $0.1 > 0 }
    let words = counts.map { "\($0.0)\($0.1)" }.joined(separator: " ")
    guard unit == .members, !counts.isEmpty else { return words }
    return words + (counts.reduce(0) { $0 + $1.1 } == 1 ? " member" : " members")
  }
}
