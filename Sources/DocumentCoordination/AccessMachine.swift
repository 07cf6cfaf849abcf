/// The state machine of one coordinated access.
///
/// It uses no clock, file or socket, and never waits: a driver performs its actions and reports the results.
/// The order of the actions prevents accesses from waiting for one another in a circle:
///
/// 1. the locks, in the order of the items' paths; of each item first the gate, through which all accesses pass, then for
///    a writer the access itself, while it still holds the gate;
/// 2. the questions to presenters, each answered by all presenters before the next question;
/// 3. the shared locks of readers, which nothing excludes while their gates are held; then the gates open.
struct AccessMachine: Hashable, Sendable {
  /// One lock that the access needs.
  struct Lock: Hashable, Sendable {
    /// The duration for which it is held.
    enum Stay: Hashable, Sendable {
      /// Until the next lock is taken.
      case untilNext
      /// Until the access is granted.
      case untilGranted
      /// Until the access ends.
      case whole
    }

    /// The number of the lock file.
    let file: Int
    let byte: Int64
    let isExclusive: Bool
    let stay: Stay
  }

  /// A question to presenters before the access is granted.
  enum Question: Hashable, Sendable {
    /// Relinquish the item.
    case relinquish
    /// Save unsaved changes.
    case save
    /// Prepare for a deletion.
    case makeWay
  }

  enum Answer: Hashable, Sendable {
    /// The process presents nothing that the access concerns.
    case unconcerned
    case done
    case failed(String)
  }

  /// The plan of the access.
  struct Plan: Hashable, Sendable {
    /// The locks that are taken first, in the order of all accesses.
    var locks: [Lock] = []
    /// The shared locks that readers take last.
    var sharedLocks: [Lock] = []
    var questions: [Question] = []
    /// The longest time to wait for other accesses, and again for presenters.
    var patience = Duration.seconds(5)
    /// True if the access proceeds without presenters that don't answer.
    var takesOver = false
  }

  /// A process that presents something, as a number that the driver assigns.
  typealias Respondent = Int

  enum Event: Hashable, Sendable {
    case begun
    case locked
    case occupied
    case resumed
    case found([Respondent])
    case answered(Respondent, Answer)
    /// The process or its connection has ended.
    case lost(Respondent)
    /// The time for answers is over.
    case overdue
    case cancelled
    /// The accessor has ended.
    case ended
  }

  enum Failure: Hashable, Sendable {
    case occupied(Lock)
    case unanswered([Respondent])
    case refused(Respondent, String)
    case cancelled
  }

  enum Action: Hashable, Sendable {
    case lock(Lock)
    case unlock(Lock)
    /// Wait, and report that the access resumes.
    case pause(Duration)
    /// Find the processes that present related items.
    case find
    case ask(Question, [Respondent])
    case receive(until: Duration)
    case grant
    /// Notify the concerned processes that the access is over.
    case conclude([Respondent])
    case fail(Failure)
  }

  private enum Phase: Hashable {
    case idle
    case locking(Int)
    case finding
    case asking(Int)
    case sharing(Int)
    case granted
    case over
  }

  private let plan: Plan
  private var phase = Phase.idle
  private var held: [Lock] = []
  /// The concerned processes, in the order in which they are asked.
  private var concerned: [Respondent] = []
  /// The processes whose answers are pending.
  private var waiting: [Respondent] = []
  private var now = Duration.zero
  private var end = Duration.zero
  private var pause = shortestPause

  private static let shortestPause = Duration.milliseconds(1)
  private static let longestPause = Duration.milliseconds(20)

  init(_ plan: Plan) { self.plan = plan }

  var isOver: Bool { phase == .over }

