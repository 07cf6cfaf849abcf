internal import DocumentGit
internal import DocumentStore

/// The states and branches that the devices of a peer have published, and the changes since the last exchange.
final class PeerNews {
  private let peer: any Peer
  private let own: DeviceIdentifier
  private var references: [DeviceIdentifier: DeviceReferences]
  /// The states of the other devices, as far as they have arrived.
  private(set) var states: [DeviceIdentifier: StateTree] = [:]
  /// The references of each device that were received, including the new ones.
  private(set) var seen: [String: PeerState.Seen]
  /// The new versions of each document.
  private(set) var arrivals: [String: ArrivedVersions] = [:]
  /// The names of the devices from which not everything has arrived.
  private(set) var arriving: [String] = []
  /// The devices that have begun a new branch because they have withdrawn contents.
  private(set) var begunAnew: [DeviceIdentifier] = []
  private var knownContents: [DeviceIdentifier: [String: Set<ObjectID>]] = [:]
  private var hasLosses = false

  /// - Parameters:
  ///   - state: the known state of the peer.
  ///   - document: returns the entry of a document in this device's own state.
  init(
    of peer: any Peer, _ references: [DeviceIdentifier: DeviceReferences],
    besides own: DeviceIdentifier, since state: PeerState,
    _ document: (String) throws -> PublishedDocument?
  ) throws {
    self.peer = peer
    self.own = own
    self.references = references
    seen = state.devices
    for (device, _) in references.sorted(by: { $0.key < $1.key }) where device != own {
      try take(from: device, document)
    }
  }

  private var objects: ObjectStore { peer.objects.repository.objects }

  /// Reads the news of a device; a later exchange reads the parts that have not arrived.
  private func take(
    from device: DeviceIdentifier, _ document: (String) throws -> PublishedDocument?
  ) throws {
    guard let now = references[device] else { return }
    var known = seen[device.description] ?? PeerState.Seen()
    var name = "device \(device.short)"
    do {
      if known.records != now.records.description {
        let state = try StateTree(at: now.records, in: objects)
        name = nameIfThere(state) ?? name
        let former = formerState(known.records)
        var changes: [String: PublishedDocument] = [:]
        let differences = try state.differences(from: former)
        for identifier in differences.documents {
          changes[identifier] = try state.document(identifier)
        }
        states[device] = state
        if differences.isWhole {
          known.records = now.records.description
        } else {
          arriving.append(name)
        }
        for (identifier, change) in changes {
          let own = try document(identifier)
          guard own?.heads.isSuperset(of: change.heads) != true || own?.aliases != change.aliases
          else { continue }
          arrivals[identifier, default: ArrivedVersions()].heads.formUnion(change.heads)
          arrivals[identifier]?.identifiers.formUnion(change.aliases + [identifier])
        }
      }
      guard now.contents != nil || peer.leavesBranchesOut else {
        throw GitError.missing("the branch of \(name)")
      }
      if let contents = now.contents, known.contents != contents.description {
        let walk = try ContentBranch(objects: objects).partialWalk(
          from: contents, to: known.contents.flatMap { ObjectID(hexadecimal: $0) })
        for transport in walk.transports {
          arrivals[transport.document, default: ArrivedVersions()].contents.insert(
            transport.version)
        }
        if let failure = walk.failure { throw failure }
        if known.contents != nil, !walk.isContinuation { begunAnew.append(device) }
        known.contents = contents.description
        known.start = walk.start?.description
      }
    } catch let error as GitError where !error.isFromSystem {
      if !arriving.contains(name) { arriving.append(name) }
    }
    seen[device.description] = known
  }

  /// The name of a device; nil if that has not arrived.
  private func nameIfThere(_ state: StateTree) -> String? {
    do { return try state.info().name } catch { return nil }
  }

  /// The state that was received last; nil if it no longer exists.
  private func formerState(_ commit: String?) -> StateTree? {
    guard let id = commit.flatMap({ ObjectID(hexadecimal: $0) }) else { return nil }
    do { return try StateTree(at: id, in: objects) } catch { return nil }
  }

  /// The state of another device; nil if it has not arrived.
  func state(of device: DeviceIdentifier) -> StateTree? {
    if let state = states[device] { return state }
    guard device != own, let state = formerState(references[device]?.records.description) else {
      return nil
    }
    states[device] = state
    return state
  }

  private var others: [DeviceIdentifier] { references.keys.filter { $0 != own }.sorted() }

  /// Returns the entries of a document in the states of the other devices, new or not.
  func documents(_ identifier: String) throws -> [PublishedDocument] {
    try others.compactMap { device in
      try ifReadable { try state(of: device)?.document(identifier) } ?? nil
    }
  }

  /// Returns all arrived versions of a document, new or not.
  func everything(of identifiers: Set<String>) throws -> ArrivedVersions {
    var arrival = ArrivedVersions()
    arrival.identifiers = identifiers
    for identifier in identifiers {
      if let new = arrivals[identifier] { arrival.formUnion(new) }
      for document in try documents(identifier) {
        arrival.heads.formUnion(document.heads)
        arrival.identifiers.formUnion(document.aliases)
      }
    }
    guard arrival.identifiers == identifiers else {
      return try everything(of: arrival.identifiers)
    }
    arrival.contents.formUnion(try contents(of: identifiers).others)
    return arrival
  }

