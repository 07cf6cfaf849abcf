internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import DocumentTransport

/// A remote git repository as a peer: any host that speaks git's protocol.
///
/// One connection reads its references and fetches new objects; objects are read in a copy on this device.
/// The first time, the records of all devices are fetched first, and the contents in separate connections, so
/// that they stay if a later one breaks. Another connection sends new versions with both references of the
/// device; they become part of the copy once the server has accepted them.
final class GitRemotePeer: Peer {
  private let remote: Remote
  private let address: RemoteAddress
  private var access: RemoteAccess
  private let mirror: RemoteMirror
  private let progress: OperationProgress?
  private let step: TransferStep
  private(set) var traffic = Traffic()
  /// The branches that may be the repository’s front page.
  private var pages: [String: ObjectID] = [:]
  private var hasHead = true
  /// The name of this device's branch, which is fetched even if the others are left out.
  private let ownBranch: String
  private let isListing: Bool
  private(set) var leavesBranchesOut = false
  /// The list of documents that are not on this device, which an empty repository doesn't have.
  var listing: DocumentListing?
  /// The references of the repository, as last read.
  private var theirs: [String: ObjectID] = [:]

  /// - Parameters:
  ///   - isListing: whether contents are fetched one by one, if the server allows that.
  ///   - step: how much is fetched at once, if the server allows that.
  ///   - progress: receives the network transfer.
  init(
    _ remote: Remote, mirror: RemoteMirror, of device: LocalDevice, listing isListing: Bool,
    by access: RemoteAccess, in step: TransferStep, reportingTo progress: OperationProgress?
  ) throws {
    ownBranch = DeviceReference.contents(of: device.branch)
    self.isListing = isListing
    self.remote = remote
    self.step = step
    self.access = access
    if let progress {
      self.access.transferred = { progress.transferred(received: $0, sent: $1) }
    }
    self.mirror = mirror
    self.progress = progress
    do {
      address = try RemoteAddress(remote.address)
    } catch {
      throw TransportError(.unavailable, error.reason, hint: error.hint)
    }
  }

  var key: String { remote.address }
  var objects: PeerObjects { mirror.objects }
  var mirrorName: String? { mirror.name }
  var isTidiedByDevices: Bool { false }
  func givesUpDamagedCopy() throws -> Bool { try mirror.distrustIfDamaged() }

  func packs() throws -> [String: Int] { [:] }

  // MARK: Receiving

  func references() throws -> [DeviceIdentifier: DeviceReferences] {
    let connection = try connect(to: .uploadPack)
    let all = connection.greeting.references
    theirs = all.filter { DeviceReference.isOne($0.key) }
    pages = all.filter { !DeviceReference.isOne($0.key) }
    hasHead = connection.greeting.hasHead
    let isEmpty =
      connection.greeting.others == 0 && pages.values.allSatisfy { $0 == FrontPage.commit }
    guard remote.isShared || !theirs.isEmpty || isEmpty else {
      throw TransportError(
        .refused, "“\(remote.address)” holds something else, such as source code.",
        recovery: .shareRepository)
    }
    if theirs.isEmpty {
      try listing?.refuseEmptied(remote.address)
      try mirror.refuseEmptied(remote.address)
    }
    let ours = try mirror.references()
    // An empty repository doesn't report its capabilities.
    leavesBranchesOut = isListing && (connection.sendsSingleObjects || theirs.isEmpty)
    let theirs = leavesBranchesOut ? withoutNewBranches(theirs, besides: ours) : theirs
    var known = Set(ours.values)
    let wants = Set(theirs.values).subtracting(ours.values)
    let isFirst = ours.keys.allSatisfy(Self.isRecords)
    let records = wants.intersection(theirs.filter { Self.isRecords($0.key) }.values)
    if wants.isEmpty || isFirst && records.isEmpty && !leavesBranchesOut {
      try connection.leave()
      count(connection)
    }
    if isFirst, !leavesBranchesOut {
      // The first time, the records are fetched before the contents, and large contents in parts.
      if !records.isEmpty {
        try fetch(records, knowing: known, in: connection)
        known.formUnion(records)
        try mirror.setReferences(theirs.filter { known.contains($0.value) })
      }
      if wants != records {
        known.formUnion(try fetchParts(of: theirs, connection.sendsSingleObjects, knowing: known))
        try fetch(wants.subtracting(records), knowing: known, in: connect(to: .uploadPack))
      }
    } else if !wants.isEmpty {
      try fetch(wants, knowing: known, in: connection)
    }
    if theirs != ours { try mirror.follow(theirs, check: access.checkCancellation) }
    return DeviceReferences.devices(among: theirs, in: objects.repository.objects)
  }

