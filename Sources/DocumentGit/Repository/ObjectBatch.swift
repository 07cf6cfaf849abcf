/// Objects of many repositories on their way into one.
///
/// Those of small changes are gathered in memory and become one pack, because each pack costs a wait for the disk and a
/// search in every later read; many or large ones are copied at once, as the differences that they are stored as.
package final class ObjectBatch {
  private var gathered: [ObjectID: GitObject] = [:]
  private var bytes = 0
  /// The packs that were written, in their order.
  package private(set) var packs: [PublishedPack] = []

  /// What new objects resemble that the destination has already: a server takes them as the difference.
  package private(set) var likenesses: [ObjectID: ObjectID] = [:]

  package init() {}

  /// Adds objects.
  ///
  /// - Parameters:
  ///   - ids: objects of a repository.
  ///   - size: bytes of these, about.
  ///   - new: objects that are in no repository yet.
  package func add(
    _ ids: [ObjectID], size: Int, and new: [GitObject], of source: borrowing Repository,
    to destination: borrowing Repository, advance: (Int) throws -> Void
  ) throws {
    if ids.count > Self.many || size > Self.large {
      if let pack = try source.copy(ids, intoPacksOf: destination, advance: advance) {
        packs.append(pack)
      }
    } else {
      for id in ids where gathered[id] == nil {
        let object = try source.read(id)
        try advance(object.bytes.count)
        gather(GitObject(object.kind, object.bytes))
      }
    }
    for object in new { gather(object) }
    if bytes > Self.most { try write(to: destination) }
  }

  /// Adds an object that is in no repository yet.
  ///
  /// - Parameter former: an object that it resembles and that the destination has already; nil for none.
  package func gather(_ object: GitObject, insteadOf former: ObjectID? = nil) {
    if let former { likenesses[object.id] = former }
    if gathered.updateValue(object, forKey: object.id) == nil {
      bytes += object.size + Self.overhead
    }
  }

  /// Writes what is gathered, and then moves references; on return they are on the disk.
  package func finish(
    in destination: borrowing Repository, moving moves: [ReferenceMove]
  ) throws {
    try write(to: destination, moving: moves)
  }

  private func write(
    to destination: borrowing Repository, moving moves: [ReferenceMove] = []
  ) throws {
    let objects = gathered.values.sorted { $0.id < $1.id }
    let transaction = Transaction(objects: objects, moves: moves)
    if let pack = try destination.commit(transaction) { packs.append(pack) }
    gathered = [:]
    bytes = 0
  }

  /// The number of objects above which they are copied with their differences.
  private static let many = 64
  /// Bytes above which they are not kept in memory.
  private static let large = 1 << 20
  /// Bytes above which what is gathered is written.
  private static let most = 12 << 20
  /// Bytes that an object takes beside its own: most are small.
  private static let overhead = 300
}
