internal import DocumentMerge
internal import DocumentStore

/// Contents as they are compared: the lines of a text, or the members of a package.
struct ComparedContent {
  /// A line or a member; the second of two equal ones is another piece.
  struct Piece: Hashable {
    let bytes: ArraySlice<UInt8>
    let number: Int

    /// Whether it is more than a bracket or a blank line, which any text may have.
    var isDistinctive: Bool {
      bytes.count { !" \t\r".utf8.contains($0) } > 3
    }

    var isBlank: Bool { bytes.allSatisfy { " \t\r".utf8.contains($0) } }
  }

  /// The pieces in their order.
  let pieces: [Piece]
  private(set) var print: ContentPrint
  private let isText: Bool

  /// Nil for what has no lines: large files, and bytes that are no text.
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
    // What ends with a line feed ends with its last line.
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

  /// The number of pieces that this one has more than another one all of which it has, in the same order; `nil` if it
  /// lacks some.
  func surplus(over other: ComparedContent) -> Int? {
    var rest = other.pieces[...]
    for piece in pieces where rest.first?.bytes == piece.bytes { rest.removeFirst() }
    return rest.isEmpty ? pieces.count - other.pieces.count : nil
  }
}

extension ComparedContent {
  /// Returns whether lines of another text are missing here only where others are in their places.
  fileprivate func isChanged(from other: ComparedContent) -> Bool {
    guard let own = text, let former = other.text else { return false }
    return LineDifference.changes(from: former, to: own).allSatisfy { change in
      let lost = other.pieces[change.old].count { !$0.isBlank }
      return lost <= pieces[change.new].count { !$0.isBlank }
    }
  }

  /// The lines as one text; `nil` for a package, and for more than can be compared in no time.
  private var text: [UInt8]? {
    guard isText, pieces.count <= 20_000 else { return nil }
    return pieces.flatMap { $0.bytes + [UInt8(ascii: "\n")] }
  }
}

/// Finds in a line of contents, one made from the other, the newest that another content shows to have been made from.
///
/// A content is shown to be an ancestor where all that it brought in, and nothing that came before it did, is in the
/// other one, and nothing is that it took away. Nothing that only it has can then be missing because it was never seen.
///
/// It is one as well where the other content, which is no older, has most of it in the same order, and other lines at the
/// places of all the rest: what was never seen leaves a gap, and not a changed line.
struct AncestorSearch {
  private let wanted: Set<ComparedContent.Piece>
  private let content: ComparedContent
  private var seen: Set<ComparedContent.Piece> = []
  private var former: Set<ComparedContent.Piece>?
  private var count = 0
  /// The newest content that is shown to be an ancestor, and what it brought in.
  private var found: (index: Int, evidence: Int)?
  /// Whether a later one than that is there in part: it may be an ancestor, too.
  private var isDoubtful = false

  /// - Parameter content: the content whose ancestor is searched for.
  init(of content: ComparedContent) {
    self.content = content
    wanted = Set(content.pieces)
  }

  /// The newest ancestor, and the number of pieces that show it; `nil` if none is shown.
  var result: (index: Int, evidence: Int)? { isDoubtful ? nil : found }

  /// Takes the next content, from the oldest to the newest.
  ///
  /// - Parameter isOlder: true for one that was there before the content whose ancestor is searched for.
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
