import Testing

@testable import DocumentCoordination

/// All orders in which the steps of processes can interleave, with locks, messages and a clock in memory.
@Suite("The order of a coordinated access")
struct AccessMachineTests {
  /// Three processes, each with an access to one or both of two documents.
  struct Case: CustomTestStringConvertible, Sendable {
    let accesses: [Access]
    var testDescription: String {
      accesses.map { access in
        access.items.map { "\($0.isWrite ? "write" : "read") \($0.document)" }.joined(
          separator: ", ")
      }.joined(separator: " | ")
    }
  }

  struct Access: Sendable {
    struct Item: Sendable {
      let document: Int
      let isWrite: Bool
    }
    let items: [Item]

    static func read(_ documents: Int...) -> Access {
      Access(items: documents.map { Item(document: $0, isWrite: false) })
    }
    static func write(_ documents: Int...) -> Access {
      Access(items: documents.map { Item(document: $0, isWrite: true) })
    }
    static func read(_ first: Int, write second: Int) -> Access {
      let items = [Item(document: first, isWrite: false), Item(document: second, isWrite: true)]
      return Access(items: items.sorted { $0.document < $1.document })
    }

    var plan: AccessMachine.Plan {
      var plan = AccessMachine.Plan(patience: .seconds(1_000))
      for item in items {
        let gate = Int64(item.document * 2)
        plan.locks.append(
          .init(file: 0, byte: gate, isExclusive: true, stay: item.isWrite ? .whole : .untilGranted)
        )
        let access = AccessMachine.Lock(
          file: 0, byte: gate + 1, isExclusive: item.isWrite, stay: .whole)
        if item.isWrite { plan.locks.append(access) } else { plan.sharedLocks.append(access) }
      }
      plan.questions = [.relinquish, .save]
      return plan
    }
  }

  /// The complete state at one moment.
  struct World: Hashable {
    struct Process: Hashable {
      var machine: AccessMachine
      /// The step that the process waits for; nil if it is done.
      var next: Step?
      var held: [AccessMachine.Lock] = []
      /// The presenters that haven't answered.
      var asked: [AccessMachine.Respondent] = []
      var isInside = false
    }

    enum Step: Hashable {
      case event(AccessMachine.Event)
      case take(AccessMachine.Lock)
      case answer
      case leave
    }

    var processes: [Process]
    /// True if the process that presents the documents is alive.
    var isPresenterAlive = true

    func isFree(_ lock: AccessMachine.Lock, for process: Int) -> Bool {
      for (index, other) in processes.enumerated() where index != process {
        for held in other.held
        where held.byte == lock.byte && (held.isExclusive || lock.isExclusive) {
          return false
        }
      }
      return true
    }
  }

  static let cases: [Case] = [
    Case(accesses: [.write(0), .write(0), .write(0)]),
    Case(accesses: [.read(0), .read(0), .write(0)]),
    Case(accesses: [.write(0, 1), .write(0, 1), .read(0, 1)]),
    Case(accesses: [.read(0, write: 1), .read(1, write: 0), .write(1)]),
    Case(accesses: [.read(0, write: 1), .read(1, write: 0), .read(0, 1)]),
    Case(accesses: [.read(0, 1), .read(0, 1), .write(0, 1)]),
    Case(accesses: [.write(0, 1), .read(0), .write(1)]),
    Case(accesses: [.read(0, write: 1), .write(0, 1), .read(1)]),
  ]

  @Test(
    "Never two at once where one writes, and all get their turn, in every order", arguments: cases)
  func everyOrder(_ story: Case) throws {
    try explore(story, cancelling: nil, killingPresenter: false)
  }

  @Test("An access that is cancelled at any moment leaves the way free", arguments: cases)
  func cancelled(_ story: Case) throws {
    try explore(story, cancelling: 0, killingPresenter: false)
  }

  @Test("A presenter that dies at any moment keeps no access waiting", arguments: cases)
  func presenterDies(_ story: Case) throws {
    try explore(story, cancelling: nil, killingPresenter: true)
  }

  /// Visits every reachable state.
  private func explore(_ story: Case, cancelling: Int?, killingPresenter: Bool) throws {
    let start = World(
      processes: story.accesses.map {
        .init(machine: AccessMachine($0.plan), next: .event(.begun))
      })
    var seen: Set<World> = [start]
    var open = [start]
    var ends = 0
    while let world = open.popLast() {
      check(world, story)
      var successors: [World] = []
      for index in world.processes.indices {
        successors += steps(index, in: world)
        if index == cancelling, let next = cancel(index, in: world) { successors.append(next) }
      }
      if killingPresenter, world.isPresenterAlive {
        var next = world
        next.isPresenterAlive = false
        successors.append(next)
      }
      let isOver = world.processes.allSatisfy { $0.next == nil }
      if isOver { ends += 1 }
      // A process waits for a lock that isn't free, so another one must be able to continue.
      try #require(isOver || successors.contains { $0 != world }, "Nothing goes on: \(world)")
      for next in successors where seen.insert(next).inserted { open.append(next) }
    }
    #expect(ends > 0)
    #expect(seen.count > 100)
  }

