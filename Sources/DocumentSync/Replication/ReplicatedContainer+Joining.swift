internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import Foundation

extension ArrivedVersions {
  /// The ids of a document that arrived under one of them; nil if that is no id.
  func identity(besides identifier: String) -> DocumentIdentity? {
    guard DocumentIdentifier(identifier) != nil else { return nil }
    return DocumentIdentity(
      Set(identifiers.union([identifier]).compactMap(DocumentIdentifier.init)))
  }
}

/// Documents that are one: they began on several devices.
extension ReplicatedContainer {
  /// The document here that one which arrived is the same as: it has its name, and a version in common by its contents.
  ///
  /// - Returns: nil if there is none, and if one of both can't be read: then adding it reports why.
  func counterpart(
    of identifier: String, _ arrival: ArrivedVersions, on peer: PeerObjects
  ) -> Entry? {
    do {
      guard let identity = arrival.identity(besides: identifier) else { return nil }
      let arrived = try peer.arrived(arrival.heads, of: identity.identifier)
      guard let path = arrived.path else { return nil }
      var location = DocumentLocation(container: folder, path: path)
      var number = 2
      while try location.hasStore {
        let reader = try StoreReader(location, in: environment)
        if try reader.isNamed(path), try reader.hasVersion(in: arrived.versions.values) {
          return Entry(reader.objects.identity, path: location.path)
        }
        location = DocumentLocation(
          container: folder, path: ContainerPath.numbered(path, number))
        number += 1
      }
    } catch {}
    return nil
  }

  /// Makes one document of those that are one, known by all ids from now on.
  ///
  /// - Parameter moved: gets the places of the documents that are no more, and that of the one.
  func unite(
    _ documents: [Entry], knownBy identifiers: Set<String>,
    moved: (_ former: URL, _ place: URL) -> Void
  ) throws -> Entry? {
    // What is on the disk goes before what is not, and a document with its own name before one with a number.
    let locations = try documents.map { DocumentLocation(container: folder, path: $0.path) }
      .map { (isMissing: try FileStatus.of($0.document) == nil, location: $0) }
      .sorted {
        $0.isMissing != $1.isMissing
          ? $1.isMissing
          : ($0.location.path.utf8.count, $0.location.path)
            < ($1.location.path.utf8.count, $1.location.path)
      }.map(\.location)
    guard var location = locations.first else { return nil }
    let joining = Joining(environment)
    for other in locations.dropFirst() {
      let place = try joining.fold(other, into: location)
      moved(other.url, place.url)
      if place != location { moved(location.url, place.url) }
      location = place
    }
    let all = Set(identifiers.compactMap(DocumentIdentifier.init))
    return try environment.withWriter(at: location) { writer in
      let objects = writer.reader.objects
      if let others = DocumentIdentity(all) {
        try objects.adopt(objects.identity.joined(with: others))
      }
      return Entry(objects.identity, path: location.path)
    }
  }

  /// Reports what kept documents from being made one.
  func failure(_ error: any Error, of document: Entry) throws -> DocumentExchange {
    let place = DocumentLocation(container: folder, path: document.path).url
    return try reporting(place) { throw error }.result
  }
}

extension StoreReader {
  /// Returns whether the current version has a path.
  fileprivate func isNamed(_ path: String) throws -> Bool {
    try heads.divergent().first?.record.facts.path.hasBytes(of: path) == true
  }

  /// The versions in charge, and all that they were made from.
  func versions() throws -> [Record] {
    Array(try objects.ancestry(of: heads.divergent().map(\.record.id)).values)
  }

  /// Returns whether some version has the contents of one of others.
  func hasVersion(in others: some Sequence<Record>) throws -> Bool {
    let digests = Set(others.compactMap { $0.content?.digest })
    return try versions().contains { record in
      guard let content = record.content, digests.contains(content.digest) else { return false }
      return others.contains { content.isSame(as: $0.content) }
    }
  }
}
