internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore

/// The state that this device has published on a peer.
struct OwnState {
  let references: DeviceReferences?
  /// The last references that this device recorded publishing there.
  let last: PeerState.Seen
  private let peer: any Peer

  init(references: DeviceReferences?, after last: PeerState.Seen, in peer: any Peer) {
    self.references = references
    self.last = last
    self.peer = peer
  }

  /// True if the peer has the state that this device published last.
  var isKnown: Bool { references?.records.description == last.records }

  /// The state; nil if there is none.
  func state() throws -> StateTree? {
    try references.map { try StateTree(at: $0.records, in: peer.objects.repository.objects) }
  }

  /// Returns whether everything that the references lead to is present.
  ///
  /// - Parameter packsAreKept: whether all packs of the last exchange are present; then not every
  ///   object is checked.
  func isWhole(where packsAreKept: Bool) throws -> Bool {
    guard let references, let contents = references.contents else { return false }
    if isKnown {
      // A syncing tool may restore an older branch, which doesn't name everything that the state names.
      guard !peer.isTidiedByDevices || contents.description == last.contents else { return false }
      if packsAreKept { return true }
    }
    return try ifReadable {
      try Reachability(in: peer.objects.repository.objects)
        .objects(from: [references.records, contents])
    } != nil
  }
}

/// Publishes this device's two references, in one or several steps; each step stays if a later one
/// is interrupted.
final class OwnUpdate {
  private let device: LocalDevice
  private let container: ReplicatedContainer
  private let peer: any Peer
  private var former: DeviceReferences?
  private var base: StateTree?
  private let news: PeerNews
  private let batch: ObjectBatch
  /// True if the peer rejects force-pushes.
  private let keepsBranches: Bool
  /// True if the device is listed on the peer even without anything to publish, because it has
  /// documents from there.
  var isExpected = false
  /// True if a new branch was begun, without the withdrawn contents.
  private(set) var hasBegunAnew = false
  /// True if the current step begins a new branch.
  private var isBeginningAnew = false
  /// The paths at which earlier steps have put documents.
  private var settledPaths: Set<[UInt8]> = []
  /// The beginning of the branch.
  private(set) var start: ObjectID?

  init(
    of device: LocalDevice, in container: ReplicatedContainer, on peer: any Peer,
    from former: DeviceReferences?, base: StateTree?, _ news: PeerNews, _ batch: ObjectBatch,
    keepingBranches keepsBranches: Bool
  ) {
    self.keepsBranches = keepsBranches
    self.device = device
    self.container = container
    self.peer = peer
    self.former = former
    self.base = base
    self.news = news
    self.batch = batch
  }

  private var objects: ObjectStore { peer.objects.repository.objects }

  /// True if a part may be published before the rest; when everything is published again, a part
  /// would remove the rest.
  var canTakeSteps: Bool { base != nil || former == nil }

  /// Publishes what has changed.
  ///
  /// - Parameter paths: the paths of the container's documents, by their ids.
  /// - Returns: the references from now on; nil if the device has nothing to publish.
  func publish(
    _ publications: [Publication], paths: [String: String]
  ) throws -> DeviceReferences? {
    let changes = try publications.filter { publication in
      try base?.document(publication.identifier) != publication.state
        || !publication.transports.isEmpty
    }
    start = try former?.contents.flatMap { end in
      try base == nil ? nil : ContentBranch(objects: objects).counts(at: end).start ?? end
    }
    let isNeeded =
      !changes.isEmpty || !news.begunAnew.isEmpty || base == nil && former != nil
      || isExpected && former == nil
    guard isNeeded else { return former }
    isBeginningAnew = false
    let state = base ?? StateTree(in: objects)
    let info = StateTree.Info(name: Printable.text(container.device), branch: device.branch)
    let hasInfo = try base.map { try $0.info() == info } ?? false
    if !hasInfo { state.set(info) }
    for (device, seen) in news.seen {
      // A branch from before this device had a state here is irrelevant.
      guard let device = DeviceIdentifier(device),
        base == nil || news.begunAnew.contains(device),
        let start = seen.start.flatMap({ ObjectID(hexadecimal: $0) }),
        try state.branchSeen(of: device) != start
      else { continue }
      try state.setBranchSeen(start, of: device)
    }
    var formerPaths: [String: String] = [:]
    for change in changes {
      formerPaths[change.identifier] = try state.document(change.identifier)?.path
      try state.set(change.state, of: change.identifier)
      for alias in change.state.aliases {
        // It was published as a separate document.
        if let path = try state.document(alias)?.path { formerPaths[alias] = path }
        try state.remove(alias)
      }
    }

    let contents = try publishContents(
      changes, from: formerPaths, withdrawn: publications, paths)
    let records = try publishRecords(state, changes)
    let new = DeviceReferences(records: records, contents: contents)
    try device.recordPublishing(records)
    try peer.publish(batch, of: device.identifier, branch: device.branch, from: former, to: new)
    try goOn(from: new, changes)
    return new
  }

