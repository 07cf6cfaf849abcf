internal import DocumentFiles
internal import DocumentGit
public import Foundation
internal import SystemPackage

extension VersionStore {
  /// The documents below a folder that are in a conflict nobody has resolved, in the order of their paths.
  ///
  /// Quick: of the others only the reference and the ledger are read. A document whose versions cannot be read is
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
  /// Whether a document has one reference, which is where the ledger says that its one head is: then it is in no
  /// conflict, and no head was lost.
  fileprivate static func hasOneHead(_ store: FilePath) throws -> Bool {
    guard try FileStatus.of(store.appending("packed-refs")) == nil else { return false }
    let heads = store.pushing(FilePath(Head.prefix))
    let names = try Folder.names(in: heads)
    guard names.count == 1, Head.isName(Head.prefix + String(decoding: names[0], as: UTF8.self)),
      let noted = try HeadLedger(in: store).tail()?.heads, noted.count == 1,
      let reference = try SmallFile.read(heads.appending(bytes: names[0]), limit: 64)
    else { return false }
    return reference.elementsEqual("\(noted[0].target)\n".utf8)
  }
}
