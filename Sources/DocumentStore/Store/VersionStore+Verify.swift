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
    let store = try FileStatus.of(location.store)
    for _ in 1...10 {
      let examination = try StoreExamination(location, meter: meter)
      try examination.run()
      guard !examination.verification.isWhole else { return examination }
      // A store that is being changed may look damaged to one who holds no lock.
      Threads.sleep(seconds: 0.02)
      guard try location.isStore(store) else {
        throw FileError(
          .changing, path: location.document,
          message: "“\(location.printable)” was renamed meanwhile.")
      }
      if try examination.isCurrent() { return examination }
    }
    throw changesAllTheTime(location)
  }

  func changesAllTheTime(_ location: DocumentLocation) -> VersionError {
    VersionError(
      .changedMeanwhile, document: location.printable,
      message: "The versions of “\(location.printable)” change all the time; nothing can be told.",
      hint: "Try again.")
  }
}
