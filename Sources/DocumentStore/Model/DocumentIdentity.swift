/// All ids that a document is known by.
///
/// A document that began on several devices has an id of each of them until an exchange finds that it is one. From then
/// on the smallest is its id, on every device; the others stay as aliases, for versions and devices that name them.
package struct DocumentIdentity: Hashable, Sendable {
  /// The id.
  package let identifier: DocumentIdentifier
  /// The other ids, in order.
  package let aliases: [DocumentIdentifier]

  package init(_ identifier: DocumentIdentifier) {
    self.identifier = identifier
    aliases = []
  }

  /// - Returns: `nil` for no ids.
  package init?(_ all: Set<DocumentIdentifier>) {
    let sorted = all.sorted()
    guard let first = sorted.first else { return nil }
    identifier = first
    aliases = Array(sorted.dropFirst())
  }

  /// Reads the ids in the config of a store.
  ///
  /// - Returns: `nil` if it names none, or something else.
  package init?(configuration values: [String: String]) {
    guard let identifier = values["docversions.document"].flatMap(DocumentIdentifier.init) else {
      return nil
    }
    let aliases = values["docversions.aliases", default: ""].split(separator: " ")
      .map { DocumentIdentifier(String($0)) }
    guard !aliases.contains(nil) else { return nil }
    self.init(Set([identifier] + aliases.compactMap(\.self)))
  }

  /// What the config of the document's store says.
  var section: String {
    aliases.isEmpty
      ? "document = \(identifier)"
      : "document = \(identifier)\n\taliases = \(aliases.map(\.description).joined(separator: " "))"
  }

  /// The ids.
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
