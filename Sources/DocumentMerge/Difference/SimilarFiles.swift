/// A file that may be a renamed version of another one.
package protocol PossiblyRenamedFile {
  /// The size of the contents, in bytes.
  var size: Int { get }
  /// True if the fingerprint is of chunks, which can't be compared with one of lines.
  var isChunked: Bool { get }
  /// The last component of the path.
  var lastName: ArraySlice<UInt8> { get }

  /// Reads the contents, and returns their fingerprint.
  func contentPrint() throws -> ContentPrint
}

/// Pairs files that have at least half of the larger one in common, as git does.
package struct SimilarFiles {
  /// The maximum number of compared pairs; if there could be more, only files with the same name are paired.
  private static let mostPairs = 10_000
  /// The maximum number of bytes read of whole files, and of files in chunks.
  private static let mostBytes = (whole: 16 << 20, chunked: 1 << 30)

  /// A pair with enough in common, by the positions in the two lists.
  private struct Candidate {
    let old: Int
    let new: Int
    /// The similarity as a percentage.
    let score: Int
    let isNamesake: Bool

    /// Returns whether one pair is better than another; equally good pairs are compared by their positions.
    static func isBetter(_ left: Candidate, than right: Candidate) -> Bool {
      if left.isAsGood(as: right) { return (left.old, left.new) < (right.old, right.new) }
      return left.score != right.score ? left.score > right.score : left.isNamesake
    }

    func isAsGood(as other: Candidate) -> Bool {
      score == other.score && isNamesake == other.isNamesake
    }
  }

  /// The pairs, with each file in at most one.
  package private(set) var pairs: [(old: Int, new: Int)] = []

  /// Compares removed files with added ones.
  ///
  /// If a file matches two others equally well, it is paired with the first of them if `takesAnyOfEqual` is
  /// true, and otherwise with none.
  package init<File: PossiblyRenamedFile>(
    _ old: [File], _ new: [File], takesAnyOfEqual: Bool
  ) throws {
    var rest = Self.mostBytes
    var (oldPrints, newPrints) = (Prints(files: old), Prints(files: new))
    var candidates: [Candidate] = []
    for pair in Self.possiblePairs(old, new) {
      guard let before = try oldPrints.contents(of: pair.old, &rest),
        let after = try newPrints.contents(of: pair.new, &rest)
      else { continue }
      let score = before.similarity(to: after)
      if score >= 50 {
        candidates.append(
          Candidate(
            old: pair.old, new: pair.new, score: score,
            isNamesake: old[pair.old].lastName == new[pair.new].lastName))
      }
    }
    choose(among: candidates.sorted(by: Candidate.isBetter), takesAnyOfEqual)
  }

  /// Chooses the best pairs first.
  private mutating func choose(among candidates: [Candidate], _ takesAnyOfEqual: Bool) {
    var (taken, given): (Set<Int>, Set<Int>) = ([], [])
    var rest = candidates[...]
    while let first = rest.first {
      // The candidates that are as good as the first.
      let equal = rest.prefix { $0.isAsGood(as: first) }
      rest = rest.dropFirst(equal.count)
      let open = equal.filter { !taken.contains($0.old) && !given.contains($0.new) }
      let (olds, news) = (
        Dictionary(grouping: open, by: \.old), Dictionary(grouping: open, by: \.new)
      )
      for candidate in open
      where !taken.contains(candidate.old) && !given.contains(candidate.new) {
        let isOnly = olds[candidate.old]?.count == 1 && news[candidate.new]?.count == 1
        if isOnly || takesAnyOfEqual { pairs.append((candidate.old, candidate.new)) }
        taken.insert(candidate.old)
        given.insert(candidate.new)
      }
    }
  }

  /// The fingerprints of the files read so far.
  private struct Prints<File: PossiblyRenamedFile> {
    let files: [File]
    private var known: [Int: ContentPrint] = [:]

    init(files: [File]) { self.files = files }

    /// Reads a file; returns `nil` if it is larger than the remaining limit.
    mutating func contents(
      of index: Int, _ rest: inout (whole: Int, chunked: Int)
    ) throws -> ContentPrint? {
      if let known = known[index] { return known }
      let file = files[index]
      guard file.size <= (file.isChunked ? rest.chunked : rest.whole) else { return nil }
      if file.isChunked { rest.chunked -= file.size } else { rest.whole -= file.size }
      let contents = try file.contentPrint()
      known[index] = contents
      return contents
    }
  }

  private static func possiblePairs<File: PossiblyRenamedFile>(
    _ old: [File], _ new: [File]
  ) -> [(old: Int, new: Int)] {
    var pairs: [(old: Int, new: Int)] = []
    let isLimited = old.count * new.count > mostPairs
    let namesakes = Dictionary(grouping: new.indices) { new[$0].lastName }
    for (index, file) in old.enumerated() {
      let others = isLimited ? namesakes[file.lastName] ?? [] : Array(new.indices)
      for other in others where isComparable(file, new[other]) {
        pairs.append((index, other))
        if pairs.count == mostPairs { return pairs }
      }
    }
    return pairs
  }

  /// Returns whether neither file is empty, and their sizes allow that half is the same.
  private static func isComparable(
    _ left: some PossiblyRenamedFile, _ right: some PossiblyRenamedFile
  ) -> Bool {
    left.size > 0 && right.size > 0 && left.isChunked == right.isChunked
      && max(left.size, right.size) / 2 <= min(left.size, right.size)
  }
}
