public import Foundation

extension DocumentQuery {
  /// A part of a container with an identifier.
  public enum Scope: Hashable, Sendable {
    /// The folder `Documents`, which the user sees (`NSMetadataQueryUbiquitousDocumentsScope`).
    case documents
    /// Everything beside that folder (`NSMetadataQueryUbiquitousDataScope`).
    case data
  }

  /// Creates a query in parts of a container.
  ///
  /// - Parameters:
  ///   - predicate: the condition.
  ///   - scopes: the parts to search.
  ///   - container: a container of ``UbiquityContainers``.
  ///   - sortDescriptors: the sort order of the results.
  public init(
    _ predicate: DocumentPredicate = .all, in scopes: Set<Scope>, of container: URL,
    sortedBy sortDescriptors: [DocumentSortDescriptor] = []
  ) {
    let documents = container.appending(path: "Documents", directoryHint: .isDirectory)
    switch (scopes.contains(.documents), scopes.contains(.data)) {
    case (true, true): self.init(predicate, in: [container], sortedBy: sortDescriptors)
    case (true, false): self.init(predicate, in: [documents], sortedBy: sortDescriptors)
    case (false, true):
      self.init(
        !DocumentPredicate.isBelow(documents) && predicate, in: [container],
        sortedBy: sortDescriptors)
    case (false, false): self.init(predicate, in: [], sortedBy: sortDescriptors)
    }
  }
}
