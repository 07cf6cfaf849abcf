/// A batch of objects from many repositories to copy into one.
///
/// Objects of small changes are collected in memory and become one pack, because each pack costs a wait for the disk
/// and a search in every later read. Many or large objects are copied at once, keeping their deltas.
package final class ObjectBatch {
  private var gathered: [ObjectID: GitObject] = [:]
  private var bytes = 0
  /// The packs that were written since the step began, in their order.
  package private(set) var packs: [PublishedPack] = []
  /// The packs of earlier steps.
  private var earlierPacks: [PublishedPack] = []

  /// For new objects, similar objects that the destination already has, so that a server receives deltas.
  package private(set) var likenesses: [ObjectID: ObjectID] = [:]

  package init() {}

  /// The packs of all steps.
  package var allPacks: [PublishedPack] { earlierPacks + packs }

  /// The approximate size of the step, in bytes.
  package var size: Int { packs.reduce(bytes) { $0 + $1.size } }

  /// Begins a new step, after the collected objects have arrived.
  package func beginStep() {
    earlierPacks += packs
    packs = []
    likenesses = [:]
  }

  /// Adds objects.
  ///
  /// - Parameters:
  ///   - ids: objects of a repository.
  ///   - size: their approximate size in bytes.
  ///   - new: objects that aren't in any repository yet.
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
        let object = try source.objects.object(id)
        try advance(object.size)
        gather(object)
      }
    }
    for object in new { gather(object) }
    if bytes > Self.most { try write(to: destination) }
  }

  /// Adds an object that isn't in any repository yet.
  ///
  /// - Parameter former: a similar object that the destination already has; `nil` for none.
  package func gather(_ object: GitObject, insteadOf former: ObjectID? = nil) {
    if let former { likenesses[object.id] = former }
    if gathered.updateValue(object, forKey: object.id) == nil {
      bytes += object.heldBytes + Self.overhead
    }
  }

  /// Writes the collected objects, and then moves references; on return, they are on disk.
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

  /// The number of objects above which they are copied with their deltas.
  private static let many = 64
  /// The size in bytes above which objects aren't kept in memory.
  private static let large = 1 << 20
  /// The size in bytes above which the collected objects are written.
  private static let most = 12 << 20
  /// The overhead of an object in bytes, which matters because most objects are small.
  private static let overhead = 300
}
