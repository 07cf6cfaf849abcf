public import Foundation

/// The health of stores.
extension VersionStore {
  /// Verifies a document's store: every byte that is kept, and that all of it fits together.
  ///
  /// Changes nothing, and no other operation waits for it. Every content is read and compared with the digest that was
  /// taken when it was saved, so this takes as long as reading the store; ``progress`` says how far it is.
  ///
  /// - Returns: the findings; damage is no error here.
  /// - Throws: ``VersionError`` with code `noVersions`, or an error where the store cannot be read:
  ///   permissions, another owner, a failing disk. `CancellationError` after `cancel()`.
  public func verify(_ document: URL) async throws -> Verification {
    try await perform { try $0.verify(document) }
  }

  /// Repairs a document's store as far as what is left allows.
  ///
  /// Never deletes a version, and never touches the document. Parts that are taken out of use are moved to `quarantine`
  /// in the store, after their replacement is on the disk; references, config and ledger are copied to `backup` first.
  /// With ``isDryRun``, reports what it would do.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - exchangeFolder: a folder for exchange that has the document too: what is missing is taken from it.
  ///   - findingLost: puts versions that nothing leads to beside the others, as conflict versions.
  /// - Returns: what was done, and what cannot be repaired.
  public func repair(
    _ document: URL, from exchangeFolder: URL? = nil, findingLost: Bool = false
  ) async throws -> Repair {
    var options = RepairOptions()
    options.exchangeFolder = exchangeFolder
    options.findsLost = findingLost
    return try await perform { [options] in try $0.repair(document, options: options) }
  }
}