  /// Returns the references with the branches of other devices as they were before.
  private func withoutNewBranches(
    _ theirs: [String: ObjectID], besides ours: [String: ObjectID]
  ) -> [String: ObjectID] {
    var kept = theirs.filter { Self.isRecords($0.key) || $0.key == ownBranch }
    for (name, target) in ours where theirs[name] != nil && kept[name] == nil {
      kept[name] = target
    }
    return kept
  }

  func fetch(contents wanted: Set<ObjectID>) throws {
    var missing = try wanted.filter { try !objects.repository.contains($0) }.sorted()[...]
    let known = Set(try mirror.references().values)
    do {
      while !missing.isEmpty {
        let part = missing.prefix(step.documents)
        missing = missing.dropFirst(part.count)
        try fetch(Set(part), knowing: known, in: connect(to: .uploadPack))
      }
    } catch let error as TransportError where error.kind == .refused {
      // Contents were withdrawn in the meantime; the branches have the present ones.
      let branches = Set(theirs.values).subtracting(known)
      if !branches.isEmpty { try fetch(branches, knowing: known, in: connect(to: .uploadPack)) }
    }
  }

  func holds(_ contents: [ObjectID: ObjectID]) throws -> Bool {
    guard leavesBranchesOut else {
      // All branches are here.
      return try publishes(contents, on: theirs.filter { !Self.isRecords($0.key) }.map(\.value))
    }
    let wants = contents.values.sorted()
    let connection = try connect(to: .uploadPack)
    defer { count(connection) }
    do {
      // The server refuses objects that no reference leads to; it sends nothing, because all are here.
      try connection.fetch(Fetching(wants: wants, haves: wants)) { _ in }
      return true
    } catch let error as TransportError where error.kind == .refused {
      return false
    }
  }

  private static func isRecords(_ name: String) -> Bool {
    DeviceReference.device(ofRecords: name) != nil
  }

  /// Fetches the contents of current versions, large ones in parts, so that each part stays if a
  /// later one is interrupted.
  ///
  /// - Parameter isServed: whether the server sends single objects.
  /// - Returns: the published contents that are here.
  private func fetchParts(
    of references: [String: ObjectID], _ isServed: Bool, knowing known: Set<ObjectID>
  ) throws -> Set<ObjectID> {
    let published = try PublishedParts(
      of: references.filter { Self.isRecords($0.key) }.values, in: objects, upTo: step)
    guard isServed, published.isLarge else { return published.present }
    var present = published.present
    do {
      for part in published.parts {
        try fetch(Set(part), knowing: known.union(present), in: connect(to: .uploadPack))
        present.formUnion(part)
      }
    } catch let error as TransportError where error.kind == .refused {
      // Contents were withdrawn in the meantime; the branches have the present ones.
    }
    return present
  }

  private func fetch(
    _ wanted: Set<ObjectID>, knowing known: Set<ObjectID>, in connection: GitConnection
  ) throws {
    let wants = wanted.sorted()
    let pack = try ReceivedPack(for: objects.repository, upTo: access.mostReceived)
    progress?.transfer = OperationProgress.Transfer(isSending: false)
    defer {
      count(connection)
      progress?.transfer = nil
    }
    try connection.fetch(Fetching(wants: wants, haves: known.sorted())) { bytes in
      try pack.append(bytes)
      if let progress, let count = pack.count, progress.transfer?.objects == nil {
        progress.transfer?.objects = count
      }
    }
    _ = try pack.finish(with: wants) { _ in try access.checkCancellation() }
    try mirror.recordPacks()
  }

