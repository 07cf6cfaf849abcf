internal import DocumentFiles
internal import DocumentGit
public import Foundation
internal import SystemPackage

extension VersionStore {
  /// Looks closely at a document's store: every byte that is kept, and whether all of it fits together.
  ///
  /// Changes nothing, and holds up nobody. Every content is read and compared with the digest that was
  /// taken when it was saved, so this takes as long as reading the store; ``progress`` tells how far it is.
  ///
  /// - Returns: what was found; damage is no error here.
  /// - Throws: ``VersionError`` with code `noVersions`, or an error where the store cannot be looked at:
  ///   permissions, another owner, a failing disk. `CancellationError` after `cancel()`.
  public func verify(_ document: URL) throws -> Verification {
    let location = try DocumentLocation(of: document)
    return try translatingErrors(location) {
      try whereItsStoreIs(location) { try examination(of: $0).verification }
    }
  }

  /// Looks at a store, again if it was changed meanwhile.
  ///
  /// - Throws: ``FileError`` with code `changing` if it was moved away.
  func examination(of location: DocumentLocation) throws -> StoreExamination {
    let meter = ByteMeter(progress: progress)
    return try lookingUntilSure(at: location) {
      let examination = try StoreExamination(location, meter: meter)
      try examination.run()
      return (examination, examination.verification.isWhole ? nil : examination)
    }
  }

  /// Looks at a store, again while what was seen may be a change on its way: to one who holds no lock, a store that is being
  /// changed may look damaged.
  ///
  /// - Parameter look: tells what was seen, and by which look where that is no matter of course.
  /// - Throws: ``VersionError`` with code `changedMeanwhile` where the changes take longer than anybody waits for a lock;
  ///   ``FileError`` with code `changing` if the store was moved away.
  func lookingUntilSure<Seen>(
    at location: DocumentLocation, _ look: () throws -> (seen: Seen, doubted: StoreExamination?)
  ) throws -> Seen {
    let store = try FileStatus.of(location.store)
    let end = ContinuousClock.now + .patience(seconds: lockTimeout)
    repeat {
      let (seen, doubted) = try look()
      guard let doubted else { return seen }
      Threads.sleep(seconds: 0.02)
      guard try location.isStore(store) else {
        throw FileError(
          .changing, path: location.document,
          message: "“\(location.printable)” was renamed meanwhile.")
      }
      if try doubted.isCurrent() { return seen }
    } while ContinuousClock.now < end
    throw VersionError(
      .changedMeanwhile, document: location.printable,
      message: "The versions of “\(location.printable)” change all the time; nothing can be told.",
      recovery: .tryAgain)
  }
}
