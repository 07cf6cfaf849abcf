internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore

/// The claim of a document to a name: of several documents with one name, the one that has had it longest keeps it, and
/// the others get numbers.
///
/// It depends only on the versions, so every device that has these decides alike, regardless of its clock. A
/// clock that is wrong when a document begins only affects which document keeps the name.
struct NameClaim: Comparable {
  /// The date of the version since which all versions have the name, in milliseconds since 1970.
  let since: Int64
  /// The document's id, which decides between documents that began at the same moment.
  let identifier: String

  /// Creates the claim from the versions; `nil` if no version in charge has the name.
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

  /// Reads the claim of a document on this device.
  init?(of reader: StoreReader, to path: String) throws {
    try self.init(
      to: path, by: reader.documentIdentifier.description,
      heads: reader.heads.divergent().map(\.record), record: { try reader.record($0) })
  }

  static func < (left: NameClaim, right: NameClaim) -> Bool {
    (left.since, left.identifier) < (right.since, right.identifier)
  }
}
