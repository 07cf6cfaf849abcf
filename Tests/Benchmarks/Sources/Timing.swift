import Foundation

/// The resources that an operation took.
struct Timing {
  /// Milliseconds on the clock.
  var wall: Double
  /// Milliseconds on processors.
  var processor: Double
  /// The peak memory in MB: of the program if that was measured, or the additional memory of this process.
  var memory = 0.0
  /// The counted amount, for lines that don't measure time.
  var amount = 0.0
  /// The number of starts of the program; 0 for work in this process.
  var starts = 0

  /// Counts instead of timing.
  static func counted(_ amount: Double) -> Timing {
    Timing(wall: 0, processor: 0, amount: amount)
  }

  /// Returns the median of each quantity.
  static func median(_ timings: [Timing]) -> Timing {
    func middle(_ values: [Double]) -> Double {
      let sorted = values.sorted()
      return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
    }
    return Timing(
      wall: middle(timings.map(\.wall)), processor: middle(timings.map(\.processor)),
      memory: middle(timings.map(\.memory)), amount: middle(timings.map(\.amount)),
      starts: timings.map(\.starts).max() ?? 0)
  }

  /// Returns the timing without the start of the program.
  ///
  /// - Parameter start: the timing of one start.
  func net(ofStart start: Timing) -> Timing {
    var net = self
    net.wall -= Double(starts) * start.wall
    net.processor -= Double(starts) * start.processor
    return net
  }

  static func + (left: Timing, right: Timing) -> Timing {
    Timing(
      wall: left.wall + right.wall, processor: left.processor + right.processor,
      memory: max(left.memory, right.memory), amount: left.amount + right.amount,
      starts: left.starts + right.starts)
  }

  /// Times something done in this process.
  static func of(_ body: () async throws -> Void) async rethrows -> Timing {
    Memory.forgetPeak()
    let before = Memory.peak()
    let (clock, used) = (ContinuousClock.now, processorTime())
    try await body()
    return Timing(
      wall: (ContinuousClock.now - clock) / .milliseconds(1),
      processor: processorTime() - used, memory: Memory.peak() - before)
  }

  /// Times a program from its start to its end.
  ///
  /// - Parameter watchesMemory: whether to measure its memory repeatedly, which takes additional time.
  @discardableResult
  static func of(
    _ program: String, _ arguments: [String], in folder: URL, environment: [String: String],
    watchesMemory: Bool = false
  ) throws -> Timing {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
    guard FileManager.default.changeCurrentDirectoryPath(folder.path) else {
      throw BenchError("can’t go to \(folder.path)")
    }
    var words = ([program] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    let clock = ContinuousClock.now
    var process = pid_t()
    let failure = posix_spawnp(&process, program, &actions, nil, &words, &variables)
    guard failure == 0 else { throw BenchError("can’t start \(program): error \(failure)") }
    var status: Int32 = 0
    var usage = rusage()
    var memory = 0.0
    while true {
      let ended = wait4(process, &status, watchesMemory ? WNOHANG : 0, &usage)
      if ended == process || ended < 0 && errno != EINTR { break }
      if watchesMemory { memory = max(memory, Memory.peak(ofProcess: process)) }
      if ended == 0 { usleep(300) }
    }
    guard status == 0 else {
      throw BenchError("\(program) \(arguments.joined(separator: " ")) ended with \(status)")
    }
    return Timing(
      wall: (ContinuousClock.now - clock) / .milliseconds(1), processor: processorTime(of: usage),
      memory: Memory.isToldAtTheEnd ? Memory.megabytes(of: usage) : memory)
  }

  /// Returns the processor time of this process in milliseconds.
  private static func processorTime() -> Double { processorTime(of: .ofThisProcess) }

  private static func processorTime(of usage: rusage) -> Double {
    func milliseconds(_ time: timeval) -> Double {
      Double(time.tv_sec) * 1_000 + Double(time.tv_usec) / 1_000
    }
    return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
  }
}

/// The peak use of memory, in MB.
private enum Memory {
  /// Returns the peak of a running process, or of this one since ``forgetPeak()``.
  static func peak(ofProcess process: pid_t = getpid()) -> Double {
    #if os(Linux)
    let line = FileManager.default.contents(atPath: "/proc/\(process)/status")
      .map { String(decoding: $0, as: UTF8.self) }?
      .split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kilobytes = line?.split(separator: " ").dropFirst().first.flatMap { Double($0) }
    return (kilobytes ?? 0) * 1_024 / 1e6
    #else
    return megabytes(of: .ofThisProcess)
    #endif
  }

  /// False on Linux, where the memory of the starting program counts as that of the started one.
  static var isToldAtTheEnd: Bool {
    #if os(Linux)
    false
    #else
    true
    #endif
  }

  static func megabytes(of usage: rusage) -> Double { Double(usage.ru_maxrss) / 1e6 }

  /// Resets the peak, if that is possible.
  static func forgetPeak() {
    #if os(Linux)
    let file = open("/proc/self/clear_refs", O_WRONLY)
    guard file >= 0 else { return }
    _ = write(file, "5", 1)
    close(file)
    #endif
  }
}

extension rusage {
  static var ofThisProcess: rusage {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(RUSAGE_SELF.rawValue, &usage)
    #else
    getrusage(RUSAGE_SELF, &usage)
    #endif
    return usage
  }
}

struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
