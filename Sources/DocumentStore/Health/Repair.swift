package import Foundation

/// The outcome of repairing a document's store.
package struct Repair: Sendable {
  /// A step that was carried out, or that a repair would carry out.
  package struct Step: Hashable, Sendable {
    /// The kind of damage.
    package let code: Verification.Finding.Code
    /// The step as a sentence.
    package let message: String
    /// The file concerned, relative to the store; `nil` if the step concerns none.
    package let file: String?
  }

  /// The document.
  package let document: URL
  /// The steps in order; after a dry run, those that a repair would carry out.
  package let steps: [Step]
  /// The damage that can't be repaired, and a finding about the missing versions if the store has none.
  ///
  /// After a dry run, it is only set if there is nothing to repair, because the result of the steps isn't
  /// known.
  package let losses: [Verification.Finding]
  /// The copy of the references, the config and the ledger from before the repair; `nil` if no step was carried out.
  package let backup: URL?
}

extension Verification.Finding {
  /// Whether a repair reports this finding as one that it can't repair.
  var isLoss: Bool { severity == .damage || code == .noVersions }
}
