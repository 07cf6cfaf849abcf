import Foundation

/// What something took.
struct Timing {
  /// Milliseconds on the clock.
  var wall: Double
  /// Milliseconds on processors.
  var processor: Double
  /// Bytes on the disk, where these are what counts.
  var bytes = 0.0

  /// The medians of each.
  static func median(_ timings: [Timing]) -> Timing {
    func middle(_ values: [Double]) -> Double {
      let sorted = values.sorted()
      return sorted.isEmpty ? .nan : sorted[sorted.count / 2]
    }
    return Timing(
      wall: middle(timings.map(\.wall)), processor: middle(timings.map(\.processor)),
      bytes: middle(timings.map(\.bytes)))
  }

  static func + (left: Timing, right: Timing) -> Timing {
    Timing(
      wall: left.wall + right.wall, processor: left.processor + right.processor,
      bytes: left.bytes + right.bytes)
  }

  /// Times something done in this process.
  static func of(_ body: () throws -> Void) rethrows -> Timing {
    let (clock, used) = (ContinuousClock.now, processorTime())
    try body()
    return Timing(
      wall: (ContinuousClock.now - clock) / .milliseconds(1),
      processor: processorTime() - used)
  }

  /// Times a program from its start to its end.
  @discardableResult
  static func of(
    _ program: String, _ arguments: [String], in folder: URL, environment: [String: String]
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
    while wait4(process, &status, 0, &usage) < 0 && errno == EINTR {}
    guard status == 0 else {
      throw BenchError("\(program) \(arguments.joined(separator: " ")) ended with \(status)")
    }
    return Timing(
      wall: (ContinuousClock.now - clock) / .milliseconds(1), processor: processorTime(of: usage))
  }

  /// Milliseconds that this process kept processors busy.
  private static func processorTime() -> Double {
    var usage = rusage()
    #if canImport(Glibc)
    getrusage(RUSAGE_SELF.rawValue, &usage)
    #else
    getrusage(RUSAGE_SELF, &usage)
    #endif
    return processorTime(of: usage)
  }

  private static func processorTime(of usage: rusage) -> Double {
    func milliseconds(_ time: timeval) -> Double {
      Double(time.tv_sec) * 1_000 + Double(time.tv_usec) / 1_000
    }
    return milliseconds(usage.ru_utime) + milliseconds(usage.ru_stime)
  }
}

struct BenchError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
