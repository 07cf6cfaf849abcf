internal import DocumentGit
internal import DocumentMerge

/// Pairs files that have at least half of the larger one in common.
///
/// Files of up to a megabyte are compared by their lines, larger ones by the ids of their chunks.
struct SimilarMembers {
  /// The pairs, by their places in the two lists; each file is in at most one.
  let pairs: [(old: Int, new: Int)]

  /// Compares removed files with added ones.
  init(_ old: [LocatedMember], _ new: [LocatedMember]) throws {
    pairs = try SimilarFiles(
      old.map(SizedMember.init), new.map(SizedMember.init), takesAnyOfEqual: true
    ).pairs
  }

  /// A file with its size.
  private struct SizedMember: PossiblyRenamedFile {
    let located: LocatedMember
    let size: Int

    init(_ located: LocatedMember) throws {
      self.located = located
      size = try located.size()
    }

    var isChunked: Bool { located.member.isChunked }
    var lastName: ArraySlice<UInt8> { located.lastName }

    func contentPrint() throws -> ContentPrint {
      guard isChunked else { return ContentPrint(try located.bytes(upTo: .max) ?? []) }
      return ContentPrint(
        pieces: try located.chunks().map { id, size in
          (id.bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }, size)
        })
    }
  }
}
