public import Foundation

/// The outcome of an exchange for one document.
public struct DocumentExchange: Sendable {
  /// The document at its present location.
  public package(set) var document: URL
  /// The former location, if this exchange moved the document because others renamed it, or another document has its
  /// name.
  public package(set) var formerDocument: URL?
  /// The location that a new document has by its own name; `nil` for any other document.
  ///
  /// If it is at another location, a document with the same name is there. If the two are one document,
  /// ``VersionStore/join(_:with:)`` combines them.
  package var ownPlace: URL?
  /// The number of received versions.
  public package(set) var received: Int
  /// The number of published versions.
  public package(set) var sent: Int
  /// The number of unresolved conflict versions.
  public package(set) var unresolvedConflicts: Int
  /// The reason why the document was left out, or why versions of it haven't arrived completely; `nil` if there is
  /// none.
  public package(set) var failure: (any Error)?
  /// A warning for people, in complete sentences, such as that others can read the private document there; `nil` if
  /// there is none.
  package var warning: String?
  /// The size in bytes of the packs that were written for received versions.
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
