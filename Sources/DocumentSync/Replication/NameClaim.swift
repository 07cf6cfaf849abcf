internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore

/// The claim of a document to a name: of several documents with one name, the one that has had it longest keeps it, and
/// the others get numbers.
///
/// It is made of the versions alone, so every device that has these decides alike, whatever its clock says. A clock that
/// is wrong when a document begins only changes which one keeps the name.
struct NameClaim: Comparable {
  /// The date of the first version that has the name, and after which all have it, in milliseconds since 1970.
  let since: Int64
  /// Decides between documents that began at one moment.
  let identifier: String

  /// Reads the claim from the versions; `nil` if no version in charge has the name.
  init?(
    to path: String, by identifier: String, heads: [Record],
    record: (ObjectID) throws -> Record?
  ) rethrows {
    func hasName(_ record: Record) -> Bool { record.facts.path.hasBytes(of: path) }
    var pending = heads.filter(hasName)
    guard var first = pending.first else { return nil }
    var known = Set(pending.map(\.id))
    while let next = pending.popLast() {
      if next.facts.date < first.facts.date { first = next }
      for id in next.parents where known.insert(id).inserted {
        if let parent = try record(id), hasName(parent) { pending.append(parent) }
      }
    }
    since = first.facts.date
    self.identifier = identifier
  }

  /// Reads the claim of a document that is here.
  init?(of reader: StoreReader, to path: String) throws {
    try self.init(
      to: path, by: reader.documentIdentifier.description,
      heads: reader.heads.divergent().map(\.record), record: { try reader.record($0) })
  }

  static func < (left: NameClaim, right: NameClaim) -> Bool {
    (left.since, left.identifier) < (right.since, right.identifier)
  }
}
