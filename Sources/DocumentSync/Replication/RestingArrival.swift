internal import DocumentGit
internal import DocumentStore

/// The arrived versions of a new document that can rest: a file with one head, all complete.
struct RestingArrival {
  let identity: DocumentIdentity
  let head: Record
  /// The versions whose contents the document keeps.
  let contents: [ObjectID]
  /// The number of its versions.
  let versions: Int

  /// - Returns: nil if the document needs a store at once, because of a fault to report or something to
  ///   decide.
  init?(
    _ arrival: ArrivedVersions, of identity: DocumentIdentity, _ arrived: PeerObjects.Arrived,
    checking contents: RestingContents
  ) throws {
    let versions = arrived.versions
    let followed = Set(versions.values.flatMap(\.parents))
    let heads = arrived.heads.filter { !followed.contains($0.id) }
    guard arrived.heads.count == arrival.heads.count, heads.count == 1, let head = heads.first,
      let content = head.content, !content.isPackage, versions.count <= Self.mostVersions
    else { return nil }
    let withdrawn = Set(versions.values.flatMap(\.withdrawn))
    let kept = arrival.contents.union([head.id]).subtracting(withdrawn)
    guard kept.contains(head.id), kept.count <= Self.mostContents else { return nil }
    for record in versions.values {
      let parents = record.parents.compactMap { versions[$0] }
      guard identity.contains(record.facts.document),
        parents.allSatisfy({ $0.facts.date < record.facts.date })
      else { return nil }
      try record.checkDate { parents }
    }
    // The head is complete; parts of it that can't be written show when it is written.
    for version in kept where version != head.id {
      guard let record = versions[version], record.content != nil else { return nil }
      try contents.check(record)
    }
    self.identity = identity
    self.head = head
    self.contents = kept.sorted()
    self.versions = versions.count
  }

  /// True if the document can rest on this device's shelf, which keeps single versions of plain files.
  var fitsShelf: Bool {
    versions == 1 && identity.all.count == 1 && head.facts.bytes <= Shelf.mostBytes
  }

  /// A document with more versions gets a store at once, because reading them repeatedly would take longer.
  private static let mostVersions = 256
  private static let mostContents = 64
}
