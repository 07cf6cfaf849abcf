internal import DocumentFiles
internal import DocumentMerge
public import Foundation

/// The versions of a document that added or removed the searched text.
public struct SearchedHistory: Sendable {
  /// The document.
  public let document: URL
  /// The versions that added or removed the text, newest first.
  public let changes: [FoundChange]
  /// The number of versions and members that weren't searched, because their contents aren't on this device, or are too
  /// large.
  public let unsearchedCount: Int

  /// Returns the result with at most a number of changes; `nil` for all.
  package func newest(_ most: Int?) -> SearchedHistory {
    SearchedHistory(
      document: document, changes: Array(changes.prefix(most ?? .max)),
      unsearchedCount: unsearchedCount)
  }
}

/// A version that added or removed the searched text.
public struct FoundChange: Sendable {
  /// A line of the document or of one of its members.
  public struct Line: Sendable, Hashable {
    /// The path in the package, printable, with "/" between folders; empty for a document that is a file.
    public let member: String
    /// The line without its end.
    public let text: String
  }

  /// The version.
  public let version: FileVersion
  /// The lines with the text that the version added.
  public let brought: [Line]
  /// The previous lines with the text that the version removed.
  public let removed: [Line]
  /// True if the change may be older, because contents of the version's parents aren't on this device.
  public let mayBeEarlier: Bool
}

/// Searches a document's versions for those in which the pattern occurs more often, or less often, than in
/// their parents.
///
/// A merge is compared with each of its parents; it added the lines that none of them had.
struct HistorySearch {
  /// A match in a member, regardless of the text around it.
  private struct Key: Hashable {
    let member: String
    let match: String
  }

  /// The lines with matches on one side that the other side doesn't have.
  private typealias Lines = [(line: FoundChange.Line, keys: [Key])]

  /// A comparison with one of a version's parents.
  private struct Compared {
    var counts: [Key: Int] = [:]
    var new: Lines = []
    var old: Lines = []
  }

  private let matcher: LineMatcher
  private let sources: ComparedSources
  private(set) var unsearchedCount = 0

  init(_ pattern: LinePattern, in sources: ComparedSources) throws {
    matcher = LineMatcher(pattern)
    self.sources = sources
  }

  /// Returns the lines that a version added and removed; `nil` if there are none.
  mutating func change(of version: FileVersion) throws -> FoundChange? {
    guard version.hasLocalContents || version.isDeletion else {
      unsearchedCount += 1
      return nil
    }
    let (former, isCut) = try sources.sources(of: version, countsDeletions: true)
    let compared =
      try former.isEmpty
      ? [compare(.nothing, version)] : former.map { try compare(.version($0), version) }
    guard let first = compared.first else { return nil }
    var counts = first.counts
    for other in compared.dropFirst() {
      for (key, count) in counts {
        let second = other.counts[key] ?? 0
        counts[key] = count > 0 ? max(0, min(count, second)) : min(0, max(count, second))
      }
    }
    var rest = counts
    let brought = first.new.compactMap { Self.take($0, &rest, 1) }
    let removed = first.old.compactMap { Self.take($0, &rest, -1) }
    guard !brought.isEmpty || !removed.isEmpty else { return nil }
    return FoundChange(
      version: version, brought: brought, removed: removed, mayBeEarlier: isCut)
  }

  /// Returns the line if it has one of the remaining matches, and removes that match from them.
  private static func take(
    _ found: (line: FoundChange.Line, keys: [Key]), _ rest: inout [Key: Int], _ sign: Int
  ) -> FoundChange.Line? {
    var isTaken = false
    for key in found.keys {
      guard let count = rest[key], count * sign > 0 else { continue }
      rest[key] = count - sign
      isTaken = true
    }
    return isTaken ? found.line : nil
  }

  private mutating func compare(
    _ old: ContentComparison.Content, _ version: FileVersion
  ) throws -> Compared {
    var compared = Compared()
    for difference in try sources.comparison.differences(
      from: old, to: .version(version), readingContents: false)
    {
      do {
        guard let texts = try sources.texts(of: difference) else { continue }
        let part = DifferingPart(from: texts.old, to: texts.new)
        try compare(
          texts.old[part.old], texts.new[part.new], in: difference.change.path, &compared)
      } catch is ComparedSources.TooLarge {
        unsearchedCount += 1
      }
    }
    return compared
  }

  private func compare(
    _ old: ArraySlice<UInt8>, _ new: ArraySlice<UInt8>, in member: String,
    _ compared: inout Compared
  ) throws {
    let (oldLines, newLines) = (
      try matcher.matchingLines(of: old), try matcher.matchingLines(of: new)
    )
    guard !oldLines.isEmpty || !newLines.isEmpty else { return }
    // Lines that both sides have don't count.
    let (onlyOld, onlyNew) = (
      Self.without(newLines, in: oldLines), Self.without(oldLines, in: newLines)
    )
    func add(_ lines: [(line: ArraySlice<UInt8>, matches: [String])], _ sign: Int) -> Lines {
      lines.map { line, matches in
        let keys = matches.map { Key(member: member, match: $0) }
        for key in keys { compared.counts[key, default: 0] += sign }
        return (.init(member: member, text: String(decoding: line, as: UTF8.self)), keys)
      }
    }
    compared.new += add(onlyNew, 1)
    compared.old += add(onlyOld, -1)
  }

  private static func without(
    _ others: [(line: ArraySlice<UInt8>, matches: [String])],
    in lines: [(line: ArraySlice<UInt8>, matches: [String])]
  ) -> [(line: ArraySlice<UInt8>, matches: [String])] {
    var rest: [ArraySlice<UInt8>: Int] = [:]
    for (line, _) in others { rest[line, default: 0] += 1 }
    return lines.filter { line, _ in
      guard let count = rest[line], count > 0 else { return true }
      rest[line] = count - 1
      return false
    }
  }
}

extension StoreEnvironment {
  /// Searches the versions of a document.
  func search(_ document: URL, for pattern: LinePattern) throws -> SearchedHistory {
    let history = try reading(document) { try VersionList($0).history() }
    let versions = history.versions
    // Neighboring versions are stored as deltas of one another, so each thread searches many in a row.
    let size = max(Self.fewestVersions, (versions.count - 1) / ForkJoin.coreCount + 1)
    let parts = ForkJoin.mapRanges(of: versions.count, upTo: size) { range in
      Result { [self] in
        try reading(document) { reader in
          var search = try HistorySearch(pattern, in: ComparedSources(reader, versions))
          let changes = try versions[range].compactMap { version in
            try reader.environment.progress?.checkCancellation()
            return try search.change(of: version)
          }
          return (changes, search.unsearchedCount)
        }
      }
    }
    let found = try parts.map { try $0.get() }
    return SearchedHistory(
      document: history.document, changes: found.flatMap(\.0),
      unsearchedCount: found.reduce(0) { $0 + $1.1 })
  }

  private static let fewestVersions = 64
}
