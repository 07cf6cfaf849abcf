internal import DocumentGit

/// Pairs files by what they have in common: at least half of the larger one, as git has it.
///
/// Files of up to a megabyte are compared by their lines, larger ones by their chunks, of which only the ids are
/// read.
struct SimilarMembers {
  /// No more pairs are looked at; if there could be more, only those of files with the same name.
  private static let mostPairs = 10_000
  /// No more bytes of small files are read, nor of large ones on disk.
  private static let mostBytes = (small: 16 << 20, large: 1 << 30)

  /// A pair that has enough in common, by the places in the two lists.
  private struct Candidate {
    let old: Int
    let new: Int
    /// Hundredths.
    let score: Int
    let isNamesake: Bool

    /// Whether it is the better pair; equal ones go by their order.
    static func isBetter(_ left: Candidate, than right: Candidate) -> Bool {
      if left.score != right.score { return left.score > right.score }
      if left.isNamesake != right.isNamesake { return left.isNamesake }
      return (left.old, left.new) < (right.old, right.new)
    }
  }

  /// The pairs found, each file in no more than one.
  private(set) var pairs: [(old: Int, new: Int)] = []

  /// Compares removed files with added ones.
  init(_ old: [LocatedMember], _ new: [LocatedMember]) throws {
    var rest = Self.mostBytes
    var (oldFiles, newFiles) = (try Files(old), try Files(new))
    var candidates: [Candidate] = []
    for pair in Self.possiblePairs(oldFiles.all, newFiles.all) {
      guard let before = try oldFiles.contents(of: pair.old, &rest),
        let after = try newFiles.contents(of: pair.new, &rest)
      else { continue }
      let score = before.similarity(to: after)
      if score >= 50 {
        candidates.append(
          Candidate(
            old: pair.old, new: pair.new, score: score,
            isNamesake: old[pair.old].lastName == new[pair.new].lastName))
      }
    }
    var (taken, given): (Set<Int>, Set<Int>) = ([], [])
    for candidate in candidates.sorted(by: Candidate.isBetter)
    where !taken.contains(candidate.old) && !given.contains(candidate.new) {
      taken.insert(candidate.old)
      given.insert(candidate.new)
      pairs.append((candidate.old, candidate.new))
    }
  }

  /// A file that is not empty, with its size.
  private struct SizedFile {
    let located: LocatedMember
    let size: Int

    init(_ located: LocatedMember) throws {
      self.located = located
      size = try located.size()
    }

    /// Whether the sizes alone do not rule out that half is the same.
    func isComparable(with other: SizedFile) -> Bool {
      size > 0 && other.size > 0 && located.member.isChunked == other.located.member.isChunked
        && max(size, other.size) / 2 <= min(size, other.size)
    }
  }

  /// Files, and what was read of them.
  private struct Files {
    let all: [SizedFile]
    private var known: [Int: ContentPrint] = [:]

    init(_ files: [LocatedMember]) throws {
      all = try files.map(SizedFile.init)
    }

    /// What is in a file; nil where that is more than may still be read.
    mutating func contents(
      of index: Int, _ rest: inout (small: Int, large: Int)
    ) throws -> ContentPrint? {
      if let known = known[index] { return known }
      let file = all[index]
      let isLarge = file.located.member.isChunked
      guard file.size <= (isLarge ? rest.large : rest.small) else { return nil }
      if isLarge { rest.large -= file.size } else { rest.small -= file.size }
      let contents = try ContentPrint(file.located)
      known[index] = contents
      return contents
    }
  }

  private static func possiblePairs(
    _ old: [SizedFile], _ new: [SizedFile]
  ) -> [(old: Int, new: Int)] {
    var pairs: [(old: Int, new: Int)] = []
    let isLimited = old.count * new.count > mostPairs
    let namesakes = Dictionary(grouping: new.indices) { new[$0].located.lastName }
    for (index, file) in old.enumerated() {
      let others = isLimited ? namesakes[file.located.lastName] ?? [] : Array(new.indices)
      for other in others where file.isComparable(with: new[other]) {
        pairs.append((index, other))
        if pairs.count == mostPairs { return pairs }
      }
    }
    return pairs
  }
}

/// What tells how much two files have in common: how many bytes each of their pieces has.
private struct ContentPrint {
  /// The pieces, by their hashes, in order.
  private var pieces: [(hash: UInt64, bytes: Int)]
  private let bytes: Int

  init(_ file: LocatedMember) throws {
    if file.member.isChunked {
      self.init(
        try file.chunks().map { id, size in
          (id.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, size)
        })
    } else {
      self.init(Self.pieces(of: try file.bytes(upTo: .max) ?? []))
    }
  }

  private init(_ all: [(hash: UInt64, bytes: Int)]) {
    bytes = all.reduce(0) { $0 + $1.bytes }
    pieces = []
    for piece in all.sorted(by: { $0.hash < $1.hash }) {
      if pieces.last?.hash == piece.hash {
        pieces[pieces.count - 1].bytes += piece.bytes
      } else {
        pieces.append(piece)
      }
    }
  }

  /// Lines, and 64 bytes of what has none: the pieces that git takes.
  private static func pieces(of bytes: [UInt8]) -> [(hash: UInt64, bytes: Int)] {
    var pieces: [(hash: UInt64, bytes: Int)] = []
    // FNV-1a.
    var (hash, count): (UInt64, Int) = (0xCBF2_9CE4_8422_2325, 0)
    for byte in bytes {
      hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
      count += 1
      if byte == UInt8(ascii: "\n") || count == 64 {
        pieces.append((hash, count))
        (hash, count) = (0xCBF2_9CE4_8422_2325, 0)
      }
    }
    return count == 0 ? pieces : pieces + [(hash, count)]
  }

  /// How much of the larger one both have, in hundredths.
  func similarity(to other: ContentPrint) -> Int {
    var common = 0
    var (index, place) = (0, 0)
    while index < pieces.count, place < other.pieces.count {
      let (left, right) = (pieces[index], other.pieces[place])
      if left.hash == right.hash { common += min(left.bytes, right.bytes) }
      if left.hash <= right.hash { index += 1 }
      if right.hash <= left.hash { place += 1 }
    }
    return common * 100 / max(1, bytes, other.bytes)
  }
}
