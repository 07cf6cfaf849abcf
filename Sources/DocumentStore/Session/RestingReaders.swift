/// Readers of resting documents, which open each repository only once.
package final class RestingReaders {
  private var opened: [String: OpenRepository] = [:]

  package init() {}

  /// Returns a reader of a resting document; `nil` for one that has a store.
  package func reader(
    of location: DocumentLocation, in environment: StoreEnvironment
  ) throws -> StoreReader? {
    try RestingDocument.reading(location) { document in
      StoreReader(
        try VersionObjects(location, resting: document, in: repository(of: document, in: location)),
        in: environment)
    }
  }

  /// Returns the repository that a document rests on.
  func repository(
    of document: RestingDocument, in location: DocumentLocation
  ) throws -> OpenRepository {
    if let opened = opened[document.mirror] { return opened }
    let new = OpenRepository(try document.openMirror(in: location.container))
    opened[document.mirror] = new
    return new
  }
}
