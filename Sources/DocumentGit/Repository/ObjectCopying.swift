/// A pack that was added to a repository.
package struct PublishedPack: Sendable {
  /// The name without an extension.
  package let name: String
  /// The size in bytes.
  package let size: Int
}

/// Copies objects into another repository.
///
/// A delta is copied as a delta if its base is copied too, so a history takes as little space in the destination as
/// here.
struct ObjectCopying {
  let source: ObjectStore
  let destination: ObjectStore

  /// Copies the objects in one new pack; on return, they are on disk.
  ///
  /// - Parameter others: objects that are in neither repository yet.
  /// - Returns: the new pack; `nil` if there was nothing to copy.
  func copy(
    _ ids: [ObjectID], and others: [GitObject], advance: (Int) throws -> Void
  ) throws -> PublishedPack? {
    guard !ids.isEmpty || !others.isEmpty else { return nil }
    let pack = try write(ids, and: others, advance: advance)
    try pack.publish()
    try destination.refresh()
    return PublishedPack(name: pack.name, size: pack.size)
  }

  /// Writes the objects into a new pack without a final name.
  ///
  private func write(
    _ ids: [ObjectID], and others: [GitObject], advance: (Int) throws -> Void
  ) throws -> FinishedPack {
    let writer = try PackWriter(in: destination.folder, count: ids.count + others.count)
    let order = try CopyOrder(ids, in: source.packs)
    for (id, place) in order.objects {
      let object = try source.read(id)
      if let place, let change = change(to: object.bytes, of: id, at: place, order) {
        try writer.append(
          id, deltaOf: change.size, deflated: change.deflated, to: change.base)
      } else if place != nil, let whole = try source.packs.whole(id) {
        try writer.append(whole)
      } else {
        try writer.append(id, object.kind, object.bytes)
      }
      try advance(object.bytes.count)
    }
    for object in others.sorted(by: { $0.id < $1.id }) {
      try writer.append(object)
      try advance(object.size)
    }
    return try writer.finish()
  }

  /// Returns the stored delta of an object, if its base is copied before it.
  ///
  /// - Parameter bytes: the expected object, because this copy may be damaged or removed by now.
  private func change(
    to bytes: [UInt8], of id: ObjectID, at place: PackSet.Place, _ order: CopyOrder
  ) -> (base: ObjectID, size: Int, deflated: ArraySlice<UInt8>)? {
    do {
      let entry = try place.pack.entry(at: place.offset, of: id)
      guard let base = order.base(of: entry, in: place.pack),
        let (whole, delta) = try place.pack.bytes(of: entry, at: place.offset, id),
        try Delta.apply(delta, to: source.read(base).bytes) == bytes
      else { return nil }
      return (base, delta.count, whole.dropFirst(entry.start - place.offset))
    } catch { return nil }
  }
}

/// The order in which objects are copied.
private struct CopyOrder {
  /// The objects that are in no pack, followed by the objects pack by pack, with bases before their deltas.
  let objects: [(id: ObjectID, place: PackSet.Place?)]
  private let ids: [ObjectIdentifier: [Int: ObjectID]]

  init(_ wanted: [ObjectID], in packs: PackSet) throws(GitError) {
    var objects: [(id: ObjectID, place: PackSet.Place?)] = []
    var ids: [ObjectIdentifier: [Int: ObjectID]] = [:]
    for id in wanted {
      let place = try packs.listedPlace(of: id)
      objects.append((id, place))
      if let place { ids[ObjectIdentifier(place.pack), default: [:]][place.offset] = id }
    }
    // The order is always the same, so another attempt makes the same pack, and a pack that a killed process left
    // without an index gets one.
    self.objects = objects.sorted {
      ($0.place?.pack.name ?? "", $0.place?.offset ?? 0, $0.id)
        < ($1.place?.pack.name ?? "", $1.place?.offset ?? 0, $1.id)
    }
    self.ids = ids
  }

  /// Returns the base of an entry, if it is copied, too.
  func base(of entry: OpenPack.Entry, in pack: OpenPack) -> ObjectID? {
    guard case .delta(let offset) = entry.form else { return nil }
    return ids[ObjectIdentifier(pack)]?[offset]
  }
}