  /// Makes the published state the base of the next step.
  private func goOn(from new: DeviceReferences, _ changes: [Publication]) throws {
    batch.beginStep()
    news.recordOwn(new, changes.flatMap(\.transports), hasBegunAnew: isBeginningAnew)
    former = new
    base = try StateTree(at: new.records, in: objects)
    settledPaths.formUnion(changes.compactMap { $0.state.path.map { Array($0.utf8) } })
  }

  /// Returns whether contents that were withdrawn stay on the peer, because it rejects force-pushes.
  func removedContentsStay(on new: DeviceReferences?) throws -> Bool {
    guard keepsBranches, let end = new?.contents else { return false }
    return try ContentBranch(objects: objects).counts(at: end).withdrawn > 0
  }

  // MARK: Contents

  private func publishContents(
    _ changes: [Publication], from formerPaths: [String: String],
    withdrawn publications: [Publication], _ paths: [String: String]
  ) throws -> ObjectID {
    let branch = ContentBranch(objects: objects)
    let end = base == nil ? nil : former?.contents
    var tree = try DocumentTree(end.map { try objects.commit($0).tree }, in: objects)
    for change in changes {
      for identifier in [change.identifier] + change.state.aliases {
        guard let path = formerPaths[identifier],
          change.state.path?.hasBytes(of: path) != true || change.entry == nil,
          !settledPaths.contains(Array(path.utf8))
        else { continue }
        try tree.remove(path)
      }
    }
    for change in changes {
      if let entry = change.entry, let path = change.state.path { try tree.set(entry, at: path) }
    }
    let (root, trees) = tree.encoded()
    for tree in trees { batch.gather(tree.new, insteadOf: tree.former) }

    let withdrawn = publications.reduce(0) { $0 + $1.withdrawn.count }
    let counts = try end.map(branch.counts)
    var change = ContentBranch.Change(
      former: end, tree: root, transports: changes.flatMap(\.transports), withdrawn: withdrawn,
      author: container.author, signature: container.signature)
    let isUrgent = publications.contains(where: \.isWithdrawalUrgent)
    if let end, let counts, !keepsBranches,
      isUrgent || 4 * (counts.withdrawn + withdrawn) > counts.contents
    {
      // A new branch names everything that stays, so it is begun only if enough is withdrawn, or
      // contents that must not stay.
      change.former = nil
      change.withdrawn = 0
      change.transports = try remaining(on: end, paths) + change.transports
      hasBegunAnew = true
      isBeginningAnew = true
    } else if let end, change.transports.isEmpty, withdrawn == 0,
      try objects.commit(end).tree == root
    {
      return end
    }
    let (new, commits) = try branch.commits(for: change)
    for object in commits { batch.gather(object) }
    if change.former == nil { start = commits.first?.id }
    return new
  }

  /// Returns the commits of a branch that ends whose contents still have to be published.
  private func remaining(on end: ObjectID, _ paths: [String: String]) throws -> [TransportCommit] {
    let walk = try ContentBranch(objects: objects).walk(from: end)
    var all: [TransportCommit] = []
    for (identifier, transports) in Dictionary(grouping: walk.transports, by: \.document)
      .sorted(by: { $0.key < $1.key })
    {
      let document = paths[identifier].map {
        ReplicatedContainer.Entry(identifier: identifier, path: $0)
      }
      let versions = Set(transports.map(\.version))
      if let document, let (kept, objects) = try container.republish(versions, of: document) {
        all += kept
        for object in objects { batch.gather(object) }
      } else {
        all += transports
      }
    }
    return all
  }

  // MARK: Records

  /// Publishes the commits of the state; their parents are the records that are new to the peer.
  private func publishRecords(_ state: StateTree, _ changes: [Publication]) throws -> ObjectID {
    let (tree, trees) = try state.encoded()
    for tree in trees { batch.gather(tree.new, insteadOf: tree.former) }
    // The states begin again with a new branch; otherwise they would only grow.
    let end = base == nil || isBeginningAnew ? nil : former?.records
    var heads = Set(changes.flatMap(\.newHeads))
    if end == nil {
      var others: Set<ObjectID> = []
      for identifier in try state.documents(including: changes.map(\.identifier)) {
        others.formUnion(try state.document(identifier)?.heads ?? [])
      }
      for head in others.subtracting(heads.map(\.id)) {
        heads.insert(CommitDate(of: head, try objects.commit(head)))
      }
    }
    var chain = try CommitChain(after: end, in: objects, by: container.signature)
    for part in CommitChain.parts(of: heads) {
      batch.gather(
        chain.commit(
          part, tree: tree, author: container.signature,
          "State of \(Printable.text(container.device))\n"))
    }
    return chain.end?.id ?? .emptyTree
  }
}