  /// Handles an event.
  ///
  /// - Returns: the actions to perform in order; the last one leads to the next event.
  mutating func handle(_ event: Event, at now: Duration) -> [Action] {
    self.now = now
    switch (phase, event) {
    case (.over, _): return []
    case (.granted, .ended): return finish([])
    case (.granted, _): return []
    case (_, .cancelled): return finish([.fail(.cancelled)])
    case (.idle, .begun):
      end = now + plan.patience
      return goOnLocking(from: 0)
    case (.locking(let index), .locked):
      held.append(plan.locks[index])
      return openPassed(before: index) + goOnLocking(from: index + 1)
    case (.locking(let index), .resumed): return [.lock(plan.locks[index])]
    case (.locking(let index), .occupied): return wait(for: plan.locks[index])
    case (.finding, .found(let peers)):
      concerned = peers
      end = now + plan.patience
      return ask(0)
    case (.asking(let index), .answered(let peer, let answer)):
      return take(answer, of: peer, to: index)
    case (.asking(let index), .lost(let peer)):
      concerned.removeAll { $0 == peer }
      return answered(peer, to: index)
    case (.asking(let index), .overdue):
      guard plan.takesOver else { return finish([.fail(.unanswered(waiting))]) }
      concerned.removeAll { waiting.contains($0) }
      waiting = []
      return ask(index + 1)
    case (.sharing(let index), .locked):
      held.append(plan.sharedLocks[index])
      return goOnSharing(from: index + 1)
    case (.sharing(let index), .resumed): return [.lock(plan.sharedLocks[index])]
    case (.sharing(let index), .occupied): return wait(for: plan.sharedLocks[index])
    default: return []
    }
  }

  // MARK: Locks

  private mutating func goOnLocking(from index: Int) -> [Action] {
    guard index < plan.locks.count else {
      phase = .finding
      return [.find]
    }
    phase = .locking(index)
    pause = Self.shortestPause
    return [.lock(plan.locks[index])]
  }

  /// Opens a gate after the access has passed it.
  private mutating func openPassed(before index: Int) -> [Action] {
    guard index > 0, plan.locks[index - 1].stay == .untilNext else { return [] }
    let passed = plan.locks[index - 1]
    return release { $0 == passed }
  }

  private mutating func goOnSharing(from index: Int) -> [Action] {
    guard index < plan.sharedLocks.count else {
      phase = .granted
      return release { $0.stay == .untilGranted } + [.grant]
    }
    phase = .sharing(index)
    pause = Self.shortestPause
    return [.lock(plan.sharedLocks[index])]
  }

  private mutating func wait(for lock: Lock) -> [Action] {
    guard now < end else { return finish([.fail(.occupied(lock))]) }
    defer { pause = min(pause * 2, Self.longestPause) }
    return [.pause(min(pause, end - now))]
  }

  private mutating func release(where isReleased: (Lock) -> Bool) -> [Action] {
    let released = held.filter(isReleased)
    held.removeAll(where: isReleased)
    return released.map(Action.unlock)
  }

  // MARK: Presenters

  private mutating func ask(_ index: Int) -> [Action] {
    guard index < plan.questions.count, !concerned.isEmpty else {
      end = now + plan.patience
      return goOnSharing(from: 0)
    }
    phase = .asking(index)
    waiting = concerned
    return askNext(index)
  }

  /// Asks presenters to save one after another, because they save under this access's locks, which don't exclude them
  /// from each other.
  private func askNext(_ index: Int) -> [Action] {
    let question = plan.questions[index]
    let isOneByOne = question == .save || question == .makeWay
    return [
      .ask(question, isOneByOne ? Array(waiting.prefix(1)) : waiting), .receive(until: end),
    ]
  }

  private mutating func take(_ answer: Answer, of peer: Respondent, to index: Int) -> [Action] {
    guard waiting.contains(peer) else { return [.receive(until: end)] }
    switch answer {
    case .failed(let reason): return finish([.fail(.refused(peer, reason))])
    case .unconcerned: concerned.removeAll { $0 == peer }
    case .done: break
    }
    return answered(peer, to: index)
  }

  private mutating func answered(_ peer: Respondent, to index: Int) -> [Action] {
    let wasFirst = waiting.first == peer
    waiting.removeAll { $0 == peer }
    if waiting.isEmpty { return ask(index + 1) }
    let question = plan.questions[index]
    let isOneByOne = question == .save || question == .makeWay
    return isOneByOne && wasFirst ? askNext(index) : [.receive(until: end)]
  }

  // MARK: The end

  private mutating func finish(_ last: [Action]) -> [Action] {
    phase = .over
    let peers = concerned.isEmpty ? [] : [Action.conclude(concerned)]
    return peers + release { _ in true } + last
  }
}
