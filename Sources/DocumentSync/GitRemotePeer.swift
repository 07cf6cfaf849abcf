internal import DocumentFiles
internal import DocumentGit
internal import DocumentStore
internal import DocumentTransport

/// A git repository elsewhere as peer: any host that speaks git's protocol.
///
/// Its references are read in one connection, and what is new is fetched in it; objects are read in a copy on this
/// device. The first time, the records of all devices come first, and the contents in a connection of their own: the
/// records have arrived where that is cut. What is published is sent in another one, with both references of the device,
/// and becomes part of the copy when the server has taken it.
final class GitRemotePeer: Peer {
  private let remote: Remote
  private let address: RemoteAddress
  private var access: RemoteAccess
  private let mirror: RemoteMirror
  private let progress: OperationProgress?
  private(set) var traffic = Traffic()
  /// The branches that may be the repository’s front page.
  private var pages: [String: ObjectID] = [:]
  private var hasHead = true

  /// - Parameter progress: gets what goes over the network.
  init(
    _ remote: Remote, mirror: RemoteMirror, by access: RemoteAccess,
    reportingTo progress: OperationProgress?
  ) throws {
    self.remote = remote
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
  var isTidiedByDevices: Bool { false }

  func packs() throws -> [String: Int] { [:] }

  // MARK: Receiving

  func references() throws -> [DeviceIdentifier: DeviceReferences] {
    let connection = try connect(to: .uploadPack)
    let all = connection.greeting.references
    let theirs = all.filter { DeviceReference.isOne($0.key) }
    pages = all.filter { !DeviceReference.isOne($0.key) }
    hasHead = connection.greeting.hasHead
    let isEmpty =
      connection.greeting.others == 0 && pages.values.allSatisfy { $0 == FrontPage.commit }
    guard remote.isShared || !theirs.isEmpty || isEmpty else {
      throw TransportError(
        .refused, "“\(remote.address)” holds something else, such as source code.",
        recovery: .shareRepository)
    }
    let ours = try mirror.references()
    var known = Set(ours.values)
    let steps = steps(to: theirs, from: ours)
    if steps.isEmpty { try connection.leave() }
    for (number, wants) in steps.enumerated() {
      try fetch(wants, knowing: known, in: number == 0 ? connection : connect(to: .uploadPack))
      known.formUnion(wants)
      if number < steps.count - 1 {
        _ = try mirror.setReferences(theirs.filter { known.contains($0.value) })
      }
    }
    if steps.isEmpty { count(connection) }
    if theirs != ours {
      let hasGone = try mirror.setReferences(theirs)
      try mirror.tidy(removingUnreachable: hasGone, check: access.checkCancellation)
    }
    return DeviceReferences.devices(among: theirs, in: objects.repository.objects)
  }

  /// What is to be fetched, one after the other: the first time the records before the contents.
  private func steps(
    to theirs: [String: ObjectID], from ours: [String: ObjectID]
  ) -> [[ObjectID]] {
    func isRecords(_ name: String) -> Bool { DeviceReference.device(ofRecords: name) != nil }
    let wants = Set(theirs.values).subtracting(ours.values)
    let records = wants.intersection(theirs.filter { isRecords($0.key) }.values)
    let isFirst = ours.keys.allSatisfy(isRecords)
    let steps = isFirst ? [records, wants.subtracting(records)] : [wants]
    return steps.filter { !$0.isEmpty }.map { $0.sorted() }
  }

  private func fetch(
    _ wants: [ObjectID], knowing known: Set<ObjectID>, in connection: GitConnection
  ) throws {
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
    let hasGone = try mirror.setReferences(now)
    try mirror.tidy(removingUnreachable: hasGone, check: access.checkCancellation)
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
