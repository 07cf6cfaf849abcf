internal import DocumentFiles
internal import DocumentGit
public import Foundation
internal import Synchronization
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
    guard let (container, documents) = try storedDocuments(below: folder) else { return nil }
    guard !documents.isEmpty else { return [] }
    let stores = try Glance(Layout.documents(of: container))
    let found = Mutex<[Int: URL]>([:])
    Threads.perform(documents.count, atMost: documents.count < 64 ? 1 : Threads.coreCount) {
      index in
      guard !HeadLedger.tellsOneHead(of: documents[index].store, in: stores) else { return }
      let location = DocumentLocation(container: container, path: documents[index].path)
      if isMaybeInConflict(location) { found.withLock { $0[index] = location.url } }
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
  /// Whether a document has one reference, which is where the ledger says that its one head is: then it is in no
  /// conflict, and no head was lost.
  ///
  /// - Parameters:
  ///   - store: the path of its store.
  ///   - stores: the folder from which the path leads there.
  fileprivate static func tellsOneHead(of store: [UInt8], in stores: Glance) -> Bool {
    let heads = store + headFolder
    guard let name = stores.onlyName(in: heads), Head.isName(name),
      let reference = stores.end(of: heads + name, limit: 64), reference.start == 0,
      let ledger = stores.end(of: store + fileName, limit: 512),
      let target = onlyTarget(in: ledger.bytes, at: ledger.start)
    else { return false }
    return reference.bytes.count == 41 && reference.bytes.last == UInt8(ascii: "\n")
      && reference.bytes.dropLast().elementsEqual(target)
      && stores.isAbsent(store + packedReferences)
  }

  private static let headFolder = Array("/\(Head.prefix)".utf8)
  private static let fileName = Array("/ledger".utf8)
  private static let packedReferences = Array("/packed-refs".utf8)
}
