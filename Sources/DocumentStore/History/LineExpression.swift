internal import CPCRE2
internal import DocumentFiles

/// A compiled regular expression, which is compared with lines.
///
/// Some expressions take a time that is exponential in the length of a line. PCRE2 counts its steps, and gives up.
final class LineExpression: Sendable {
  private let pattern: String
  // Safe, because PCRE2 only reads compiled code while it matches.
  nonisolated(unsafe) private let code: OpaquePointer
  // Safe, because the limits are set before the first match, and then only read.
  nonisolated(unsafe) private let limits: OpaquePointer

  /// The most memory for a single line, in KiB.
  private static let heapLimit: UInt32 = 256 << 10

  /// - Throws: ``VersionError`` with code `invalidArgument` if the pattern isn't a regular expression.
  init(_ pattern: String) throws {
    var (failure, place) = (Int32(0), 0)
    // Classes such as \w know all letters of Unicode, and bytes that aren't UTF-8 match nothing.
    let options = PCRE2_UCP | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C
    let bytes = Array(pattern.utf8)
    guard let code = pcre2_compile_8(bytes, bytes.count, options, &failure, &place, nil),
      let limits = pcre2_match_context_create_8(nil)
    else {
      throw VersionError(
        .invalidArgument, document: "",
        message: """
          “\(Printable.text(pattern))” isn’t a regular expression: \(Self.message(failure)).
          """)
    }
    pcre2_set_heap_limit_8(limits, Self.heapLimit)
    (self.pattern, self.code, self.limits) = (pattern, code, limits)
  }

  deinit {
    pcre2_code_free_8(code)
    pcre2_match_context_free_8(limits)
  }

  /// Returns the matches in each line.
  ///
  /// - Throws: ``VersionError`` with code `invalidArgument` if a line takes too many steps, or can't be compared.
  func matches(in lines: [ArraySlice<UInt8>]) throws -> [[String]] {
    let result = pcre2_match_data_create_8(1, nil)
    defer { pcre2_match_data_free_8(result) }
    return try lines.map { try matches(in: $0, storingIn: result) }
  }

  private func matches(
    in line: ArraySlice<UInt8>, storingIn result: OpaquePointer?
  ) throws -> [String] {
    var found: [String] = []
    // An array without bytes may have no address.
    let bytes = line + [0]
    try bytes.withUnsafeBufferPointer { bytes in
      var start = 0
      while start <= line.count {
        let code = pcre2_match_8(
          code, bytes.baseAddress, line.count, start, 0, result, limits)
        if code == PCRE2_ERROR_NOMATCH { return }
        guard code >= 0, let ends = pcre2_get_ovector_pointer_8(result) else {
          throw failure(code)
        }
        found.append(String(decoding: bytes[ends[0]..<max(ends[0], ends[1])], as: UTF8.self))
        // After a match without characters, the next one begins after the next character.
        start = ends[1] > start ? ends[1] : start + 1
        while start < line.count, bytes[start] & 0xC0 == 0x80 { start += 1 }
      }
    }
    return found
  }

  private func failure(_ code: Int32) -> VersionError {
    let limits = [PCRE2_ERROR_MATCHLIMIT, PCRE2_ERROR_DEPTHLIMIT, PCRE2_ERROR_HEAPLIMIT]
    let (expression, reason) = (Printable.text(pattern), Self.message(code))
    return limits.contains(code)
      ? VersionError(
        .invalidArgument, document: "",
        message: "The expression “\(expression)” takes too many steps for a line (\(reason)).",
        hint: "Write it without repetitions inside repetitions: “a+$” instead of “(a+)+$”.")
      : VersionError(
        .invalidArgument, document: "",
        message: "The expression “\(expression)” can’t be compared with a line: \(reason).")
  }

  private static func message(_ code: Int32) -> String {
    var message = [UInt8](repeating: 0, count: 256)
    _ = pcre2_get_error_message_8(code, &message, message.count)
    return String(decoding: message.prefix { $0 != 0 }, as: UTF8.self)
  }
}
