internal import DocumentFiles
internal import DocumentGit
public import Foundation
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

extension VersionStore {
  /// Repairs a document's store as far as what is left allows.
  ///
  /// Never deletes a version, and never touches the document. What is taken out of use is moved to `quarantine`
  /// in the store, after what replaces it is on the disk; references, config and ledger are copied to `backup` first.
  /// With ``isDryRun``, tells what it would do.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - options: where else to look for what is missing.
  /// - Returns: what was done, and what cannot be repaired.
  public func repair(_ document: URL, options: RepairOptions = RepairOptions()) throws -> Repair {
    let location = try DocumentLocation(of: document)
    if let folder = options.exchangeFolder { try ExchangeFolder.check(folder.filePath) }
    return try translatingErrors(location) {
      try whereItsStoreIs(location) { try repair(at: $0, options) }
    }
  }

  private func repair(at location: DocumentLocation, _ options: RepairOptions) throws -> Repair {
    try refuseForeign(location)
    try refuseNewer(location)
    guard !isDryRun else { return try repairs(of: location, options) }
    let repair = StoreRepair(location, store: self, options: options)
    let lock = try repair.lock()
    try LeftoverLocks.remove(fromStore: location.store, isLeftBehind: lock.isLeftBehind)
    try repair.run()
    _ = consume lock
    return repair.outcome
  }

  /// What a repair would do, without a lock.
  private func repairs(of location: DocumentLocation, _ options: RepairOptions) throws -> Repair {
    try lookingUntilSure(at: location) {
      let repair = StoreRepair(location, store: self, options: options)
      try repair.run()
      let outcome = repair.outcome
      let isWhole = outcome.steps.isEmpty && outcome.losses.isEmpty
      return (outcome, isWhole ? nil : repair.examination)
    }
  }

  /// A store of a later format is not damaged.
  private func refuseNewer(_ location: DocumentLocation) throws {
    let configuration: [String: String]
    do {
      configuration = try StoreInspection.configuration(of: location.store)
    } catch is GitError {
      return
    } catch let error as FileError where error.code != .system {
      return
    }
    try StoreInspection.refuseNewer(configuration)
  }

  /// Another user's store is none that we write to.
  private func refuseForeign(_ location: DocumentLocation) throws {
    guard let status = try FileStatus.of(location.store), status.owner != geteuid() else { return }
    throw VersionError(
      .system, document: location.printable,
      message:
        "The versions of “\(location.printable)” belong to another user, and are not trusted.",
      recovery: .takeOwnership)
  }
}
