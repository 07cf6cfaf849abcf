import ArgumentParser
import Foundation

/// Times common operations on documents and the same operations with git, in turn.
@main
struct Benchmarks: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "benchmarks",
    abstract: "Times docversions beside git: medians of interleaved runs, as ratios.")

  @Option(help: "Only lines whose name has this text.")
  var only = ""

  @Option(help: "How often each line is run.")
  var runs = 11

  @Option(help: "The program.")
  var program = ".build/release/docversions"

  @Option(
    help: """
      Another build of the program: instead of git, each line is compared with it, without the time that either takes \
      to start.
      """)
  var peer: String?

  @Option(help: "A folder for the documents, on the disk that matters.")
  var folder = NSTemporaryDirectory()

  @Flag(help: "Also 100,000 versions, 10,000 documents and 2 GB: they take a quarter of an hour.")
  var huge = false

  func run() async throws {
    let lines = (huge ? Line.all + Line.huge : Line.all).filter {
      only.isEmpty || $0.name.contains(only)
    }
    let bench = try Bench(program: program, folder: folder)
    defer { bench.remove() }
    if let peer {
      let other = try Bench(program: peer, folder: folder)
      defer { other.remove() }
      try await Programs(new: bench, old: other, runs: runs).compare(lines)
      return
    }
    print(Table.head)
    for line in lines {
      try bench.fresh(line.name)
      print(Table.row(line, try await line.measure(bench, runs)))
    }
  }
}

/// An operation, and the peer that it is compared with.
struct Line: Sendable {
  let name: String
  let peer: String
  /// The maximum of ours, as a multiple of the peer.
  let target: Double
  /// The measured quantity of the ratio.
  var counts: Counted = .clock
  /// Creates the documents, and returns the timed closures, ours and the peer's, which receive the number of
  /// the run.
  let prepare: @Sendable (Bench) async throws -> (ours: Timed, peer: Timed)

  enum Counted {
    case clock
    /// The processor time, for operations that are so short that a clock mostly shows the machine's other
    /// work.
    case processor
    /// An amount in this unit; see ``Timing/amount``.
    case amount(String)
  }

  typealias Timed = (Int) async throws -> Timing

  /// Runs both in turn.
  ///
  /// - Returns: the times, and the memory of ours in a separate run.
  func measure(
    _ bench: Bench, _ runs: Int
  ) async throws -> (ours: [Timing], peer: [Timing], memory: Double) {
    let (ours, peer) = try await prepare(bench)
    var timings: (ours: [Timing], peer: [Timing]) = ([], [])
    for number in 0..<runs {
      // The first one has cold caches, so the order alternates, too.
      if number.isMultiple(of: 2) {
        timings.ours.append(try await ours(number))
        timings.peer.append(try await peer(number))
      } else {
        timings.peer.append(try await peer(number))
        timings.ours.append(try await ours(number))
      }
    }
    bench.watchesMemory = true
    defer { bench.watchesMemory = false }
    return (timings.ours, timings.peer, try await ours(runs).memory)
  }
}

/// The figures as a table in Markdown.
enum Table {
  static let head = """
    | line | beside | target | ratio | ours ms (CPU) | peer ms (CPU) | ours MB |
    | --- | --- | --- | --- | --- | --- | --- |
    """

  static func row(
    _ line: Line, _ timings: (ours: [Timing], peer: [Timing], memory: Double)
  ) -> String {
    let (ours, peer) = (Timing.median(timings.ours), Timing.median(timings.peer))
    let (ratio, unit) =
      switch line.counts {
      case .clock: (ours.wall / peer.wall, "")
      case .processor: (ours.processor / peer.processor, " CPU")
      case .amount(let unit): (ours.amount / peer.amount, " \(unit)")
      }
    let verdict = ratio <= line.target ? "" : " **miss**"
    return
      "| \(line.name) | \(line.peer) | ≤ \(text(line.target))\(unit) | \(text(ratio))\(verdict) "
      + "| \(figures(ours, line)) | \(figures(peer, line)) | \(text(timings.memory)) |"
  }

  private static func figures(_ timing: Timing, _ line: Line) -> String {
    if case .amount(let unit) = line.counts { return "\(text(timing.amount)) \(unit)" }
    return "\(text(timing.wall)) (\(text(timing.processor)))"
  }

  static func text(_ number: Double) -> String {
    number.formatted(.number.precision(.significantDigits(3)).grouping(.never))
  }
}
