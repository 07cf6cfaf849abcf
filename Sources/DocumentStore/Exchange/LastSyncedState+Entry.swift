internal import DocumentFiles
internal import DocumentGit

extension LastSyncedState {
  /// A document with its last synced state.
  struct Entry {
    let state: StoreState
    /// Whether all had been left alone for so long that whatever changes it shows.
    let isSettled: Bool
    let published: Published
    let identifier: String
    /// The only head, here and there.
    let record: ObjectID
    /// The target of its reference here.
    let target: ObjectID
    /// The place of its objects' ids in the file.
    var objects: Range<Int> = 0..<0
  }

  /// The state of a document's files in the exchange folder.
  struct Published: Equatable {
    let heads, contents: ContentDigest
  }

  /// The state of a document’s store.
  struct StoreState: Equatable, Sendable {
    let store: [UInt8]
    let head: HeadStamp
    let packs: FileStamp

    var changed: Int64 { max(head.changed, Int64(bitPattern: packs.changed)) }
  }
}

extension LastSyncedState.Published {
  init(_ state: PublishedFiles.State) {
    self.init(heads: state.heads.digest(), contents: state.contents.digest())
  }
}

extension LastSyncedState.StoreState {
  init?(_ store: [UInt8], _ head: HeadStamp?, in stores: FolderReader) {
    guard let head, let packs = stores.status(of: store, Self.packFolder) else { return nil }
    self.init(store: store, head: head, packs: FileStamp(packs))
  }

  private static let packFolder = Array("/objects/pack".utf8)
}

extension LastSyncedState.Entry {
  // A head’s stamp · the folder of packs (32 bytes) · the digests of the published heads (32) and contents (32) ·
  // the document’s id (32) · the only head (20) · what its reference is at (20) · 1 where all was settled (1) · how many
  // bytes the store’s path has (8), and how many objects follow (8) · the path · the objects’ ids.
  init?(at place: inout Int, in bytes: UnsafeRawBufferPointer) {
    guard let head = HeadStamp(at: place, in: bytes) else { return nil }
    let start = place + HeadStamp.size + head.name.count
    let end = start + 185
    guard end <= bytes.count else { return nil }
    let (length, count) = (bytes.number(at: end - 16), bytes.number(at: end - 8))
    let rest = UInt64(bytes.count - end)
    guard length <= rest, count <= (rest - length) / 20 else { return nil }
    let path = end..<end + Int(length)
    let packs = FileStamp(bytes, at: start)
    state = LastSyncedState.StoreState(store: Array(bytes[path]), head: head, packs: packs)
    published = LastSyncedState.Published(
      heads: bytes.digest(at: start + 32), contents: bytes.digest(at: start + 64))
    identifier = String(decoding: bytes[start + 96..<start + 128], as: UTF8.self)
    record = bytes.identifier(at: start + 128)
    target = bytes.identifier(at: start + 148)
    isSettled = bytes[start + 168] == 1
    objects = path.upperBound..<path.upperBound + Int(count) * 20
    place = objects.upperBound
  }

  func append(to bytes: inout [UInt8], _ objects: [ObjectID]) {
    state.head.append(to: &bytes)
    bytes.append(state.packs)
    bytes.append(published.heads)
    bytes.append(published.contents)
    bytes += Array(identifier.utf8)
    bytes += record.bytes + target.bytes
    bytes.append(isSettled ? 1 : 0)
    bytes.append(number: UInt64(state.store.count))
    bytes.append(number: UInt64(objects.count))
    bytes += state.store
    for id in objects { bytes += id.bytes }
  }
}
