import DocumentTestSupport
import Foundation
import Testing

/// A watcher that is running.
final class Watcher {
  private let process: RunningProgram

  init(
    _ program: Program, _ arguments: [String] = [], every: String = "1s",
    environment: [String: String] = [:]
  ) throws {
    process = try RunningProgram(
      Program.path, ["watch", "--every", every] + arguments, in: program.folder.url,
      environment: [
        "DOCVERSIONS_AUTHOR": program.author, "DOCVERSIONS_DEVICE": program.device,
      ].merging(environment) { $1 })
  }

  /// The process's number.
  var identifier: pid_t { process.identifier }

  /// What it has written.
  var text: String {
    get throws { try process.output }
  }

  func waits(for text: String, times: Int = 1) throws -> Bool {
    let isThere = try eventually {
      try self.text.components(separatedBy: text).count > times
    }
    if !isThere { Issue.record("“\(text)” is not in:\n\(try self.text)") }
    return isThere
  }

  /// Ends it by a signal, and returns its exit code.
  func stop() throws -> Int32 {
    process.signal(SIGTERM)
    return try process.wait(atMost: .seconds(60)).exitCode
  }

  /// Stops it for a while, or lets it go on.
  func signal(_ number: Int32) { process.signal(number) }

  /// Ends it at once, as a crash would.
  func kill() throws {
    process.kill()
    _ = try process.wait()
  }
}
