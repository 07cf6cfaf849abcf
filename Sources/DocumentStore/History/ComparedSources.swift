internal import DocumentGit

/// The earlier versions that versions can be compared with, and the texts of both.
///
/// It stays on the thread that opened the store.
final class ComparedSources {
  let comparison: ContentComparison
  private let listed: [FileVersion.PersistentIdentifier: FileVersion]
  /// The last texts that were read; most are needed again as those of the previous version.
  private var texts: [(identity: String, bytes: [UInt8]?)] = []

  /// The size of the largest files that are searched.
  static let limit = 64 << 20
  private static let mostTexts = 8

  init(_ reader: StoreReader, _ versions: [FileVersion]) {
    comparison = ContentComparison(reader: reader)
    listed = Dictionary(versions.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
  }

  /// Returns the nearest earlier versions of a version whose contents are here.
  ///
  /// - Parameter countsDeletions: whether to stop at a deletion; otherwise the search continues behind it.
  /// - Returns: the versions, and whether a line has none because their contents are no longer here.
  func sources(
    of version: FileVersion, countsDeletions: Bool
  ) throws -> (versions: [FileVersion], isCut: Bool) {
    var (found, isCut): ([FileVersion], Bool) = ([], false)
    var pending = version.parents[...]
    var seen = Set(pending)
    while let id = pending.popFirst() {
      guard let source = try self.version(id) else {
        isCut = true
        continue
      }
      if source.isDeletion ? countsDeletions : source.hasLocalContents {
        found.append(source)
      } else {
        if source.parents.isEmpty, !source.isDeletion { isCut = true }
        pending += source.parents.filter { seen.insert($0).inserted }
      }
    }
    return (found, isCut)
  }

  private func version(_ id: FileVersion.PersistentIdentifier) throws -> FileVersion? {
    if let listed = listed[id] { return listed }
    let reader = comparison.reader
    guard try reader.objects.repository.contains(id.objectID) else { return nil }
    return try reader.version(id.objectID)
  }

  /// Returns both texts of a file that differs, the former first; a missing text is empty.
  ///
  /// - Returns: `nil` if one of them isn't text.
  /// - Throws: ``ComparedSources/TooLarge`` for a file beyond the limit.
  func texts(of difference: MemberDifference) throws -> (old: [UInt8], new: [UInt8])? {
    let change = difference.change
    guard change.isContentChanged || change.before == nil || change.after == nil,
      [change.before, change.after].allSatisfy({ $0?.isFile ?? true })
    else { return nil }
    guard let new = try text(change.after, { try difference.bytesAfter(upTo: Self.limit) }),
      let old = try text(change.before, { try difference.bytesBefore(upTo: Self.limit) })
    else { return nil }
    return (old, new)
  }

  /// The file is too large to be searched.
  struct TooLarge: Error {}

  private func text(
    _ member: PackageMemberInfo?, _ read: () throws -> [UInt8]?
  ) throws -> [UInt8]? {
    guard let member else { return [] }
    if let known = texts.first(where: { $0.identity == member.identity }) {
      return known.bytes
    }
    guard let bytes = try read() else { throw TooLarge() }
    var text = TextContent(bytes)?.bytes
    // A last line without a line end is the same line after others follow it.
    if let last = text?.last, last != UInt8(ascii: "\n") { text?.append(UInt8(ascii: "\n")) }
    texts.append((member.identity, text))
    if texts.count > Self.mostTexts { texts.removeFirst() }
    return text
  }
}
