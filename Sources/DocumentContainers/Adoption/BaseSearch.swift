internal import DocumentConflicts
internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// Finds the base of a document and its copies in the document’s versions, in the files that other tools keep, and in
/// git’s history.
///
/// The search ends at the first source that shows a base. A base is never guessed.
struct BaseSearch {
  /// Contents that may be a base.
  struct Candidate {
    let source: CopyBase.Source
    let date: Date
    let contents: VersionContents
    let compared: ComparedContent?
  }

  private let store: SynchronousStore
  private let document: FilePath
  /// The path of the member, as names; `nil` for the document.
  private let member: [[UInt8]]?
  private let history: [Candidate]

  /// Reads the document’s versions.
  init(
    of document: FilePath, member: [[UInt8]]?, history: DocumentHistory?, in store: SynchronousStore
  ) throws {
    self.store = store
    self.document = document
    self.member = member
    self.history = try history.map { try Self.versions($0, member: member, in: store) } ?? []
  }

  /// Returns the base of a copy; `nil` if nothing shows one.
  ///
  /// - Parameter modified: the modification date of the copy.
  func base(
    of copy: ComparedContent, modified: Date
  ) throws -> (base: CopyBase, contents: VersionContents)? {
    if let found = Self.newest(in: history, for: copy, modified) { return found }
    if let found = Self.newest(in: try keptFiles(), for: copy, modified) { return found }
    return Self.newest(in: try commits(), for: copy, modified)
  }

  /// Returns the version of the document with the same member; `nil` if there is none.
  func version(withMember contents: VersionContents) throws -> FileVersion? {
    for candidate in history.reversed() where try candidate.contents.hasSameContents(as: contents) {
      if case .version(let version) = candidate.source { return version }
    }
    return nil
  }

  /// The origin of contents that came after a version.
  enum Origin {
    /// The version, because the contents have some of its additions.
    case version
    /// An earlier version.
    case before(FileVersion, VersionContents)
    /// Unknown: the contents have none of the version's additions, and nothing shows another origin.
    case unknown
  }

  /// Returns the origin of the contents that came next after a version of the line.
  ///
  /// - Parameters:
  ///   - version: the version; if it is not in the line, it has been merged into it.
  ///   - present: the document's present contents, which come after the last version.
  ///   - modified: their modification date.
  func origin(
    after version: FileVersion, of present: VersionContents, modified: Date
  ) throws -> Origin {
    guard let index = history.lastIndex(where: { $0.source == .version(version) }) else {
      return .version
    }
    var (contents, date) = (present, modified)
    if index + 1 < history.count {
      let next = history[index + 1]
      guard case .version(let following) = next.source, following.kind == .save else {
        return .version
      }
      (contents, date) = (next.contents, next.date)
    }
    let known = history[index]
    if try contents.hasSameContents(as: known.contents) { return .version }
    guard let compared = ComparedContent(contents), let own = known.compared else {
      // An older version counts only if its additions show.
      return index + 1 < history.count ? .version : .unknown
    }
    if let found = Self.newest(in: Array(history[...index]), for: compared, date),
      case .version(let base) = found.base.source
    {
      return base == version ? .version : .before(base, found.contents)
    }
    let former = history[..<index].last?.compared
    return own.isSeen(in: compared, after: former) ? .version : .unknown
  }

  private static func newest(
    in line: [Candidate], for copy: ComparedContent, _ modified: Date
  ) -> (base: CopyBase, contents: VersionContents)? {
    let comparable = line.filter { $0.compared != nil }
    var search = AncestorSearch(of: copy)
    for candidate in comparable {
      guard let compared = candidate.compared else { continue }
      // The times of files that other tools keep, and of commits, don't show when the contents were written.
      var isVersion = false
      if case .version = candidate.source { isVersion = true }
      search.add(compared, isOlder: isVersion && candidate.date <= modified)
    }
    return search.result.map { index, evidence in
      let candidate = comparable[index]
      var bytes: [UInt8]?
      if case .file(let all, _) = candidate.contents { bytes = all }
      if case .version = candidate.source { bytes = nil }
      return (
        CopyBase(
          source: candidate.source, date: candidate.date, evidence: evidence, bytes: bytes),
        candidate.contents
      )
    }
  }

  // MARK: The document’s own versions

  /// The maximum number of versions to read, because copies don't derive from very old versions.
  private static let mostVersions = 256
  /// The maximum total size of compared versions in bytes.
  private static let mostBytes = 32 << 20

  /// Returns the current version's line of ancestors, oldest first.
  private static func versions(
    _ history: DocumentHistory, member: [[UInt8]]?, in store: SynchronousStore
  ) throws -> [Candidate] {
    let known = Dictionary(
      history.versions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    guard let current = history.current else { return [] }
    return try store.readingVersions(of: history.document) { reader in
      var line: [FileVersion] = []
      var bytes = 0
      for id in try reader.line(to: current) {
        guard let version = known[id], version.hasLocalContents || version.isDeletion,
          line.count < mostVersions, bytes + version.size <= mostBytes
        else { break }
        if !version.isDeletion { line.append(version) }
        bytes += version.size
      }
      return try line.reversed().compactMap { version -> Candidate? in
        guard
          let contents = try member.map({ try reader.contents(of: version).member($0) })
            ?? reader.contents(of: version)
        else { return nil }
        return Candidate(
          source: .version(version), date: version.modificationDate, contents: contents,
          compared: ComparedContent(contents))
      }
    }
  }

  // MARK: What others keep

  /// The file whose earlier states to find.
  private var file: FilePath {
    (member ?? []).reduce(document) { $0.appending(bytes: $1) }
  }

  private func keptFiles() throws -> [Candidate] {
    try KeptFiles(of: file).files.compactMap { path, date in
      guard let bytes = try SmallFile.read(path, limit: Self.mostBytes) else { return nil }
      return Candidate(
        source: .file(URL(filePath: path.string)), date: date,
        contents: .file(bytes, isExecutable: false), compared: ComparedContent(bytes))
    }
  }

  private func commits() throws -> [Candidate] {
    try GitHistory(of: file).contents(upTo: Self.mostBytes).map { commit, date, bytes in
      Candidate(
        source: .commit(commit), date: date, contents: .file(bytes, isExecutable: false),
        compared: ComparedContent(bytes))
    }
  }
}

extension VersionContents {
  /// Returns the file of a package's member; `nil` if it doesn't exist.
  func member(_ path: [[UInt8]]) throws -> VersionContents? {
    guard case .package(let entries) = self, let entry = entries.first(where: { $0.path == path }),
      case .file(_, let isExecutable, _, let read) = entry.kind
    else { return nil }
    return .file(try read(), isExecutable: isExecutable)
  }
}