  /// Returns whether a version of a document is published under any of its ids.
  func isPublished(_ identifier: String) throws -> Bool {
    if arrivals[identifier]?.heads.isEmpty == false { return true }
    return try !everything(of: [identifier]).heads.isEmpty
  }

  /// Returns the readable states of the other devices, and whether these are all.
  func readableStates() -> (read: [StateTree], areAll: Bool) {
    let devices = others
    let states = devices.compactMap(state)
    return (states, states.count == devices.count)
  }

  /// Records that the contents of versions of a document are published on a branch that was left out.
  func recordContents(of versions: Set<ObjectID>, in identifier: String) {
    arrivals[identifier]?.contents.formUnion(versions)
  }

  /// Adds the versions that this device itself has published of a document that is no longer here.
  func takeOwn(_ document: PublishedDocument, _ identifier: String) throws {
    arrivals[identifier, default: ArrivedVersions()].heads.formUnion(document.heads)
    let identifiers = Set(document.aliases + [identifier])
    arrivals[identifier]?.identifiers.formUnion(identifiers)
    arrivals[identifier]?.contents.formUnion(try contents(of: identifiers).own)
  }

  /// Forgets everything that this device has published, so that it is published again, because some
  /// of it is missing.
  ///
  /// - Parameter hasLosses: whether the peer has lost objects; complete contents of other devices
  ///   still count.
  func forgetOwn(hasLosses: Bool) {
    references[own] = nil
    self.hasLosses = hasLosses
    knownContents = [own: [:]]
  }

  /// Records the contents that this device has published in the meantime.
  ///
  /// - Parameter hasBegunAnew: whether its branch is a new one.
  func recordOwn(
    _ new: DeviceReferences, _ transports: [TransportCommit], hasBegunAnew: Bool
  ) {
    references[own] = new
    if hasBegunAnew { return knownContents[own] = nil }
    for transport in transports {
      knownContents[own]?[transport.document, default: []].insert(transport.version)
    }
  }

  /// The versions of a document whose contents are published: by this device, and by others.
  func contents(
    of identifiers: Set<String>
  ) throws -> (own: Set<ObjectID>, others: Set<ObjectID>) {
    var others: Set<ObjectID> = []
    for device in self.others {
      let published = try contents(on: device)
      for identifier in identifiers { others.formUnion(published[identifier] ?? []) }
    }
    let own = try contents(on: own)
    return (identifiers.reduce(into: []) { $0.formUnion(own[$1] ?? []) }, others)
  }

  // MARK: Several ids

  /// Combines the arrived versions of one document under several ids.
  ///
  /// - Parameter known: returns the id of the local document that has an id, or the same id if there is none.
  func unite(_ known: (String) -> String) {
    let isPlain = arrivals.allSatisfy { $1.identifiers.count < 2 && known($0) == $0 }
    guard !isPlain else { return }
    var united: [String: ArrivedVersions] = [:]
    var keys: [String: String] = [:]
    for (identifier, arrival) in arrivals.sorted(by: { $0.key < $1.key }) {
      var arrival = arrival
      arrival.identifiers.insert(identifier)
      for key in Set(arrival.identifiers.compactMap { keys[known($0)] }) {
        if let other = united.removeValue(forKey: key) { arrival.formUnion(other) }
      }
      let all = Set(arrival.identifiers.map(known))
      let key = all.min() ?? identifier
      for one in all { keys[one] = key }
      united[key] = arrival
    }
    arrivals = united
  }

  /// Adds the arrived versions of documents that were left out again.
  func takeAgain(_ identifiers: Set<String>) throws {
    for identifier in identifiers {
      let all = try everything(of: [identifier])
      if !all.isEmpty { arrivals[identifier] = all }
    }
  }

  /// Leaves out the arrived versions of a document.
  func leaveOut(_ identifier: String) { arrivals[identifier] = nil }

  /// Returns the contents on the branch of a device, by document; none if the branch has not arrived.
  private func contents(on device: DeviceIdentifier) throws -> [String: Set<ObjectID>] {
    if let known = knownContents[device] { return known }
    var found: [String: Set<ObjectID>] = [:]
    do {
      if let end = references[device]?.contents {
        var whole: Set<ObjectID> = []
        for transport in try ContentBranch(objects: objects).walk(from: end).transports {
          guard
            try !hasLosses
              || peer.objects.hasAll(of: objects.commit(transport.id).tree, adding: &whole)
          else { continue }
          found[transport.document, default: []].insert(transport.version)
        }
      }
    } catch let error as GitError where !error.isFromSystem {
      found = [:]
    }
    knownContents[device] = found
    return found
  }

  /// Returns whether every other device has seen the beginning of this device's branch.
  func haveAllSeen(_ start: ObjectID) throws -> Bool {
    try others.allSatisfy { device in
      try ifReadable { try state(of: device)?.branchSeen(of: own) == start } ?? false
    }
  }
}