  // MARK: Sending

  func publish(
    _ batch: ObjectBatch, of device: DeviceIdentifier, branch: String,
    from former: DeviceReferences?, to new: DeviceReferences
  ) throws {
    try batch.finish(in: objects.repository, moving: [])
    let names = (DeviceReference.contents(of: branch), DeviceReference.records(of: device))
    let ours = try mirror.references()
    var moves: [Pushing.Move] = []
    if let contents = new.contents, contents != ours[names.0] {
      var move = Pushing.Move(names.0, from: ours[names.0], to: contents)
      move.isForward = try ours[names.0].map { try mirror.isContinuation(contents, of: $0) } ?? true
      moves.append(move)
    }
    if new.records != ours[names.1] {
      moves.append(Pushing.Move(names.1, from: ours[names.1], to: new.records))
    }
    guard !moves.isEmpty else { return }
    let pack = try OutgoingPack(
      of: batch.packs, in: objects.repository, with: batch.likenesses
    ) { _ in
      try access.checkCancellation()
    }
    let connection = try connect(to: .receivePack)
    progress?.transfer = OperationProgress.Transfer(
      isSending: true, objects: pack.count, totalBytes: Int64(pack.size))
    defer {
      count(connection)
      progress?.transfer = nil
    }
    do {
      try connection.push(
        Pushing(moves, pack: OutgoingFile(descriptor: pack.descriptor, size: pack.size)))
    } catch {
      // The server may have accepted it. The next exchange then finds the references moved, and
      // fetches the objects again.
      try objects.repository.replacePacks(Set(batch.packs.map(\.name)), with: RepackPlan())
      throw error
    }
    try mirror.recordPacks()
    var now = ours
    for move in moves { now[move.name] = move.target }
    try mirror.follow(now, check: access.checkCancellation)
    try publishFrontPage()
  }

  /// Publishes the page that a stock clone checks out, if it would check out nothing otherwise.
  ///
  /// The branch that `HEAD` names is known only once it exists, so the next sync tries the other one.
  private func publishFrontPage() throws {
    guard !remote.isShared, !hasHead,
      let branch = FrontPage.branches.first(where: { pages[$0] == nil }),
      try !mirror.triedFrontPages().contains(branch)
    else { return }
    let batch = ObjectBatch()
    for object in FrontPage.objects { batch.gather(object) }
    try batch.finish(in: objects.repository, moving: [])
    do {
      let pack = try OutgoingPack(of: batch.packs, in: objects.repository) { _ in }
      let connection = try connect(to: .receivePack)
      defer { count(connection) }
      try connection.push(
        Pushing(
          [Pushing.Move(branch, from: nil, to: FrontPage.commit)],
          pack: OutgoingFile(descriptor: pack.descriptor, size: pack.size)))
      try mirror.recordFrontPage(on: branch)
    } catch let error as TransportError {
      // The documents are published; a host that refuses such a branch has no front page.
      if [.refused, .notForward].contains(error.kind) { try mirror.recordFrontPage(on: branch) }
    }
    try objects.repository.replacePacks(Set(batch.packs.map(\.name)), with: RepackPlan())
  }

  func remove(_ references: [String: ObjectID]) throws {
    let connection = try connect(to: .receivePack)
    defer { count(connection) }
    let moves = references.sorted { $0.key < $1.key }.map {
      Pushing.Move($0.key, from: $0.value, to: nil)
    }
    try connection.push(Pushing(moves, pack: nil))
  }

  // MARK: Connections

  private func connect(to service: GitService) throws -> GitConnection {
    try GitConnection(to: service, of: address, by: access) {
      DeviceReference.isOne($0) || FrontPage.branches.contains($0)
    }
  }

  private func count(_ connection: GitConnection) {
    traffic.received += connection.traffic.received
    traffic.sent += connection.traffic.sent
  }
}
