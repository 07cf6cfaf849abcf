internal import DocumentFiles
internal import DocumentGit
public import Foundation
internal import SystemPackage

extension VersionStore {
  /// Checks a document's store: every byte that is kept, and whether all of it fits together.
  ///
  /// Changes nothing, and holds up no other operation. Every content is read and compared with the digest that was
  /// taken when it was saved, so this takes as long as reading the store; ``progress`` says how far it is.
  ///
  /// - Returns: the findings; damage is no error here.
  /// - Throws: ``VersionError`` with code `noVersions`, or an error where the store cannot be read:
  ///   permissions, another owner, a failing disk. `CancellationError` after `cancel()`.
  public func verify(_ document: URL) throws -> Verification {
    let location = try DocumentLocation(of: document)
    return try translatingErrors(location) {
      try whereItsStoreIs(location) { try verification(of: $0) }
    }
  }

  /// Checks a store, again if it was changed meanwhile.
  ///
  /// - Throws: ``FileError`` with code `changing` if it was moved away.
  private func verification(of location: DocumentLocation) throws -> Verification {
    let meter = ByteMeter(progress: progress)
    return try checkingUntilSure(location) {
      let check = try StoreCheck(location, meter: meter)
      try check.run()
      let verification = check.verification
      return (verification, verification.isWhole ? nil : check)
    }
  }

  /// Checks a store, again while the findings may come from a change on its way: without the lock, a store that is being
  /// changed may look damaged.
  ///
  /// - Parameter body: returns the findings, and the check that they come from where they have to be doubted.
  /// - Throws: ``VersionError`` with code `changedMeanwhile` where the changes take longer than the wait for a lock;
  ///   ``FileError`` with code `changing` if the store was moved away.
  func checkingUntilSure<Found>(
    _ location: DocumentLocation, _ body: () throws -> (found: Found, doubted: StoreCheck?)
  ) throws -> Found {
    let store = try FileStatus.of(location.store)
    let end = ContinuousClock.now + .patience(seconds: lockTimeout)
    repeat {
      let (found, doubted) = try body()
      guard let doubted else { return found }
      Threads.sleep(seconds: 0.02)
      guard try location.isStore(store) else {
        throw FileError(
          .changing, path: location.document,
          message: "“\(location.printable)” was renamed meanwhile.")
      }
      if try doubted.isCurrent() { return found }
    } while ContinuousClock.now < end
    throw VersionError(
      .changedMeanwhile, document: location.printable,
      message: "The versions of “\(location.printable)” change all the time; nothing can be told.",
      recovery: .tryAgain)
  }
}
