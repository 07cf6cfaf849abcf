internal import DocumentFiles
internal import DocumentGit
public import Foundation
internal import SystemPackage

extension VersionStore {
  /// The documents below a folder that are in a conflict nobody has resolved, in the order of their paths.
  ///
  /// Quick: of the others only the names of their references are read. A document whose versions cannot be read is
  /// in the list: ask for its history to see why.
  ///
  /// - Parameter folder: a container, or a folder inside one.
  /// - Returns: nil when the folder is in no container.
  public func documentsInConflict(below folder: URL) throws -> [URL]? {
    try locations(below: folder)?.filter(isMaybeInConflict).map(\.url)
  }

  private func isMaybeInConflict(_ location: DocumentLocation) -> Bool {
    do {
      if try OpenStore.hasOneHead(location.store) { return false }
      return try OpenStore(reading: location, for: self).divergentHeads().count > 1
    } catch {
      // Nothing is known of it: that is not the same as no conflict.
      return true
    }
  }
}

extension OpenStore {
  /// Whether the names alone tell that a document has one head: then it is in no conflict.
  ///
  /// The ledger has to agree, lest a head that was lost is overlooked.
  fileprivate static func hasOneHead(_ store: FilePath) throws -> Bool {
    guard try FileStatus.of(store.appending("packed-refs")) == nil else { return false }
    let names = try Folder.names(in: store.pushing(FilePath(Head.prefix)))
    return try names.count == 1 && HeadLedger(in: store).tail()?.heads.count == 1
  }
}
