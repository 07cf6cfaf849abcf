public import Foundation

/// The result of an exchange for one document.
public struct DocumentExchange: Sendable {
  /// The document, where it is now.
  public package(set) var document: URL
  /// Its former place, where this exchange moved it: others renamed it, or its name is another document's.
  public package(set) var formerDocument: URL?
  /// The place of another document that has this one's name, so that this one, which is new here, got a number; nil
  /// mostly.
  ///
  /// Where the two are one all the same, ``VersionStore/join(_:with:)`` makes them one.
  package var namesake: URL?
  /// Versions that arrived.
  public package(set) var received: Int
  /// Versions that were published.
  public package(set) var sent: Int
  /// Conflict versions that are not resolved.
  public package(set) var unresolvedConflicts: Int
  /// Why the document was left out, or versions of it that have not arrived whole, where that is so.
  public package(set) var failure: (any Error)?
  /// A warning for a person, in full sentences, such as that others can read the private document there;
  /// nil where there is nothing.
  package var warning: String?
  /// Bytes of the packs that were written for what arrived.
  package var receivedBytes = 0

  package init(
    document: URL, received: Int = 0, sent: Int = 0, unresolvedConflicts: Int = 0,
    failure: (any Error)? = nil
  ) {
    self.document = document
    self.received = received
    self.sent = sent
    self.unresolvedConflicts = unresolvedConflicts
    self.failure = failure
  }
}
