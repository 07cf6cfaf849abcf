internal import DocumentVersions
internal import DocumentWorld
internal import Foundation

/// The run of an operation without faults, to which runs with faults are compared.
struct Baseline: Sendable {
  let operation: Operation
  let arguments: [String]
  /// The prepared bed, which is copied for every case.
  let bed: FaultBed
  let before: FaultBedState
  let after: FaultBedState
  /// The state that other devices receive through the exchange folder, before and after.
  let sentBefore: FaultBedState?
  let sentAfter: FaultBedState?
  /// The files that the bed may contain: before the operation, after it, and after it is repeated.
  let listing: Listing
  /// The calls that change something, and those that read.
  let changes: [Call]
  let reads: [Call]

  init(of operation: Operation) throws {
    self.operation = operation
    bed = try FaultBed()
    try operation.prepare(bed)
    arguments = try operation.arguments(bed)
    before = try FaultBedState(of: bed, operation.documents)
    sentBefore = try Self.sent(in: bed, operation)

    let copy = try FaultBed(copyOf: bed)
    var listing = try Listing(of: copy.root)
    changes = try Self.run(arguments, in: copy, countsReads: false)
    after = try FaultBedState(of: copy, operation.documents)
    sentAfter = try Self.sent(in: copy, operation)
    listing.formUnion(try Listing(of: copy.root))
    _ = try copy.run(arguments)
    listing.formUnion(try Listing(of: copy.root))
    for name in operation.documents.flatMap(\.names) { _ = try copy.run(["save", name]) }
    listing.formUnion(try Listing(of: copy.root))
    self.listing = listing
    reads = try Self.run(arguments, in: FaultBed(copyOf: bed), countsReads: true)
  }

  /// The calls that an action can hit.
  func calls(for action: FaultAction) -> [Call] {
    (action.hitsReads ? reads : changes).filter { $0.canSuffer(action) }
  }

  /// Returns the state that another device would now receive from the exchange folder; nil if there is none.
  static func sent(in bed: FaultBed, _ operation: Operation) throws -> FaultBedState? {
    guard let folder = operation.exchangeFolder else { return nil }
    let cloud = bed.root.appending(path: folder)
    let other = try FaultBed()
    guard FileManager.default.fileExists(atPath: cloud.path) else {
      return try FaultBedState(of: other, operation.documents)
    }
    let copy = other.root.appending(path: folder)
    try FileManager.default.copyItem(at: cloud, to: copy)
    let device = try other.device()
    let exchange = try device.store.exchange(device.container, through: copy)
    for failure in exchange.documents.compactMap(\.failure) { throw failure }
    return try FaultBedState(of: other, operation.documents)
  }

  private static func run(
    _ arguments: [String], in bed: FaultBed, countsReads: Bool
  ) throws -> [Call] {
    let run = try bed.run(arguments, isLogged: true, countsReads: countsReads)
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
