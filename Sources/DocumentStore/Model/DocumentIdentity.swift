/// All ids of a document.
///
/// A document that was first saved on several devices has an id from each of them, until an exchange finds
/// that they are one document. From then on, the smallest is its id on every device; the others stay as
/// aliases, for versions and devices that use them.
package struct DocumentIdentity: Hashable, Sendable {
  /// The id.
  package let identifier: DocumentIdentifier
  /// The other ids, in order.
  package let aliases: [DocumentIdentifier]

  package init(_ identifier: DocumentIdentifier) {
    self.identifier = identifier
    aliases = []
  }

  /// - Returns: `nil` if there are no ids.
  package init?(_ all: Set<DocumentIdentifier>) {
    let sorted = all.sorted()
    guard let first = sorted.first else { return nil }
    identifier = first
    aliases = Array(sorted.dropFirst())
  }

  /// Reads the ids in the config of a store.
  ///
  /// - Returns: `nil` if the config has none, or they are invalid.
  package init?(configuration values: [String: String]) {
    guard let identifier = values["docversions.document"].flatMap(DocumentIdentifier.init) else {
      return nil
    }
    let aliases = values["docversions.aliases", default: ""].split(separator: " ")
      .map { DocumentIdentifier(String($0)) }
    guard !aliases.contains(nil) else { return nil }
    self.init(Set([identifier] + aliases.compactMap(\.self)))
  }

  /// The section for the config of the document's store.
  var section: String {
    aliases.isEmpty
      ? "document = \(identifier)"
      : "document = \(identifier)\n\taliases = \(aliases.map(\.description).joined(separator: " "))"
  }

  /// All ids of the document.
  package var all: Set<DocumentIdentifier> { Set(aliases).union([identifier]) }

  /// Returns whether an id is one of the document's.
  package func contains(_ text: String) -> Bool {
    identifier.description == text || aliases.contains { $0.description == text }
  }

  /// Returns the identity of this document joined with another one.
  package func joined(with other: DocumentIdentity) -> DocumentIdentity {
    DocumentIdentity(all.union(other.all)) ?? self
  }
}
