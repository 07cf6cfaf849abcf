internal import DocumentFiles
internal import DocumentGit
public import Foundation
internal import Synchronization
internal import SystemPackage

extension VersionStore {
  /// The documents below a folder that are in a conflict nobody has resolved, in the order of their paths.
  ///
  /// Quick: of the others only the reference and the ledger are read, and of those that have not changed since they
  /// were looked at, not even these. A document whose versions cannot be read is
  /// in the list: ask for its history to see why.
  ///
  /// - Parameter folder: a container, or a folder inside one.
  /// - Returns: nil when the folder is in no container.
  public func documentsInConflict(below folder: URL) throws -> [URL]? {
    try documentsInConflict(below: folder, leastAge: KnownMembers.leastAge)
  }

  /// The same.
  ///
  /// - Parameter leastAge: how long documents must have been left alone to be noted, in nanoseconds.
  func documentsInConflict(below folder: URL, leastAge: Int64) throws -> [URL]? {
    guard let (container, documents) = try storedDocuments(below: folder) else { return nil }
    guard !documents.isEmpty else { return [] }
    // What changes while somebody looks may not show.
    let latest = FileStatus.now &- leastAge
    let stores = try Glance(Layout.documents(of: container))
    let quiet = QuietDocuments(in: container)
    let found = Mutex<[Int: URL]>([:])
    let seen = Mutex<[Int: HeadStamp]>([:])
    Threads.perform(documents.count, atMost: documents.count < 64 ? 1 : Threads.coreCount) {
      index in
      let store = documents[index].store
      guard !quiet.contains(store, in: stores) else { return }
      if let stamp = HeadLedger.onlyHead(of: store, in: stores) {
        return seen.withLock { $0[index] = stamp }
      }
      let location = DocumentLocation(container: container, path: documents[index].path)
      if isMaybeInConflict(location) { found.withLock { $0[index] = location.url } }
    }
    if !isDryRun {
      quiet.note(
        seen.withLock { Array($0.values) }, unchangedSince: latest, in: container)
    }
    return found.withLock { $0.sorted { $0.key < $1.key }.map(\.value) }
  }

  private func isMaybeInConflict(_ location: DocumentLocation) -> Bool {
    do {
      return try OpenStore(reading: location, for: self).divergentHeads().count > 1
    } catch {
      // Nothing is known of it: that is not the same as no conflict.
      return true
    }
  }
}

extension HeadLedger {
  /// A document’s one reference, which is where the ledger says that its one head is; nil where it is not so.
  ///
  /// With it the document is in no conflict, and no head was lost.
  ///
  /// - Parameters:
  ///   - store: the path of its store.
  ///   - stores: the folder from which the path leads there.
  fileprivate static func onlyHead(of store: [UInt8], in stores: Glance) -> HeadStamp? {
    let place = HeadPlace(of: store)
    guard let (name, folder) = stores.onlyName(in: place.folder), Head.isName(name),
      let reference = stores.end(of: place.folder + name, limit: 64), reference.start == 0,
      let ledger = stores.end(of: place.ledger, limit: 512),
      let target = onlyTarget(in: ledger.bytes, at: ledger.start),
      reference.bytes.count == 41, reference.bytes.last == UInt8(ascii: "\n"),
      reference.bytes.dropLast().elementsEqual(target), stores.isAbsent(place.packedReferences)
    else { return nil }
    return HeadStamp(
      name: name, folder: folder, reference: reference.file, ledger: ledger.file)
  }
}
