internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import Foundation

extension ArrivedVersions {
  /// Returns the ids of a document that arrived under one of them; nil if that isn't an id.
  func identity(besides identifier: String) -> DocumentIdentity? {
    guard DocumentIdentifier(identifier) != nil else { return nil }
    return DocumentIdentity(
      Set(identifiers.union([identifier]).compactMap(DocumentIdentifier.init)))
  }
}

/// Joining of documents that began on several devices.
extension ReplicatedContainer {
  /// Returns the local document that is the same as an arrived one; see
  /// ``StoreReader/isOneDocument(named:with:)``.
  ///
  /// - Returns: nil if there is none, or if either can't be read; then adding it reports why.
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
        if try reader.isNamed(path),
          try reader.isOneDocument(named: path, with: arrived.versions.values)
        {
          return Entry(reader.objects.identity, path: location.path)
        }
        location = DocumentLocation(
          container: folder, path: ContainerPath.numbered(path, number))
        number += 1
      }
    } catch {}
    return nil
  }

  /// Joins documents into one, which has all ids from now on.
  ///
  /// - Parameter moved: receives the locations of the former documents, and that of the joined one.
  func unite(
    _ documents: [Entry], knownBy identifiers: Set<String>,
    moved: (_ former: URL, _ place: URL) -> Void
  ) throws -> Entry? {
    // Documents on disk precede missing ones, and documents with their own names precede numbered ones.
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

  /// Reports the error that prevented a join.
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

  /// Returns the versions in charge and all their ancestors.
  func versions() throws -> [Record] {
    Array(try objects.ancestry(of: heads.divergent().map(\.record.id)).values)
  }

  /// Returns whether this and another document with the same name are one: if they have a version with the same
  /// contents, or are a list of patterns, of which a folder can have only one.
  func isOneDocument(named path: String, with others: some Sequence<Record>) throws -> Bool {
    try ContainerPath.name(of: path) == IgnoreRules.fileName || hasVersion(in: others)
  }

  /// Returns whether some version has the contents of one of others.
  private func hasVersion(in others: some Sequence<Record>) throws -> Bool {
    let digests = Set(others.compactMap { $0.content?.digest })
    return try versions().contains { record in
      guard let content = record.content, digests.contains(content.digest) else { return false }
      return others.contains { content.isSame(as: $0.content) }
    }
  }
}
