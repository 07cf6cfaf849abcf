/// A pack to send to a server, as an open file.
package final class OutgoingPack {
  package var descriptor: Int32 { pack.number }
  /// The size in bytes.
  package var size: Int { pack.size }
  /// The number of objects.
  package let count: Int
  private let pack: OpenFile
  /// Keeps the temporary file in existence.
  private let file: FinishedPack?

  /// Opens a single pack of a repository, or combines all objects of several packs into one without a name.
  ///
  /// - Parameter likenesses: for objects, similar objects that the receiver has, so that deltas are sent if they are
  ///   smaller.
  package init(
    of packs: [PublishedPack], in repository: borrowing Repository,
    with likenesses: [ObjectID: ObjectID] = [:], advance: (Int) throws -> Void
  ) throws {
    let folder = PackFolder(in: repository.folder)
    let names = Set(packs.map(\.name))
    let objects = repository.objects
    try objects.refresh()
    let found = objects.packs.known.filter { names.contains($0.name) }
    guard found.count == names.count else {
      throw GitError.changedMeanwhile("a pack that is to be sent went away")
    }
    let name: String
    if likenesses.isEmpty, found.count == 1, let only = found.first {
      file = nil
      name = "\(only.name).pack"
      count = only.index.count
    } else {
      (file, count) = try Self.combine(found, in: objects, with: likenesses, advance: advance)
      name = file?.fileName ?? ""
    }
    guard let opened = try folder.files.openIfThere(name) else {
      throw GitError.changedMeanwhile("the pack “\(name)” went away")
    }
    pack = opened
  }

  /// Combines the objects of packs into one, copying their entries, which were checked when they were
  /// written.
  private static func combine(
    _ packs: [OpenPack], in objects: ObjectStore, with likenesses: [ObjectID: ObjectID],
    advance: (Int) throws -> Void
  ) throws -> (file: FinishedPack, count: Int) {
    var ids: Set<ObjectID> = []
    var entries: [CopiedEntry] = []
    for pack in packs {
      guard
        let all = try CopiedEntry.all(of: pack, keeping: false, check: { try advance(0) })
      else { throw GitError.damaged("“\(pack.name)” is damaged") }
      entries += all.filter { ids.insert($0.id).inserted }
    }
    let writer = try PackWriter(in: objects.folder, count: entries.count)
    for entry in entries {
      if let former = likenesses[entry.id], !ids.contains(former),
        case let bytes = try objects.read(entry.id).bytes,
        let delta = Delta.make(
          from: try objects.read(former).bytes, to: bytes, limit: bytes.count / 2)
      {
        try writer.append(entry.id, delta: delta, toOther: former)
      } else {
        try entry.copy(to: writer)
      }
      try advance(entry.range.count)
    }
    return (try writer.finish(), entries.count)
  }
}
