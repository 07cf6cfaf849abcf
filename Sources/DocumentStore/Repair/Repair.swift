public import Foundation

/// What repairing a document's store did, or would do.
public struct Repair: Sendable {
  /// One thing that was done, or would be.
  public struct Step: Hashable, Sendable {
    /// What was damaged.
    public let code: Verification.Finding.Code
    /// What is done about it, as a sentence.
    public let message: String
    /// The file concerned, relative to the store; nil where it is not about one.
    public let file: String?
  }

  /// The document.
  public let document: URL
  /// What was done, in order; after a dry run, what would be.
  public let steps: [Step]
  /// The damage that is left: what cannot be repaired.
  ///
  /// After a dry run, only where there is no step to do: what steps would leave is not known.
  public let losses: [Verification.Finding]
  /// Where the references, the config and the ledger were copied to first; nil where nothing was done.
  public let backup: URL?
}

extension VersionStore {
  /// Where else a repair may look for what is missing.
  public struct RepairOptions: Sendable {
    /// A folder for exchange that has the document too.
    public var exchangeFolder: URL?
    /// Whether versions that nothing leads to are put beside the others, as conflict versions.
    public var findsLost = false

    /// Repairs from what the store and the document have.
    public init() {}
  }
}
