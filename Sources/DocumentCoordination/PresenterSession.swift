internal import Dispatch
internal import DocumentFiles
internal import DocumentPresenting
internal import DocumentStore
internal import Foundation
internal import Synchronization
internal import SystemPackage

/// One access of any process from the view of this process's presenters, on a separate thread.
final class PresenterSession {
  private let connection: LocalSocket
  private let container: FilePath
  private var access: AccessDescription?
  private var locks = LentLocks(nil)
  private var concerned: [(item: PresentedItem, concern: ItemReach.Concern)] = []
  private var reacquirers: [Reacquirer] = []
  private var isOver = false
  /// The changes that the access reported at its end.
  private var changes: [ItemChange]?
  /// The errors with which presenters refused accesses of this process, by access; an answer has only their text.
  private static let refusals = Mutex<[String: any Error]>([:])

  init(_ connection: LocalSocket, in container: FilePath) {
    self.connection = connection
    self.container = container
  }

  /// Answers messages until the access is over or its process has ended; then the presenters may continue.
  func run() {
    while !isOver {
      switch connection.receive() {
      case .nothing: _ = LocalSocket.wait(for: [connection], until: nil)
      case .end: isOver = true
      case .frame(let frame):
        do { try answer(MessageCoding.message(CoordinationRequest.self, in: frame)) } catch {
          // A malformed message, or one whose sender accepts no answer, counts as the end of the process.
          isOver = true
        }
      }
    }
    // A program that was killed has released nothing, and a presenter that continues may need its file.
    locks.letGo()
    // The changes of a program that has ended aren't known.
    let written = reacquirers.isEmpty ? [] : access?.items.filter(\.kind.isWrite) ?? []
    conclude(
      with: changes
        ?? written.map { ItemChange(kind: .changed, path: $0.path, member: $0.member) })
  }

  /// Returns the error with which a presenter of this process refused an access; `nil` if none did.
  static func takeRefusal(of access: AccessDescription) -> (any Error)? {
    refusals.withLock { $0.removeValue(forKey: access.identifier) }
  }

  private func answer(_ request: CoordinationRequest) throws {
    if let access = request.access { begin(access) }
    var reply = CoordinationReply(number: request.number)
    do {
      switch request.kind {
      case .relinquish:
        reply.isConcerned = !concerned.isEmpty
        relinquish()
      case .save: try save()
      case .makeWay: try makeWay()
      case .conclude:
        end(with: request)
        return
      case .join:
        guard let purpose = request.purpose,
          let locks = LockTable.shared.lend(container, .purpose(purpose))
        else { break }
        return try connection.send(
          MessageCoding.frame(reply), passing: locks.number, until: .now + .seconds(5))
      }
    } catch {
      reply.failure = Self.sentence(about: error)
      if let access, access.program == .current, !isOver {
        Self.refusals.withLock { $0[access.identifier] = error }
      }
    }
    try connection.send(MessageCoding.frame(reply), until: .now + .seconds(5))
  }

  private func end(with request: CoordinationRequest) {
    isOver = true
    changes = request.changes ?? []
  }

  private static func sentence(about error: any Error) -> String {
    if let sentence = (error as? any LocalizedError)?.errorDescription { return sentence }
    // Foundation's errors have their message in quotation marks, after a domain and a number.
    let text = "\(error)"
    guard text.hasPrefix("Error Domain=") else { return text }
    return text.split(separator: "\"").dropFirst().first.map(String.init) ?? text
  }

  /// The presenters whose items themselves are accessed, not only something in them.
  private var items: [PresentedItem] { concerned.filter { $0.concern == .item }.map(\.item) }

  private func begin(_ access: AccessDescription) {
    self.access = access
    locks = LentLocks(ByteLocks(sentOver: connection))
    let reaches = access.items.map(\.reach)
    concerned = PresenterRegistry.shared.items.compactMap { presented in
      guard presented.identifier != access.presenter else { return nil }
      let concerns = reaches.compactMap { presented.concern(in: $0) }
      guard let first = concerns.first else { return nil }
      return (presented, concerns.contains { $0 == .item } ? .item : first)
    }
    for watch in items.compactMap(\.watch) { watch.beginAccess() }
  }

  // MARK: Questions

  private func relinquish() {
    guard let access else { return }
    let concerned = items
    reacquirers += wait {
      await withTaskGroup(of: Reacquirer?.self) { group in
        for presented in concerned {
          group.addTask { await Self.relinquish(presented, to: access) }
        }
        return await group.reduce(into: []) { $0.append($1) }
      }
    }.compactMap { $0 }
  }

  private static func relinquish(
    _ presented: PresentedItem, to access: AccessDescription
  ) async -> Reacquirer? {
    let items = access.items.filter { presented.concern(in: $0.reach) == .item }
    guard let item = items.first(where: \.kind.isWrite) ?? items.first else { return nil }
    let request = FileAccess(
      item: (item.member ?? item.path).url, program: access.program.name,
      process: access.program.process, isForPresenter: access.presenter != nil)
    return item.kind.isWrite
      ? await presented.presenter?.relinquishPresentedItem(toWriter: request)
      : await presented.presenter?.relinquishPresentedItem(toReader: request)
  }

