internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import DocumentTransport

/// A git repository elsewhere as peer: any host that speaks git's protocol.
///
/// Its references are read in one connection, and what is new is fetched in it; objects are read in a copy on this
/// device. The first time, the records of all devices come first, and the contents in connections of their own: what has
/// arrived stays where a later one is cut. What is published is sent in another one, with both references of the device,
/// and becomes part of the copy when the server has taken it.
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
  /// The name of this device's branch, which comes all the same if the others are left out.
  private let ownBranch: String
  private let isListing: Bool
  private(set) var leavesBranchesOut = false
  /// Whether documents are listed that are not on this device: an empty repository does not have them.
  var listing: DocumentListing?
  /// The references of the repository when they were read last.
  private var theirs: [String: ObjectID] = [:]

  /// - Parameters:
  ///   - isListing: whether contents are fetched one by one, where the server allows that.
  ///   - step: how much is fetched at once, where the server allows that.
  ///   - progress: gets what goes over the network.
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
    // An empty repository does not say what it can.
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
      // The first time, the records come before the contents, and these in parts where there is much.
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

  /// The references without what is new on the branches of others.
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
      // Something was withdrawn meanwhile: the branches have what is there now.
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
      // The server refuses what no reference leads to; nothing is sent, since all is here.
      try connection.fetch(Fetching(wants: wants, haves: wants)) { _ in }
      return true
    } catch let error as TransportError where error.kind == .refused {
      return false
    }
  }

  private static func isRecords(_ name: String) -> Bool {
    DeviceReference.device(ofRecords: name) != nil
  }

  /// Fetches the contents of current versions in parts, where there is much: each stays where a later one is cut.
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
      // Something was withdrawn meanwhile: the branches tell what is there now.
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
      // The server may have taken it: then the next exchange finds the references moved, and gets the objects back.
      try objects.repository.replacePacks(Set(batch.packs.map(\.name)), with: RepackPlan())
      throw error
    }
    try mirror.recordPacks()
    var now = ours
    for move in moves { now[move.name] = move.target }
    try mirror.follow(now, check: access.checkCancellation)
    try publishFrontPage()
  }

  /// Publishes the page that a stock clone checks out, where it would check out nothing.
  ///
  /// Which branch `HEAD` names shows only once it is there: the next sync tries the other one.
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
      // The documents are published; a host that takes no such branch has no front page.
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
