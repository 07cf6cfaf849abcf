internal import DocumentFiles
internal import DocumentGit
internal import Foundation
internal import SystemPackage

/// Verifies stores.
struct StoreVerification {
  private let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Verifies a document's store; see ``SynchronousStore/verify(_:)``.
  func verify(_ document: URL) throws -> Verification {
    let location = try DocumentLocation(of: document)
    return try environment.reportingErrors(of: location) {
      if let resting = try RestingDocuments.document(of: location) {
        var check = try RestingCheck(resting, at: location, environment)
        return try check.verification()
      }
      return try StoreSearch(environment).atStore(of: location) { try verification(of: $0) }
    }
  }

  /// Checks a store, and checks it again if it changed in the meantime.
  ///
  /// - Throws: ``FileError`` with code `changing` if it was moved away.
  private func verification(of location: DocumentLocation) throws -> Verification {
    let meter = ByteMeter(progress: environment.progress)
    return try checkingUntilSure(location) {
      let check = try StoreCheck(location, clock: environment.fileClock, meter: meter)
      try check.run()
      let verification = check.verification
      return (verification, verification.isWhole ? nil : check)
    }
  }

  /// Checks a store, and repeats the check while the findings may come from a change in progress.
  ///
  /// Without the lock, a store that is being changed may seem damaged.
  ///
  /// - Parameter body: returns the findings and, if they are doubtful, the check that they come from.
  /// - Throws: ``VersionError`` with code `changedMeanwhile` if the changes take longer than the wait for a lock;
  ///   ``FileError`` with code `changing` if the store was moved away.
  func checkingUntilSure<Found>(
    _ location: DocumentLocation, _ body: () throws -> (found: Found, doubted: StoreCheck?)
  ) throws -> Found {
    let store = try FileStatus.of(location.store)
    let end = ContinuousClock.now + .patience(seconds: environment.lockSeconds)
    repeat {
      let (found, doubted) = try body()
      guard let doubted else { return found }
      Threads.sleep(seconds: 0.02)
      let isCurrent = try doubted.isCurrent()
      guard try location.isStore(store) else {
        throw FileError(
          .changing, path: location.document,
          message: "“\(location.printable)” was renamed in the meantime.")
      }
      if isCurrent { return found }
    } while ContinuousClock.now < end
    throw VersionError(
      .changedMeanwhile, document: location.printable,
      message: "The versions of “\(location.printable)” keep changing, so they can’t be checked.",
      recovery: .tryAgain)
  }
}
