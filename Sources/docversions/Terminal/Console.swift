internal import DocumentVersions
internal import Foundation
internal import Synchronization

/// Standard output and standard error: their properties, and writing to them.
enum Console {
  /// True if standard output is a terminal.
  static let isTerminal = isatty(STDOUT_FILENO) == 1

  /// True if standard error is a terminal.
  static let isErrorTerminal = isatty(STDERR_FILENO) == 1

  /// The number of columns that a line may have.
  static let width = isTerminal ? columns(of: STDOUT_FILENO) ?? .max : .max

  /// The number of columns that a line on standard error may have.
  static var errorWidth: Int { columns(of: STDERR_FILENO) ?? 80 }

  private static func columns(of file: Int32) -> Int? {
    var size = winsize()
    guard ioctl(file, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  /// True if there are colors: on a terminal that has some, unless NO_COLOR is set.
  static let hasColours =
    isTerminal && (getenv("NO_COLOR").map { $0.pointee == 0 } ?? true)
    && getenv("TERM").map { String(cString: $0) } != "dumb"

  /// The first error in writing a line for a person; `nil` if there was none.
  private static let failure = Mutex<Int32?>(nil)

  /// Writes a line for a person to standard output; ``check()`` reports a failure.
  static func print(_ line: String = "") {
    record(put(Array((line + "\n").utf8)[...], to: STDOUT_FILENO))
  }

  /// Writes many lines for a person to standard output.
  static func print(lines: [String]) {
    var bytes: [UInt8] = []
    for line in lines {
      bytes += line.utf8
      bytes.append(UInt8(ascii: "\n"))
    }
    record(put(bytes[...], to: STDOUT_FILENO))
  }

  /// Reports that lines for a person couldn't be written.
  ///
  /// - Throws: ``CommandFailure``, but not for a pipe that is no longer read.
  static func check() throws {
    if let cause = failure.withLock({ $0 }) { throw cannotWrite(cause) }
  }

  private static func record(_ cause: Int32?) {
    guard let cause, cause != EPIPE else { return }
    failure.withLock { $0 = $0 ?? cause }
  }

  private static func cannotWrite(_ cause: Int32) -> CommandFailure {
    CommandFailure(
      .refused, code: FileError.Code.system.rawValue,
      "Standard output can’t be written: \(String(cString: strerror(cause))).")
  }

  /// Writes a question to standard output, without ending the line.
  static func prompt(_ text: String) {
    _ = put(Array(text.utf8)[...], to: STDOUT_FILENO)
  }

  /// Writes a line to standard error.
  static func complain(_ line: String) {
    _ = put(Array((line + "\n").utf8)[...], to: STDERR_FILENO)
  }

  /// Writes text to standard error that will be redrawn; only ``ProgressLine`` does so.
  static func draw(_ text: String) {
    _ = put(Array(text.utf8)[...], to: STDERR_FILENO, isDrawing: true)
  }

  /// Writes bytes to standard output, as they are.
  ///
  /// - Throws: ``CommandFailure`` when not all of them arrive, but not for a pipe that is no longer read.
  static func write(_ bytes: ArraySlice<UInt8>) throws {
    guard let cause = put(bytes, to: STDOUT_FILENO), cause != EPIPE else { return }
    throw cannotWrite(cause)
  }

  /// Writes one JSON object to standard output.
  static func print(json value: some Encodable) throws {
    try write(Array((JSON.text(value) + "\n").utf8)[...])
  }

  /// Answers a program with a report, or a person with the lines that render it.
  static func answer(
    _ report: some Encodable, asJSON isJSON: Bool, _ lines: @autoclosure () throws -> [String]
  ) throws {
    if isJSON { try print(json: report) } else { print(lines: try lines()) }
  }

  /// Writes all bytes; returns the system's error if that fails.
  private static func put(
    _ bytes: ArraySlice<UInt8>, to file: Int32, isDrawing: Bool = false
  ) -> Int32? {
    if !isDrawing { ProgressLine.clear() }
    var rest = bytes
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Foundation.write(file, $0.baseAddress, $0.count) }
      if count < 0 && errno == EINTR { continue }
      guard count > 0 else { return errno }
      rest = rest.dropFirst(count)
    }
    return nil
  }
}
