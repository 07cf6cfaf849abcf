internal import DocumentFiles
internal import DocumentStore
internal import DocumentTransport
internal import Foundation
internal import SystemPackage

/// Downloading of documents from the remotes that have them.
extension ContainerSync {
  /// Downloads documents that are listed, with a sync of the container with each remote that is needed.
  ///
  /// - Parameters:
  ///   - documents: the documents; none if all of them are here.
  ///   - name: the remote; nil for the first one that lists a document, or for the first of all if none does.
  func download(
    _ documents: [ListedDocument], to url: URL, from name: String?, by access: RemoteAccess
  ) throws -> ExchangeOutcome {
    let container = try store.replicatedContainer(url).folder
    var outcome: ExchangeOutcome?
    for (remote, found) in try RemoteList(of: container).sources(of: documents, from: name) {
      let next = try sync(
        url, with: remote, by: access, downloading: Set(found.flatMap(\.identifiers))
      ).reporting(found, missingAt: remote, in: container)
      outcome = outcome?.followed(by: next) ?? next
    }
    return try outcome ?? sync(url, with: name, by: access)
  }
}

extension RemoteList {
  /// Returns the remotes to download documents from: for each document, the first one that lists it.
  ///
  /// The lists are caches: a document on none of them may be at the first remote.
  ///
  /// - Parameter name: the remote; nil for any.
  fileprivate func sources(
    of documents: [ListedDocument], from name: String?
  ) throws -> [(remote: String, documents: [ListedDocument])] {
    let first = try remote(named: name)
    guard name == nil, !documents.isEmpty else { return [(first.name, documents)] }
    var rest = documents
    var sources: [(remote: String, documents: [ListedDocument])] = []
    for remote in remotes {
      let listed = try identifiers(listedBy: remote)
      let found = rest.filter { !$0.identifiers.isDisjoint(with: listed) }
      guard !found.isEmpty else { continue }
      rest.removeAll(where: found.contains)
      sources.append((remote.name, found))
    }
    return rest.isEmpty ? sources : sources + [(first.name, rest)]
  }
}

extension ExchangeOutcome {
  /// Returns the outcome with a failure for each document that should have been downloaded, but
  /// neither arrived nor failed.
  fileprivate func reporting(
    _ documents: [ListedDocument], missingAt remote: String, in container: FilePath
  ) throws -> ExchangeOutcome {
    let index = try DocumentIndex(in: container)
    let failed = Set(self.documents.filter { $0.failure != nil }.map(\.document))
    let missing = try documents.filter { document in
      !failed.contains(document.document)
        && document.identifiers.allSatisfy { index.paths[index.identifier(for: $0)] == nil }
    }.map { document in
      DocumentExchange(
        document: document.document,
        failure: FileError(
          .notFound, path: try document.document.filePath,
          message: """
            “\(Printable.text(document.document.lastPathComponent))” is not at “\(Printable.text(remote))”.
            """))
    }
    return adding(missing)
  }
}
