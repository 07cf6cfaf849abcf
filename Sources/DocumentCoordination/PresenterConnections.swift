internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// The connections of one access to the processes that present its items.
struct PresenterConnections: Sendable {
  private struct Connection: Sendable {
    /// The socket; `nil` once it is closed.
    var socket: LocalSocket?
    let program: ProgramIdentity
    /// The container in which it was found.
    let container: FilePath
    var count = 0
    var asked: (question: AccessMachine.Question, at: ContinuousClock.Instant)?
  }

  private var connections: [Connection] = []
  private var log: [MessageLog.Entry] = []

  /// The numbers of the open connections.
  var numbers: [AccessMachine.Respondent] { Array(connections.indices) }

  func program(_ peer: AccessMachine.Respondent) -> ProgramIdentity? { connections[peer].program }

  /// Connects to each concerned process once.
  ///
  /// - Parameter presenter: the presenter that the access is for.
  mutating func open(to items: [LocatedItem], besides presenter: PresentedItem?) throws {
    var containers: [FilePath] = []
    for container in items.flatMap(\.place.containers) where !containers.contains(container) {
      containers.append(container)
    }
    let reaches = items.map(\.reach)
    var known: Set<String> = []
    for container in containers {
      let folder = PresenterFolder(of: container)
      for process in try folder.processes(readingOwn: false) where !known.contains(process.name) {
        let isConcerned =
          process.isThisOne
          ? PresenterRegistry.shared.isConcerned(by: reaches, besides: presenter)
          : process.isConcerned(by: reaches)
        guard isConcerned, let socket = try folder.connect(to: process) else { continue }
        known.insert(process.name)
        connections.append(
          Connection(
            socket: socket,
            program: process.program, container: container))
      }
    }
  }

  // MARK: Questions

  /// Sends a question; a process that doesn't accept it has ended.
  mutating func ask(
    _ question: AccessMachine.Question, _ peers: [AccessMachine.Respondent],
    _ access: AccessDescription, _ locks: HeldLocks
  ) {
    for peer in peers {
      let isFirst = connections[peer].count == 0
      connections[peer].count += 1
      connections[peer].asked = (question, .now)
      let request = CoordinationRequest(
        number: connections[peer].count, kind: .init(question), access: isFirst ? access : nil)
      do {
        try connections[peer].socket?.send(
          MessageCoding.frame(request),
          passing: isFirst ? locks.number(in: connections[peer].container) : nil,
          until: .now + .milliseconds(100))
      } catch {
        // Waiting for the answer will show it, as the end of the connection or as silence.
      }
    }
  }

  /// Waits for the next answer.
  mutating func receive(
    until end: ContinuousClock.Instant, isCancelled: () -> Bool
  ) -> AccessMachine.Event {
    BlockingPool.leave()
    while true {
      if isCancelled() { return .cancelled }
      let open = connections.indices.filter { connections[$0].asked != nil }
      for peer in open {
        switch connections[peer].socket?.receive() ?? .end {
        case .frame(let frame): if let answer = take(frame, of: peer) { return answer }
        case .end:
          note(peer, failure: "its connection ended")
          return .lost(peer)
        case .nothing: break
        }
      }
      guard ContinuousClock.now < end else {
        for peer in open { note(peer, failure: "no answer") }
        return .overdue
      }
      let pause = min(end, .now + .milliseconds(100))
      _ = LocalSocket.wait(for: open.compactMap { connections[$0].socket }, until: pause)
    }
  }

  /// Returns the event of an answer; `nil` if the question was already answered.
  private mutating func take(_ frame: [UInt8], of peer: AccessMachine.Respondent) -> AccessMachine
    .Event?
  {
    let reply: CoordinationReply
    do { reply = try MessageCoding.message(CoordinationReply.self, in: frame) } catch {
      note(peer, failure: "an answer that can’t be read")
      return .lost(peer)
    }
    guard reply.number == connections[peer].count, connections[peer].asked != nil else {
      return nil
    }
    note(peer, failure: reply.failure)
    if let failure = reply.failure { return .answered(peer, .failed(Printable.text(failure))) }
    return .answered(peer, reply.isConcerned == false ? .unconcerned : .done)
  }

  // MARK: The end

  /// Notifies all asked processes that the access is over, and closes the connections.
  mutating func conclude(_ changes: [ItemChange]) {
    for peer in connections.indices {
      guard let socket = connections[peer].socket else { continue }
      connections[peer].socket = nil
      guard connections[peer].count > 0 else { continue }
      connections[peer].count += 1
      let request = CoordinationRequest(
        number: connections[peer].count, kind: .conclude, changes: changes)
      do {
        try socket.send(
          MessageCoding.frame(request), until: .now + .milliseconds(100))
      } catch {
        // The end of the connection has the same meaning.
      }
      if log.count < Self.mostEntries {
        log.append(entry(peer, kind: "conclude", at: .now))
      }
    }
  }

  // MARK: The log

  private static let mostEntries = 1_000

  private mutating func note(_ peer: AccessMachine.Respondent, failure: String?) {
    guard let (question, asked) = connections[peer].asked else { return }
    connections[peer].asked = nil
    guard log.count < Self.mostEntries else { return }
    var entry = entry(peer, kind: "\(question)", at: asked)
    entry.duration = (ContinuousClock.now - asked) / .seconds(1)
    entry.failure = failure
    log.append(entry)
  }

  private func entry(
    _ peer: AccessMachine.Respondent, kind: String, at moment: ContinuousClock.Instant
  ) -> MessageLog.Entry {
    let age = (ContinuousClock.now - moment) / .seconds(1)
    return MessageLog.Entry(
      time: Date().timeIntervalSince1970 - age, access: "", number: connections[peer].count,
      from: .current, to: connections[peer].program, kind: kind, items: [])
  }

  /// Writes the messages to the log of the first container, and moves even without a message.
  mutating func writeLog(
    of access: AccessDescription, in items: [LocatedItem], moves: [ItemChange] = []
  ) {
    guard let container = items.lazy.compactMap(\.place.containers.first).first else { return }
    for move in moves {
      log.append(
        MessageLog.Entry(
          time: Date().timeIntervalSince1970, access: "", number: 0, from: .current, kind: "moved",
          items: [move.path], target: move.target))
    }
    for index in log.indices {
      log[index].access = access.identifier
      if log[index].items.isEmpty { log[index].items = access.items.map(\.path) }
    }
    MessageLog(of: container).add(log)
    log = []
  }
}
