import DocumentTestSupport
import Foundation

/// A program of the tests that does what it is given, line by line, and reports each step; it goes on where the test lets it.
final class TestProgram {
  private let process: ChildProcess
  private let scratch: ScratchFolder
  private var isOver = false

  /// Starts it.
  ///
  /// - Parameters:
  ///   - lines: what it does; see `CoordinationProgram`.
  ///   - scratch: a folder of its own.
  init(_ lines: [String]) throws {
    scratch = try ScratchFolder()
    try scratch.write(lines.map { $0 + "\n" }.joined(), to: "in")
    for name in ["out", "err"] { try scratch.write("", to: name) }
    process = try ChildProcess(
      BuiltProgram.url(of: "CoordinationProgram").path, [], in: nil,
      environment: ["PATH": "/usr/bin:/bin"],
      files: .init(input: scratch["in"], output: scratch["out"], errorOutput: scratch["err"]))
  }

  deinit {
    guard !isOver else { return }
    process.kill()
    _ = process.wait()
  }

  var identifier: Int32 { process.identifier }

  /// What it has reported.
  var reports: [String] {
    get throws { try scratch.read("out").split(separator: "\n").map(String.init) }
  }

  /// Waits until it has reported something.
  func hasReported(_ line: String, within limit: Duration = .seconds(60)) throws -> Bool {
    try eventually(within: limit, every: .milliseconds(2)) { try reports.contains(line) }
  }

  func signal(_ number: Int32) { process.signal(number) }

  func kill() {
    process.kill()
    _ = process.wait()
    isOver = true
  }

  /// Waits for its end.
  func end() throws -> [String] {
    let ending = process.wait(atMost: 60)
    isOver = ending != nil
    return try reports
  }
}
