/// A file that may be another one under a new name.
package protocol PossiblyRenamedFile {
  /// Bytes of the content.
  var size: Int { get }
  /// Whether the print is of chunks, which cannot be compared with one of lines.
  var isChunked: Bool { get }
  /// The last name of the path.
  var lastName: ArraySlice<UInt8> { get }

  /// Reads the content.
  func contentPrint() throws -> ContentPrint
}

/// Pairs files by what they have in common: at least half of the larger one, as git has it.
package struct SimilarFiles {
  /// No more pairs are looked at; if there could be more, only those of files with the same name.
  private static let mostPairs = 10_000
  /// No more bytes of files are read, nor of those in chunks.
  private static let mostBytes = (whole: 16 << 20, chunked: 1 << 30)

  /// A pair that has enough in common, by the places in the two lists.
  private struct Candidate {
    let old: Int
    let new: Int
    /// Hundredths.
    let score: Int
    let isNamesake: Bool

    /// Returns whether it is the better pair; equal ones go by their order.
    static func isBetter(_ left: Candidate, than right: Candidate) -> Bool {
      if left.isAsGood(as: right) { return (left.old, left.new) < (right.old, right.new) }
      return left.score != right.score ? left.score > right.score : left.isNamesake
    }

    func isAsGood(as other: Candidate) -> Bool {
      score == other.score && isNamesake == other.isNamesake
    }
  }

  /// The pairs found, each file in no more than one.
  package private(set) var pairs: [(old: Int, new: Int)] = []

  /// Compares removed files with added ones; a file that goes as well with two others is paired with the first of them,
  /// if any of them is to be taken.
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

  /// Takes the best pairs first.
  private mutating func choose(among candidates: [Candidate], _ takesAnyOfEqual: Bool) {
    var (taken, given): (Set<Int>, Set<Int>) = ([], [])
    var rest = candidates[...]
    while let first = rest.first {
      // Those that are as good as the first.
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

  /// The prints of files that were read.
  private struct Prints<File: PossiblyRenamedFile> {
    let files: [File]
    private var known: [Int: ContentPrint] = [:]

    init(files: [File]) { self.files = files }

    /// Reads a file; `nil` if it has more than may still be read.
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

  /// Returns whether neither is empty, and the sizes alone do not rule out that half is the same.
  private static func isComparable(
    _ left: some PossiblyRenamedFile, _ right: some PossiblyRenamedFile
  ) -> Bool {
    left.size > 0 && right.size > 0 && left.isChunked == right.isChunked
      && max(left.size, right.size) / 2 <= min(left.size, right.size)
  }
}
