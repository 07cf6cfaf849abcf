internal import DocumentTestSupport
internal import DocumentVersions
internal import Foundation
internal import Testing

@testable internal import docversions

/// The line that shows the progress of a long operation, and stopping one.
///
/// The long operation here is waiting for a store's lock, which the test holds.
@Suite(.blocks)
struct ProgressTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.write("a tent\n", to: "trip.md")
    try program.run("save", "trip.md")
    try program.write("a tent and a rope\n", to: "trip.md")
  }

  private static let isTerminalPossible: Bool = {
    do { return try Command.run("script", ["--version"]).exitCode == 0 } catch { return false }
  }()

  private var lock: String {
    program.folder[".docversions/documents/trip.md.git/lock"].path
  }

  /// Runs a line on a separate terminal while a command locks the store.
  private func onTerminal(_ line: String, lockedBy holder: String) throws -> Command.Result {
    let command = "'\(Program.path)' \(line)".replacingOccurrences(of: "\"", with: "\\\"")
    return try program.shell(
      """
      \(Program.holding(lock, while: holder))
      script -f -q -e -c "\(command)" typescript </dev/null
      code=$?; wait; exit $code
      """)
  }

  @Test(.enabled(if: isTerminalPossible))
  func `a line appears after a second, and is gone at the end`() throws {
    // Until the line is there, or the program waits no longer.
    let result = try onTerminal(
      "save trip.md", lockedBy: "until grep -qs -e Saving -e error typescript; do sleep 0.02; done")
    #expect(result.exitCode == 0)
    #expect(result.output.contains("\rSaving trip.md…\u{1B}[K"))
    let end = result.output.components(separatedBy: "\r\u{1B}[K").last ?? ""
    #expect(end.hasPrefix("Saved trip.md"), "\(result.output.debugDescription)")
  }

  @Test(.enabled(if: isTerminalPossible))
  func `what is quick says nothing`() throws {
    // On a busy machine, nothing may be fast for a while.
    let isSilent = try eventually(every: .seconds(1)) {
      let result = try onTerminal("save trip.md", lockedBy: ":")
      #expect(result.exitCode == 0)
      return !result.output.contains("Saving") && !result.output.contains("\u{1B}[K")
    }
    #expect(isSilent)
  }

  @Test(.enabled(if: isTerminalPossible), arguments: ["save trip.md --json", "save trip.md 2>err"])
  func `a program that reads the answer sees no line`(_ line: String) throws {
    let result = try onTerminal(line, lockedBy: "exec sleep 1.5")
    #expect(result.exitCode == 0)
    #expect(!result.output.contains("Saving"))
    #expect(!result.output.contains("\u{1B}[K"))
  }

  @Test func `a pipe sees no line`() throws {
    let result = try program.shell(
      "\(Program.holding(lock, seconds: 1.5)); docversions save trip.md 2>&1 | cat; wait")
    #expect(result.output.hasPrefix("Saved trip.md"))
    #expect(!result.output.contains("\u{1B}"))
  }

  @Test(
    arguments: [
      (0, 0, 0, "Saving film.mov…"),
      (
        412_000_000, 1_000_000_000, 95_000_000,
        "Saving film.mov  412 MB of 1.0 GB · 95 MB/s · 6 s left"
      ),
      (412_000_000, 0, 95_000_000, "Saving film.mov  412 MB · 95 MB/s"),
      (5_000, 10_000, 0, "Saving film.mov  5.0 kB of 10 kB"),
      (1, 999_499, 1, "Saving film.mov  1 bytes of 999 kB · 1 bytes/s · 278 h left"),
      (1, .max, 1, "Saving film.mov  1 bytes of 9223372 TB · 1 bytes/s · very long left"),
      (10, 10, 5, "Saving film.mov  10 bytes of 10 bytes · 5 bytes/s"),
    ] as [(Int64, Int64, Double, String)])
  func `the line says what is known`(_ done: Int64, _ total: Int64, _ speed: Double, _ line: String)
  {
    #expect(
      ProgressLine.text("Saving film.mov", done: done, of: total, bytesPerSecond: speed) == line)
  }

  @Test func `the line of a transfer names objects, bytes and speed`() {
    var transfer = OperationProgress.Transfer(
      isSending: true, objects: 3_012, totalBytes: 12_000_000)
    transfer.bytes = 4_200_000
    #expect(
      ProgressLine.text("Syncing with origin", transfer, bytesPerSecond: 1_100_000)
        == "Syncing with origin  sending 3012 objects · 4.2 MB of 12 MB · 1.1 MB/s · 7 s left")
    let start = OperationProgress.Transfer(isSending: false)
    #expect(
      ProgressLine.text("Cloning x", start, bytesPerSecond: 0) == "Cloning x  receiving · 0 bytes")
  }

  @Test(arguments: [("INT", 130), ("TERM", 143)] as [(String, Int32)])
  func `a signal ends what cannot be stopped between two pieces soon`(
    _ signal: String, _ code: Int32
  ) throws {
    let result = try program.shell(
      """
      \(Program.holding(lock, seconds: Program.untilEnded)); holder=$!
      '\(Program.path)' save trip.md & \(Program.waiting(for: lock)); kill -\(signal) $!
      wait $!; code=$?; kill $holder; exit $code
      """)
    #expect(result.exitCode == code)
    #expect(try program.read("trip.md") == "a tent and a rope\n")
    #expect(try program.versions(of: "trip.md").count == 1)
  }

  @Test(arguments: [("INT", 130), ("TERM", 143)] as [(String, Int32)])
  func `a second signal ends it at once`(_ signal: String, _ code: Int32) throws {
    // One signal ends it two seconds later, and so does a second one where the machine is busy.
    let isAtOnce = try eventually {
      let result = try program.shell(
        """
        \(Program.holding(lock, seconds: Program.untilEnded)); holder=$!
        '\(Program.path)' save trip.md & \(Program.waiting(for: lock)); kill -\(signal) $!; sleep 0.1; kill -\(signal) $!
        SECONDS=0; wait $!; code=$?; kill $holder; [ $SECONDS -le 1 ] || exit 99; exit $code
        """)
      return result.exitCode == code
    }
    #expect(isAtOnce)
  }

  @Test func `what was stopped says that no document is half changed`() {
    let failure = CommandFailure(CancellationError())
    #expect(failure.status == .interrupted)
    #expect(failure.message == "interrupted; no document is half changed")
    #expect(CommandFailure.isKnown(CancellationError()))
  }

  @Test func `of several documents none is begun after a stop`() {
    var begun = 0
    let documents = ["a", "b"].compactMap(DocumentArgument.init(argument:))
    let results = EachDocument(isJSON: true).run(documents) { _ -> Int in
      begun += 1
      throw CancellationError()
    }
    #expect(begun == 1)
    #expect(results.status == .interrupted)
  }
}
