internal import Foundation

/// What an operation does where nothing goes wrong: the measure of all its faults.
struct Baseline: Sendable {
  let operation: Operation
  let arguments: [String]
  /// The world as it is prepared: copied for every case.
  let world: World
  let before: WorldState
  let after: WorldState
  /// What other devices get through the exchange folder, before and after.
  let sentBefore: WorldState?
  let sentAfter: WorldState?
  /// What may lie in the world: before, after the operation, and after it is done once more.
  let listing: Listing
  /// The calls that change something, and those that read.
  let changes: [Call]
  let reads: [Call]

  init(of operation: Operation) throws {
    self.operation = operation
    world = try World()
    try operation.prepare(world)
    arguments = try operation.arguments(world)
    before = try WorldState(of: world, operation.documents)
    sentBefore = try Self.sent(in: world, operation)

    let copy = try World(copyOf: world)
    var listing = try Listing(of: copy.root)
    changes = try Self.run(arguments, in: copy, countsReads: false)
    after = try WorldState(of: copy, operation.documents)
    sentAfter = try Self.sent(in: copy, operation)
    listing.formUnion(try Listing(of: copy.root))
    _ = try copy.run(arguments)
    listing.formUnion(try Listing(of: copy.root))
    for name in operation.documents.flatMap(\.names) { _ = try copy.run(["save", name]) }
    listing.formUnion(try Listing(of: copy.root))
    self.listing = listing
    reads = try Self.run(arguments, in: World(copyOf: world), countsReads: true)
  }

  /// The calls that an action can hit.
  func calls(for action: FaultAction) -> [Call] {
    (action.hitsReads ? reads : changes).filter { $0.canSuffer(action) }
  }

  /// What another device would get out of the exchange folder now; nil where there is none.
  static func sent(in world: World, _ operation: Operation) throws -> WorldState? {
    guard let folder = operation.exchangeFolder else { return nil }
    let cloud = world.root.appending(path: folder)
    let other = try World()
    guard FileManager.default.fileExists(atPath: cloud.path) else {
      return try WorldState(of: other, operation.documents)
    }
    let copy = other.root.appending(path: folder)
    try FileManager.default.copyItem(at: cloud, to: copy)
    try other.expect(["exchange", copy.path], minute: 50)
    return try WorldState(of: other, operation.documents)
  }

  private static func run(
    _ arguments: [String], in world: World, countsReads: Bool
  ) throws -> [Call] {
    let run = try world.run(arguments, isLogged: true, countsReads: countsReads)
    guard run.exitCode == 0, !run.calls.isEmpty else {
      throw FaultError("\(arguments): \(run.ending) \(run.errorOutput)")
    }
    return run.calls
  }
}

/// The baselines, each made once.
actor Baselines {
  static let shared = Baselines()

  private var known: [String: Task<Baseline, any Error>] = [:]

  func baseline(of operation: Operation) async throws -> Baseline {
    let task =
      known[operation.name] ?? Task { try await Workers.run { try Baseline(of: operation) } }
    known[operation.name] = task
    return try await task.value
  }
}
