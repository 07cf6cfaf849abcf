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
    let location = try DocumentLocation(of: document).followingRename()
    return try translatingErrors(location) {
      guard try location.hasStore else { throw try noVersions(location) }
      return try examination(of: location).verification
    }
  }

  /// Looks at a store, again if it was changed meanwhile.
  func examination(of location: DocumentLocation) throws -> StoreExamination {
    let meter = ByteMeter(progress: progress)
    for _ in 1...10 {
      let examination = try StoreExamination(location, meter: meter)
      try examination.run()
      guard !examination.verification.isWhole else { return examination }
      // A store that is being changed may look damaged to one who holds no lock.
      Threads.sleep(seconds: 0.02)
      let now = try StoreExamination(location, meter: meter)
      if try now.references == examination.references
        && Set(now.repository.packFiles().keys) == Set(examination.repository.packFiles().keys)
      {
        return examination
      }
    }
    throw VersionError(
      .changedMeanwhile, document: location.printable,
      message: "The versions of “\(location.printable)” change all the time; nothing can be told.",
      hint: "Try again.")
  }
}
