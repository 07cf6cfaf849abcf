internal import DocumentFiles
internal import DocumentGit
package import Foundation
internal import SystemPackage

#if canImport(Glibc)
internal import Glibc
#else
internal import Darwin
#endif

/// Other places in which a repair may find missing objects.
package struct RepairOptions: Sendable {
  /// An exchange folder that also has the document.
  package var exchangeFolder: URL?
  /// True if unreachable versions are added as conflict versions.
  package var findsLost = false

  /// Creates a repair that uses only the store and the document.
  package init() {}
}

/// Repairs the stores of documents.
struct DocumentRepair {
  private let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Repairs a document's store; see ``SynchronousStore/repair(_:options:)``.
  func repair(_ document: URL, options: RepairOptions) throws -> Repair {
    let location = try DocumentLocation(of: document)
    return try environment.reportingErrors(of: location) {
      try StoreSearch(environment).atStore(of: location) { try repair(at: $0, options) }
    }
  }

  private func repair(at location: DocumentLocation, _ options: RepairOptions) throws -> Repair {
    if let resting = try RestingRepair(location, environment) { return try resting.repair() }
    try refuseForeign(location)
    try refuseNewer(location)
    guard !environment.isDryRun else { return try repairPlan(for: location, options) }
    let repair = try RepairSession(location, options, in: environment)
    let lock = try LayoutRepair(session: repair).lock()
    try AbandonedLocks.remove(
      fromStore: location.store, isLeftBehind: lock.isLeftBehind, clock: environment.fileClock)
    try repair.run()
    _ = consume lock
    return repair.outcome
  }

  /// Returns the steps that a repair would take, found without a lock.
  private func repairPlan(
    for location: DocumentLocation, _ options: RepairOptions
  ) throws -> Repair {
    try StoreVerification(environment).checkingUntilSure(location) {
      let repair = try RepairSession(location, options, in: environment)
      try repair.run()
      let outcome = repair.outcome
      let isWhole = outcome.steps.isEmpty && outcome.losses.isEmpty
      return (outcome, isWhole ? nil : repair.lastCheck)
    }
  }

  /// Throws an error for a store of a later format, which isn't damaged.
  private func refuseNewer(_ location: DocumentLocation) throws {
    let configuration: [String: String]
    do {
      configuration = try StoreSafety.configuration(of: location.store)
    } catch is GitError {
      return
    } catch let error as FileError where error.code != .system {
      return
    }
    try StoreSafety.refuseNewer(configuration)
  }

  /// Throws an error for another user's store, which docversions doesn't write to.
  private func refuseForeign(_ location: DocumentLocation) throws {
    guard let status = try FileStatus.of(location.store), status.owner != geteuid() else { return }
    throw VersionError(
      .system, document: location.printable,
      message:
        "The versions of “\(location.printable)” belong to another user, and are not trusted.",
      recovery: .takeOwnership)
  }
}
