internal import DocumentFiles
internal import DocumentStore
internal import Foundation
internal import SystemPackage

/// Performs the actions of an ``AccessMachine``: locks bytes of files, uses sockets, and waits.
///
/// All methods block.
final class AccessDriver {
  private let request: AccessRequest
  private let items: [LocatedItem]
  private let description: AccessDescription
  private var machine: AccessMachine
  private var locks: HeldLocks
  private var connections = PresenterConnections()
  private let start = ContinuousClock.now

  /// Thrown if the access can proceed as part of another one, which invited its presenter to save.
  private struct Invited: Error { let invitation: Invitation }

  private init(_ request: AccessRequest, _ items: [LocatedItem], under invitation: Invitation?)
    throws
  {
    self.request = request
    self.items = items
    description = AccessDescription(
      identifier: UUID().uuidString, program: .current, presenter: request.presenter?.identifier,
      items: items.filter { !$0.place.containers.isEmpty }.map(\.description))
    var plan = AccessMachine.Plan(patience: request.patience, takesOver: request.takesOver)
    let covered = items.filter { invitation?.covers($0.place.path) == true }
    let others = items.filter { invitation?.covers($0.place.path) != true }
    let needed = LockPlan(for: others)
    locks = try HeldLocks(
      needed.containers, for: request.owner, isWrite: others.contains(where: \.kind.isWrite),
      under: invitation)
    if let lent = locks.lent { plan.locks = Self.guestLocks(of: covered, in: lent) }
    if locks.hasOwn {
      plan.locks += needed.locks
      plan.sharedLocks = needed.sharedLocks
    }
    plan.questions = [.relinquish]
    if items.contains(where: \.needsSave) { plan.questions.append(.save) }
    if items.contains(where: { $0.kind == .deleting }) { plan.questions.append(.makeWay) }
    machine = AccessMachine(plan)
  }

  /// Returns the locks of an access that is part of another one, which excludes everything except earlier
  /// readers.
  private static func guestLocks(
    of items: [LocatedItem], in file: Int
  ) -> [AccessMachine.Lock] {
    items.filter(\.kind.isWrite).compactMap { item in
      item.place.containers.first.map {
        .init(
          file: file, byte: LockByte(of: item.place.path, in: $0).number(.access),
          isExclusive: true, stay: .whole)
      }
    }
  }

  // MARK: Beginning

  /// Waits until an access is granted.
  ///
  /// - Throws: ``CoordinationError``; the errors of finding and locking the items.
  static func begin(_ request: AccessRequest) throws -> GrantedAccess {
    var request = request
    // An item that keeps moving is followed a limited number of times.
    for _ in 1...8 {
      let items = try request.items.map { try LocatedItem($0) }
      let access = try begin(request, items)
      do {
        guard let moved = try access.movedItems(of: request) else { return access }
        access.endUnused()
        request.items = moved
      } catch {
        access.endUnused()
        throw error
      }
    }
    throw FileError(
      .changing, path: try request.items[0].url.filePath,
      message: "\(request.items[0].url.quoted) keeps being moved.")
  }

  private static func begin(
    _ request: AccessRequest, _ items: [LocatedItem]
  ) throws -> GrantedAccess {
    if let invitation = request.invitation(to: items) {
      return try AccessDriver(request, items, under: invitation).begin()
    }
    do {
      return try AccessDriver(request, items, under: nil).begin()
    } catch let invited as Invited {
      return try AccessDriver(request, items, under: invited.invitation).begin()
    }
  }

  private func begin() throws -> GrantedAccess {
    do {
      var next: AccessMachine.Event? = .begun
      while let event = next {
        next = nil
        for action in machine.handle(isCancelled ? .cancelled : event, at: now) {
          if action == .grant { return granted() }
          next = try perform(action) ?? next
        }
      }
      throw CancellationError()
    } catch {
      connections.conclude([])
      connections.writeLog(of: description, in: items)
      locks.releaseAll()
      throw error
    }
  }

  private var isCancelled: Bool { request.cancellation() != nil }

  private var now: Duration { ContinuousClock.now - start }

  private func granted() -> GrantedAccess {
    for item in items where item.kind.isClaim {
      if let container = item.place.containers.first {
        locks.record(LockByte(of: item.place.path, in: container), of: container)
      }
    }
    return GrantedAccess(items: items, description, locks, connections)
  }

  /// Performs one action.
  ///
  /// - Returns: the resulting event; `nil` if there is none.
  private func perform(_ action: AccessMachine.Action) throws -> AccessMachine.Event? {
    switch action {
    case .lock(let lock):
      return try locks.take(lock) ? .locked : .occupied
    case .unlock(let lock): locks.release(lock)
    case .pause(let pause):
      // During the wait, the other access may ask this one's presenter to save.
      if let invitation = request.invitation(to: items) { throw Invited(invitation: invitation) }
      BlockingPool.leave()
      Threads.sleep(seconds: pause / .seconds(1))
      return .resumed
    case .find:
      try connections.open(to: items, besides: request.presenter)
      return .found(connections.numbers)
    case .ask(let question, let peers):
      connections.ask(question, peers, description, locks)
    case .receive(let end):
      return connections.receive(until: start + end) { isCancelled }
    case .conclude: connections.conclude([])
    case .fail(let failure): throw error(failure)
    case .grant: break
    }
    return nil
  }

  // MARK: Errors

  private func error(_ failure: AccessMachine.Failure) -> any Error {
    let item = request.items[0].url
    switch failure {
    case .cancelled: return request.cancellation() ?? CancellationError()
    case .occupied(let lock): return occupied(lock)
    case .unanswered(let peers):
      let program = peers.first.flatMap(connections.program)
      let state = program?.isStopped == true ? ", because it is stopped" : ""
      return CoordinationError(
        .unanswered, item,
        """
        \(program?.quoted ?? "Another program") has \(item.quoted) open, and did not answer within \
        \(waited)\(state).
        """, by: program, recovery: .tryAgain)
    case .refused(let peer, let reason):
      let program = connections.program(peer)
      return CoordinationError(
        .refused, item,
        "\(program?.quoted ?? "Another program") has \(item.quoted) open, and refuses: \(reason)",
        by: program, cause: PresenterSession.takeRefusal(of: description))
    }
  }

  private func occupied(_ lock: AccessMachine.Lock) -> any Error {
    let item = items.first { item in
      item.place.containers.contains {
        LockByte(of: item.place.path, in: $0).item == lock.byte >> 2
      }
    }
    let url = item.map { URL(filePath: $0.place.path.string) } ?? request.items[0].url
    let program: ProgramIdentity?
    do { program = try locks.holder(of: lock) } catch { return error }
    let isOwn = program == .current
    let name = isOwn ? "Another part of this program" : program?.quoted ?? "Another program"
    let state = !isOwn && program?.isStopped == true ? ", and is stopped" : ""
    return CoordinationError(
      .busy, url, "\(name) is using \(url.quoted)\(state); waited \(waited).", by: program,
      recovery: .tryAgain)
  }

  private var waited: String {
    let seconds = request.patience / .seconds(1)
    return seconds == seconds.rounded() ? "\(Int(seconds)) s" : "\(seconds) s"
  }
}

extension AccessRequest {
  /// Returns the invitation of its presenter to take part in another access, if that covers any of the items.
  ///
  /// The other access waits for its presenter, so the presenter must not wait for it, whatever else it accesses.
  fileprivate func invitation(to items: [LocatedItem]) -> Invitation? {
    guard let presenter else { return nil }
    for item in items {
      if let invitation = presenter.invitation(covering: item.place.path) { return invitation }
    }
    return nil
  }
}