  /// One after another, because they aren't excluded from each other.
  private func save() throws {
    try inTurn { presented, access in
      let isNeeded = access.items.contains {
        $0.needsSave && presented.concern(in: $0.reach) == .item
      }
      if isNeeded { try await presented.presenter?.savePresentedItemChanges() }
    }
  }

  private func makeWay() throws {
    try inTurn { presented, access in
      for item in access.items where item.kind == .deleting {
        switch presented.concern(in: item.reach) {
        case .item: try await presented.presenter?.accommodatePresentedItemDeletion()
        case .folder:
          try await presented.presenter?.accommodatePresentedSubitemDeletion(at: item.path.url)
        case nil: break
        }
      }
    }
  }

  private func inTurn(
    _ body: @escaping @Sendable (PresentedItem, AccessDescription) async throws -> Void
  ) throws {
    guard let access else { return }
    let (concerned, locks) = (concerned, locks)
    try wait { () async -> Result<Void, any Error> in
      do {
        for (presented, _) in concerned {
          try await presented.inviting(Invitation(to: access, with: locks)) {
            try await body(presented, access)
          }
        }
        return .success(())
      } catch { return .failure(error) }
    }.get()
  }

  // MARK: The end

  /// Lets the presenters continue, and notifies them of changes.
  private func conclude(with changes: [ItemChange]) {
    let (reacquirers, concerned, watches) = (reacquirers, concerned, items.compactMap(\.watch))
    wait {
      for reacquire in reacquirers { await reacquire() }
      for watch in watches { await watch.endAccess() }
      for (presented, _) in concerned {
        for change in changes { await presented.note(change) }
      }
    }
  }

  /// Waits for asynchronous work on this thread, which isn't in Swift's cooperative pool.
  private func wait<Value: Sendable>(_ body: @escaping @Sendable () async -> Value) -> Value {
    let done = DispatchSemaphore(value: 0)
    let result = Mutex<Value?>(nil)
    Task {
      let value = await body()
      result.withLock { $0 = value }
      done.signal()
    }
    while true {
      if done.wait(timeout: .now() + .milliseconds(50)) == .timedOut { noteEnd() }
      if let value = result.withLock({ $0 }) { return value }
    }
  }

  /// Records that the access ended before a presenter answered, so its locks aren't kept.
  private func noteEnd() {
    guard !isOver, !LocalSocket.wait(for: [connection], until: .now).isEmpty else { return }
    switch connection.receive() {
    case .nothing: return
    case .end: isOver = true
    case .frame(let frame):
      do { end(with: try MessageCoding.message(CoordinationRequest.self, in: frame)) } catch {
        isOver = true
      }
    }
    locks.letGo()
  }
}

extension PresentedItem {
  /// Notifies the presenter of a change, according to how it is concerned.
  func note(_ change: ItemChange) async {
    guard let place, let presenter else { return }
    let (path, url) = (change.path.path, change.path.url)
    switch change.kind {
    case .moved:
      guard let target = change.target?.path else { return }
      await noteMove(from: path, to: target)
    case .attributes where place.path == path:
      let observed = await presenter.observedPresentedItemUbiquityAttributes
      let attributes = observed.intersection(change.attributes ?? [])
      if !attributes.isEmpty {
        await presenter.presentedItemDidChangeUbiquityAttributes(attributes)
      }
    case .attributes: break
    case .deleted:
      if place.path != path, path.starts(with: place.path) {
        await presenter.presentedSubitemDidChange(at: url)
      }
    case .appeared, .changed:
      if place.path == path {
        guard let member = change.member else { return await presenter.presentedItemDidChange() }
        await presenter.presentedSubitemDidChange(at: member.url)
      } else if path.starts(with: place.path) {
        if change.kind == .appeared {
          await presenter.presentedSubitemDidAppear(at: url)
        } else {
          await presenter.presentedSubitemDidChange(at: url)
        }
      }
    }
  }

  /// Follows the item to another location, and notifies the presenter.
  func follow(to url: URL) async {
    guard let presenter, beginFollowing(to: url) else { return }
    await BlockingPool.shared.run {
      do { try PresenterRegistry.shared.move(self, to: url) } catch {
        // If the new location can't be reached, the presenter is only notified.
      }
    }
    if watch != nil { await setWatch(PresenterWatch(presenter, at: url)) }
    await presenter.presentedItemDidMove(to: url)
  }

  private func noteMove(from path: FilePath, to target: FilePath) async {
    guard let place, let presenter else { return }
    if place.path.starts(with: path) {
      var rest = place.path
      _ = rest.removePrefix(path)
      await follow(to: URL(filePath: target.appending(rest.components).string))
    } else if path.starts(with: place.path) || target.starts(with: place.path) {
      await presenter.presentedSubitem(
        at: URL(filePath: path.string), didMoveTo: URL(filePath: target.string))
    }
  }
}
