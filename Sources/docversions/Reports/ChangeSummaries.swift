internal import DocumentVersions

/// The changes of a version against the one that it was made from.
enum ChangeSummary {
  /// With every member where that was asked for.
  case known(ChangeCounts, members: [MemberStat]?)
  case unknown
  /// The contents should be here, but cannot be read.
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

/// The changes of versions against the ones that they were made from.
///
/// Compares members of packages by their object ids, so that a log is fast for any size.
struct ChangeSummaries {
  /// Larger files are not compared: a log shall be quick.
  private static let limit = 1_000_000

  private let comparison: ContentComparison
  private let listsMembers: Bool
  private let formers: FormerVersions
  /// The file that was read last: mostly it is asked for again, as the one that the version before made.
  private var lastRead: (identity: String, bytes: [UInt8]?)?

  /// - Parameter listsMembers: whether every member that was changed is wanted.
  init(_ history: DocumentHistory, _ comparison: ContentComparison, listsMembers: Bool) {
    self.comparison = comparison
    self.listsMembers = listsMembers
    formers = FormerVersions(in: history, limit: listsMembers ? nil : Self.limit)
  }

  /// The changes of versions, only counted.
  ///
  /// The store has a cache of former counts; the contents are opened for the rest of the versions only.
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

  /// The changes of a version.
  ///
  /// Asked for from new to old, the contents of a file are read once.
  ///
  /// - Throws: what the system says that does not let the contents be read.
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

  /// The content that a version is compared with; `nil` if it can't be.
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
  /// Lines of a text, members of a package; of a file that became a package, or the other way round, nothing.
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
