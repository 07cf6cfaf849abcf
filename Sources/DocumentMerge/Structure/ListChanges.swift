/// A list of unnamed members on three sides, aligned by contents and divided into regions.
struct ListChanges<Format: StructuredFormat>: DocumentsReader {
  let documents: MergedDocuments<Format>
  let base: [Int]
  let ours: [Int]
  let theirs: [Int]
  let regions: [TextRegion]

  init(_ documents: MergedDocuments<Format>, base: [Int], ours: [Int], theirs: [Int]) {
    (self.documents, self.base, self.ours, self.theirs) = (documents, base, ours, theirs)
    let members = RegionMembers(base: base[...], ours: ours[...], theirs: theirs[...])
    let areNumbers = MemberComparison(documents: documents).haveNumbers(members)
    regions = Self.numbers(MergeSides(base: base, ours: ours, theirs: theirs), documents.trees)
      .regions(ofMembers: !areNumbers && documents.format.hasIndependentMembers)
  }

  /// Returns the members of a region.
  func members(of region: TextRegion) -> RegionMembers {
    RegionMembers(
      base: base[region.base], ours: ours[region.ours], theirs: theirs[region.theirs])
  }

  /// Numbers the members of lists, with equal numbers for equal contents.
  private static func numbers(
    _ members: MergeSides<[Int]>, _ trees: MergeSides<StructureTree>
  ) -> NumberedSides {
    var known = MemberNumbers()
    let base = MemberContents(members: members.base ?? [], tree: trees.base ?? trees.ours)
    let old = known.numbers(of: base, like: ([], base))
    let ours = MemberContents(members: members.ours, tree: trees.ours)
    let theirs = MemberContents(members: members.theirs, tree: trees.theirs)
    let sides = MergeSides(
      base: members.base.map { _ in old }, ours: known.numbers(of: ours, like: (old, base)),
      theirs: known.numbers(of: theirs, like: (old, base)))
    return NumberedSides(sides, count: known.count)
  }
}

/// The members of each side in one region of a list.
struct RegionMembers {
  let base: ArraySlice<Int>
  let ours: ArraySlice<Int>
  var theirs: ArraySlice<Int>
}

/// The contents of a list's members, as hashes.
private struct MemberContents {
  let members: [Int]
  let tree: StructureTree

  subscript(index: Int) -> Int { tree.contentHash(ofMember: members[index]) }
}

/// Numbers for members, which are equal for equal contents.
private struct MemberNumbers {
  private var known: [Int: Int32] = [:]

  var count: Int { known.count }

  /// Returns numbers for the members of a list.
  /// - Parameter old: The numbers of another list, which this one has at its start and end.
  mutating func numbers(
    of contents: MemberContents, like old: (numbers: [Int32], contents: MemberContents)
  ) -> [Int32] {
    let (count, oldCount) = (contents.members.count, old.numbers.count)
    let common = min(count, oldCount)
    let start = (0..<common).first { contents[$0] != old.contents[$0] } ?? common
    let end =
      (0..<common - start).first {
        contents[count - 1 - $0] != old.contents[oldCount - 1 - $0]
      } ?? common - start
    known.reserveCapacity(count - start - end)
    let changed = (start..<count - end).map { index in
      known.withDefault(Int32(known.count), for: contents[index])
    }
    return old.numbers.prefix(start) + changed + old.numbers.suffix(end)
  }
}

extension [Int: Int32] {
  /// Returns the value for a key, adding it if there is none.
  fileprivate mutating func withDefault(_ value: Int32, for key: Int) -> Int32 {
    func same(_ value: inout Int32) -> Int32 { value }
    return same(&self[key, default: value])
  }
}
