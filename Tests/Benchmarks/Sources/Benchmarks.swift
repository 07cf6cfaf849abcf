import ArgumentParser
import Foundation

/// Times what people do with documents, and the same done with git, in turn.
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

/// One thing to do, and what it is compared with.
struct Line: Sendable {
  let name: String
  let peer: String
  /// The most that ours may take, as a multiple of what the peer takes.
  let target: Double
  /// What the ratio is of.
  var counts: Counted = .clock
  /// Makes the documents; gives back what is timed: ours and the peer's, each for the run of a number.
  let prepare: @Sendable (Bench) async throws -> (ours: Timed, peer: Timed)

  enum Counted {
    case clock
    /// For what is over so soon that a clock mostly sees the machine's other work.
    case processor
    /// What is counted in this unit; see ``Timing/amount``.
    case amount(String)
  }

  typealias Timed = (Int) async throws -> Timing

  /// Runs both in turn.
  ///
  /// - Returns: besides the times the memory of ours, in a run of its own.
  func measure(
    _ bench: Bench, _ runs: Int
  ) async throws -> (ours: [Timing], peer: [Timing], memory: Double) {
    let (ours, peer) = try await prepare(bench)
    var timings: (ours: [Timing], peer: [Timing]) = ([], [])
    for number in 0..<runs {
      // Who goes first has the cold caches: that takes turns, too.
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
