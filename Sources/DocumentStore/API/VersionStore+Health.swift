internal import DocumentFiles
public import Foundation

/// The health of stores.
extension VersionStore {
  /// Verifies a document's store: every byte that is kept, and whether all of it fits together.
  ///
  /// Changes nothing, and no other operation waits for it. Every content is read and compared with the digest that was
  /// taken when it was saved, so this takes as long as reading the store; ``progress`` tells how far it is.
  ///
  /// - Returns: what was found; damage is no error here.
  /// - Throws: ``VersionError`` with code `noVersions`, or an error where the store cannot be read:
  ///   permissions, another owner, a failing disk. `CancellationError` after `cancel()`.
  public func verify(_ document: URL) throws -> Verification {
    try StoreVerification(environment).verify(document)
  }

  /// Repairs a document's store as far as what is left allows.
  ///
  /// Never deletes a version, and never touches the document. What is taken out of use is moved to `quarantine`
  /// in the store, after what replaces it is on the disk; references, config and ledger are copied to `backup` first.
  /// With ``isDryRun``, reports what it would do.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - options: where else to look for what is missing.
  /// - Returns: what was done, and what cannot be repaired.
  public func repair(_ document: URL, options: RepairOptions = RepairOptions()) throws -> Repair {
    if let folder = options.exchangeFolder { try ExchangeFolder.check(folder.filePath) }
    return try DocumentRepair(environment).repair(document, options: options)
  }

  /// Tries out, in a scratch folder inside a folder, that damage is found and that the file system will do.
  ///
  /// - Parameter folder: a folder on the file system in question.
  public func selfTest(in folder: URL) throws -> SelfTest {
    try SelfTesting(environment).run(in: folder)
  }
}
