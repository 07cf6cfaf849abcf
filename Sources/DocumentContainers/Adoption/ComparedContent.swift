internal import DocumentMerge
internal import DocumentStore

/// Contents for comparison: the lines of a text, or the members of a package.
struct ComparedContent {
  /// A line or a member; two equal ones are different pieces.
  struct Piece: Hashable {
    let bytes: ArraySlice<UInt8>
    let number: Int

    /// True if the piece is more than a bracket or a blank line, which any text may have.
    var isDistinctive: Bool {
      bytes.count { !" \t\r".utf8.contains($0) } > 3
    }

    var isBlank: Bool { bytes.allSatisfy { " \t\r".utf8.contains($0) } }
  }

  /// The pieces in order.
  let pieces: [Piece]
  private(set) var print: ContentPrint
  private let isText: Bool

  /// Reads contents; `nil` for contents without lines: large files, and bytes that aren't text.
  init?(_ contents: VersionContents) {
    switch contents {
    case .file(let bytes, _):
      guard let content = ComparedContent(bytes) else { return nil }
      self = content
    case .package(let entries): self.init(entries)
    case .largeFile, .deleted: return nil
    }
  }

  init?(_ bytes: [UInt8]) {
    guard !bytes.contains(0) else { return nil }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    // A final line feed doesn't begin another line.
    isText = true
    pieces = Self.numbered(lines.last?.isEmpty == true ? lines.dropLast() : lines[...])
    print = ContentPrint(bytes)
  }

  private init(_ entries: [PackageEntry]) {
    let members = entries.map { entry -> (bytes: [UInt8], size: Int) in
      let path = Array(entry.path.joined(separator: [UInt8(ascii: "/")]))
      return switch entry.kind {
      case .file(let identity, let isExecutable, let size, _):
        (path + "\n\(identity) \(isExecutable)".utf8, size)
      case .symbolicLink(let target): (path + "\n-> ".utf8 + target, target.count)
      case .folder: (path, 1)
      }
    }.sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    isText = false
    pieces = Self.numbered(members.map { $0.bytes[...] }[...])
    print = ContentPrint(
      pieces: zip(pieces, members).map { piece, member in
        var hasher = Hasher()
        hasher.combine(piece)
        return (UInt64(bitPattern: Int64(hasher.finalize())), max(1, member.size))
      })
  }

  private static func numbered(_ all: ArraySlice<ArraySlice<UInt8>>) -> [Piece] {
    var counts: [ArraySlice<UInt8>: Int] = [:]
    return all.map { bytes in
      let number = counts[bytes, default: 0]
      counts[bytes] = number + 1
      return Piece(bytes: bytes, number: number)
    }
  }

  /// Returns the number of additional pieces if this contains all pieces of another content in the same order; `nil`
  /// otherwise.
  func surplus(over other: ComparedContent) -> Int? {
    var rest = other.pieces[...]
    for piece in pieces where rest.first?.bytes == piece.bytes { rest.removeFirst() }
    return rest.isEmpty ? pieces.count - other.pieces.count : nil
  }

  /// Returns whether other contents have some of the additions of this one.
  func isSeen(in other: ComparedContent, after former: ComparedContent?) -> Bool {
    let new = Set(pieces).subtracting(former?.pieces ?? [])
    return !new.filter(\.isDistinctive).isDisjoint(with: other.pieces)
  }
}

extension ComparedContent {
  /// Returns whether all missing lines of another text have different lines in their places.
  fileprivate func isChanged(from other: ComparedContent) -> Bool {
    guard let own = text, let former = other.text else { return false }
    return LineDifference.changes(from: former, to: own).allSatisfy { change in
      let lost = other.pieces[change.old].count { !$0.isBlank }
      return lost <= pieces[change.new].count { !$0.isBlank }
    }
  }

  /// The lines as one text; `nil` for a package, and for texts that take long to compare.
  private var text: [UInt8]? {
    guard isText, pieces.count <= 20_000 else { return nil }
    return pieces.flatMap { $0.bytes + [UInt8(ascii: "\n")] }
  }
}

/// Finds the newest ancestor of a content in a sequence of contents that derive from one another.
///
/// A content is an ancestor if the other content has everything that it added, nothing that it removed, and no part of
/// later additions. Then nothing can be missing in the other content only because it was never there.
///
/// It is also an ancestor if the other content isn't older, has most of its lines in the same order, and has different
/// lines in place of all the others, because a line that was never there leaves a gap, not a changed line.
struct AncestorSearch {
  private let wanted: Set<ComparedContent.Piece>
  private let content: ComparedContent
  private var seen: Set<ComparedContent.Piece> = []
  private var former: Set<ComparedContent.Piece>?
  private var count = 0
  /// The newest ancestor found, and its evidence.
  private var found: (index: Int, evidence: Int)?
  /// True if part of a later content is present, which may also be an ancestor.
  private var isDoubtful = false

  /// - Parameter content: the content whose ancestor to find.
  init(of content: ComparedContent) {
    self.content = content
    wanted = Set(content.pieces)
  }

  /// The newest ancestor, and the number of pieces that show it; `nil` if there is none.
  var result: (index: Int, evidence: Int)? { isDoubtful ? nil : found }

  /// Adds the next content, from oldest to newest.
  ///
  /// - Parameter isOlder: whether it existed before the content whose ancestor to find.
  mutating func add(_ content: ComparedContent, isOlder: Bool) {
    let pieces = Set(content.pieces)
    let new = pieces.subtracting(seen).filter { !$0.isBlank }
    let removed = (former ?? []).subtracting(pieces).filter { !$0.isBlank }
    seen.formUnion(pieces)
    former = pieces
    defer { count += 1 }
    guard !new.isEmpty else { return }
    let shared = new.count { wanted.contains($0) }
    let isKept = removed.allSatisfy { !wanted.contains($0) }
    if shared == new.count, isKept, new.contains(where: \.isDistinctive) {
      found = (count, shared)
      isDoubtful = false
    } else if isOlder, isKept, 2 * shared >= new.count, self.content.isChanged(from: content),
      new.contains(where: { $0.isDistinctive && wanted.contains($0) })
    {
      found = (count, shared)
      isDoubtful = false
    } else if shared > 0 {
      isDoubtful = true
    }
  }
}