  private func check(_ world: World, _ story: Case) {
    for (first, one) in world.processes.enumerated() where one.isInside {
      for (second, other) in world.processes.enumerated() where other.isInside && first < second {
        for item in story.accesses[first].items {
          for rival in story.accesses[second].items where rival.document == item.document {
            #expect(!item.isWrite && !rival.isWrite, "\(first) and \(second) at once")
          }
        }
      }
    }
    for process in world.processes where process.next == nil { #expect(process.held.isEmpty) }
  }

  /// Returns the possible results of a process's next step.
  private func steps(_ index: Int, in world: World) -> [World] {
    let process = world.processes[index]
    func after(_ change: (inout World) -> Void) -> World {
      var next = world
      change(&next)
      return next
    }
    switch process.next {
    case nil: return []
    case .event(let event): return [after { handle(event, by: index, in: &$0) }]
    case .take(let lock):
      guard world.isFree(lock, for: index) else { return [] }
      return [
        after {
          $0.processes[index].held.append(lock)
          handle(.locked, by: index, in: &$0)
        }
      ]
    case .answer:
      return process.asked.map { peer in
        after {
          $0.processes[index].asked.removeAll { $0 == peer }
          handle(
            world.isPresenterAlive ? .answered(peer, .done) : .lost(peer), by: index, in: &$0)
        }
      }
    case .leave:
      return [
        after {
          $0.processes[index].isInside = false
          handle(.ended, by: index, in: &$0)
        }
      ]
    }
  }

  private func cancel(_ index: Int, in world: World) -> World? {
    guard world.processes[index].next != nil, !world.processes[index].isInside else { return nil }
    var world = world
    handle(.cancelled, by: index, in: &world)
    return world
  }

  private func handle(_ event: AccessMachine.Event, by index: Int, in world: inout World) {
    var process = world.processes[index]
    process.next = nil
    for action in process.machine.handle(event, at: .zero) {
      switch action {
      case .lock(let lock): process.next = .take(lock)
      case .unlock(let lock): process.held.removeAll { $0 == lock }
      case .pause: process.next = .event(.resumed)
      // Two others present the documents.
      case .find: process.next = .event(.found(world.isPresenterAlive ? [7, 8] : []))
      case .ask(_, let peers): process.asked = peers
      case .receive: process.next = .answer
      case .grant:
        process.isInside = true
        process.next = .leave
      case .conclude, .fail: break
      }
    }
    world.processes[index] = process
  }

  // MARK: Single answers

  private func machine(
    questions: [AccessMachine.Question] = [.relinquish, .save], takesOver: Bool = false
  ) -> AccessMachine {
    var plan = Access.write(0).plan
    plan.questions = questions
    plan.patience = .seconds(5)
    plan.takesOver = takesOver
    return AccessMachine(plan)
  }

  /// Advances a machine until it has asked presenters the first question.
  private func asked(_ machine: inout AccessMachine, peers: [Int]) -> [AccessMachine.Action] {
    _ = machine.handle(.begun, at: .zero)
    _ = machine.handle(.locked, at: .zero)
    _ = machine.handle(.locked, at: .zero)
    return machine.handle(.found(peers), at: .zero)
  }

  @Test("All let go at once, and save one after another")
  func questions() {
    var machine = machine()
    #expect(asked(&machine, peers: [1, 2]).first == .ask(.relinquish, [1, 2]))
    #expect(machine.handle(.answered(2, .done), at: .zero) == [.receive(until: .seconds(5))])
    #expect(machine.handle(.answered(1, .done), at: .zero).first == .ask(.save, [1]))
    #expect(machine.handle(.answered(1, .done), at: .zero).first == .ask(.save, [2]))
    #expect(machine.handle(.answered(2, .done), at: .zero) == [.grant])
    #expect(machine.handle(.ended, at: .zero).first == .conclude([1, 2]))
    #expect(machine.isOver)
  }

  @Test("An answer that comes twice counts once")
  func twice() {
    var machine = machine()
    _ = asked(&machine, peers: [1, 2])
    _ = machine.handle(.answered(1, .done), at: .zero)
    #expect(machine.handle(.answered(1, .done), at: .zero) == [.receive(until: .seconds(5))])
    #expect(machine.handle(.answered(2, .done), at: .zero).first == .ask(.save, [1]))
  }

  @Test("Silence fails the access by name, unless it takes over", arguments: [false, true])
  func silence(takesOver: Bool) {
    var machine = machine(takesOver: takesOver)
    _ = asked(&machine, peers: [1, 2])
    _ = machine.handle(.answered(1, .done), at: .zero)
    let actions = machine.handle(.overdue, at: .seconds(5))
    if takesOver {
      #expect(actions.first == .ask(.save, [1]))
    } else {
      #expect(actions.last == .fail(.unanswered([2])))
      #expect(actions.contains { if case .unlock = $0 { true } else { false } })
    }
  }

  @Test("A presenter that can’t save fails the access")
  func refusal() {
    var machine = machine(questions: [.save])
    _ = asked(&machine, peers: [1])
    let actions = machine.handle(.answered(1, .failed("the disk is full")), at: .zero)
    #expect(actions.last == .fail(.refused(1, "the disk is full")))
    #expect(machine.isOver)
  }

  @Test("Who waits for a lock tries again after 1 to 20 ms, and fails when its patience ends")
  func patience() throws {
    var machine = machine()
    _ = machine.handle(.begun, at: .zero)
    var now = Duration.zero
    var pauses: [Duration] = []
    while true {
      let actions = machine.handle(.occupied, at: now)
      guard case .pause(let pause)? = actions.first else {
        guard case .fail(.occupied)? = actions.last else {
          Issue.record("\(actions)")
          return
        }
        break
      }
      pauses.append(pause)
      now += pause
      _ = machine.handle(.resumed, at: now)
    }
    #expect(now == .seconds(5))
    #expect(pauses.first == .milliseconds(1))
    #expect(pauses.max() == .milliseconds(20))
  }
}
