import DocumentTestSupport
import Foundation

/// A test program that follows lines one by one and reports each step; it continues when the test lets it.
final class TestProgram {
  private let process: RunningProgram

  /// Starts it.
  ///
  /// - Parameter lines: its instructions; see `CoordinationProgram`.
  init(_ lines: [String]) throws {
    process = try RunningProgram(
      BuiltProgram.url(of: "CoordinationProgram").path, [],
      input: lines.map { $0 + "\n" }.joined())
  }

  var identifier: Int32 { process.identifier }

  /// Its reports so far.
  var reports: [String] {
    get throws { try process.output.split(separator: "\n").map(String.init) }
  }

  /// Waits until it has reported something.
  func hasReported(_ line: String, within limit: Duration = .generous) throws -> Bool {
    try eventually(within: limit, every: .milliseconds(2)) { try reports.contains(line) }
  }

  func signal(_ number: Int32) { process.signal(number) }

  func kill() {
    process.kill()
    _ = process.hasEnded(within: .generous)
  }

  /// Waits for its end.
  func end() throws -> [String] {
    _ = try process.wait(atMost: .generous)
    return try reports
  }
}
