internal import DocumentGit
internal import DocumentStore

/// Frees the space of withdrawn contents on a peer, in the packs that this device wrote.
struct PeerTidying {
  private let peer: PeerObjects
  private let own: Set<String>

  /// - Parameter own: the packs that this device wrote.
  init(of peer: PeerObjects, own: Set<String>) {
    self.peer = peer
    self.own = own
  }

  /// Writes all objects that references still lead to into one pack, which replaces this device's others.
  ///
  /// - Returns: false if not everything that the references lead to has arrived; then nothing is removed.
  func removeUnreachable(
    from references: [DeviceIdentifier: DeviceReferences], check: () throws -> Void
  ) throws -> Bool {
    let ends = references.values.flatMap { [$0.records] + [$0.contents].compactMap { $0 } }
    let reachability = Reachability(in: peer.repository.objects)
    guard let reachable = try ifReadable({ try reachability.objects(from: ends, check: check) })
    else { return false }
    let kept = try peer.repository.objects(inPacks: own).intersection(reachable)
    var plan = RepackPlan()
    plan.runs = try runs(from: references.values.compactMap(\.contents), among: kept)
    let inRuns = Set(plan.runs.flatMap { $0 })
    plan.singles = kept.subtracting(inRuns).sorted()
    try peer.repository.replacePacks(own, with: plan) { _ in try check() }
    return true
  }

  /// Returns the successive contents of each file, the newest first; each is stored as its
  /// difference from the one after it.
  private func runs(
    from branches: [ObjectID], among kept: Set<ObjectID>
  ) throws -> [[ObjectID]] {
    let objects = peer.repository.objects
    var runs: [String: [ObjectID]] = [:]
    var seen: Set<ObjectID> = []
    func add(_ tree: ObjectID, _ path: String) throws {
      guard seen.insert(tree).inserted else { return }
      for entry in try RawTree(objects.read(tree, as: .tree)).entries {
        let place = "\(path)/\(entry.name)"
        if entry.mode == RawTree.folder {
          try add(entry.id, place)
        } else if kept.contains(entry.id), seen.insert(entry.id).inserted {
          runs[place, default: []].append(entry.id)
        }
      }
    }
    for branch in branches {
      for transport in try ContentBranch(objects: objects).walk(from: branch).transports {
        try add(objects.commit(transport.id).tree, transport.document)
      }
    }
    return runs.sorted { $0.key < $1.key }.map(\.value).filter { $0.count > 1 }
  }
}
