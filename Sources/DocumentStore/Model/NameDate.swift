internal import Foundation

/// A date in the name of a conflicted copy.
struct NameDate {
  /// The form of a date, which distinguishes some tools.
  enum Form {
    /// `2026-11-21`.
    case day
    /// `2026-11-21 025448`, with a time in any form.
    case time
    /// `202611210254`.
    case digits
  }

  let form: Form
  private let parts: LocalCalendar.Parts

  init(_ date: (year: Int, month: Int, day: Int), _ time: (hour: Int, minute: Int, second: Int)?) {
    form = time == nil ? .day : .time
    parts = LocalCalendar.Parts(
      year: date.year, month: date.month, day: date.day, hour: time?.hour ?? 0,
      minute: time?.minute ?? 0, second: time?.second ?? 0)
  }

  private init(form: Form, _ parts: LocalCalendar.Parts) {
    self.form = form
    self.parts = parts
  }

  /// The moment, with the time read as UTC; `nil` if no calendar has the date.
  var moment: Date? {
    LocalCalendar.has(parts) ? LocalCalendar.utc.date(of: parts) : nil
  }

  /// Reads `Nov-21-0254-2026`, also with seconds.
  init?(synology text: ArraySlice<UInt8>) {
    let fields = text.split(separator: UInt8(ascii: "-")).map {
      String(decoding: $0, as: UTF8.self)
    }
    guard fields.count == 4, let month = Self.months.firstIndex(of: fields[0].lowercased()),
      let day = Int(fields[1]), [4, 6].contains(fields[2].utf8.count), let time = Int(fields[2]),
      let year = Int(fields[3])
    else { return nil }
    let seconds = fields[2].utf8.count == 6 ? time : time * 100
    self.init(
      (year, month + 1, day), (seconds / 10_000, seconds / 100 % 100, seconds % 100))
  }

  private static let months = [
    "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
  ]

  /// Finds the last date in a text.
  ///
  /// - Returns: the text before the date, and the date; the whole text and nil if there is no date.
  static func last(in text: [Unicode.Scalar]) -> (before: [Unicode.Scalar], date: NameDate?) {
    // A date is ASCII; other scalars only stand for themselves.
    let bytes = text.map { $0.isASCII ? UInt8($0.value) : 0x80 }
    for start in bytes.indices.reversed() where bytes[start].isDigit {
      let isFirst = start == 0 || !bytes[start - 1].isDigit
      guard isFirst, let date = date(in: bytes[start...]) else { continue }
      var end = start
      while end > 0, bytes[end - 1] == UInt8(ascii: " ") { end -= 1 }
      return (Array(text[..<end]), date)
    }
    return (text, nil)
  }

  /// Returns the date at the beginning of a text; it may be followed by a number, which a tool adds to
  /// further copies.
  private static func date(in text: ArraySlice<UInt8>) -> NameDate? {
    var scanner = NameScanner(text)
    if let date = scanner.date() {
      if scanner.skip(" ") || scanner.skip("-") || scanner.skip("T") || scanner.skip("_"),
        let time = scanner.time()
      {
        return NameDate(date, time)
      }
      return NameDate(date, nil)
    }
    scanner = NameScanner(text)
    guard let digits = scanner.take(while: { $0.isDigit }), [12, 14].contains(digits.utf8.count)
    else { return nil }
    var compact = NameScanner(Array(digits.utf8)[...])
    guard let date = compact.compactDate() else { return nil }
    let time = compact.rest.count == 4 ? compact.rest + [48, 48] : compact.rest
    var rest = NameScanner(time)
    guard let time = rest.compactTime() else { return nil }
    var found = NameDate(date, time)
    found = NameDate(form: .digits, found.parts)
    return found
  }
}

/// Scans the parts of a name, byte by byte.
struct NameScanner {
  private(set) var rest: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) {
    rest = bytes
  }

  /// True if the rest is empty, or an extension.
  var isAtExtension: Bool { rest.isEmpty || rest.first == UInt8(ascii: ".") && rest.count > 1 }

  /// Skips a text; returns false if the rest doesn't begin with it.
  mutating func skip(_ text: String) -> Bool {
    guard rest.starts(with: text.utf8) else { return false }
    rest = rest.dropFirst(text.utf8.count)
    return true
  }

  /// Takes the next bytes that satisfy a condition; `nil` if there is none.
  mutating func take(while fits: (UInt8) -> Bool) -> String? {
    let taken = rest.prefix(while: fits)
    guard !taken.isEmpty else { return nil }
    rest = rest.dropFirst(taken.count)
    return String(decoding: taken, as: UTF8.self)
  }

  /// Takes the text before the first place that can be read; `nil` if that place is the beginning, or doesn't
  /// exist.
  mutating func text(before reads: (inout NameScanner) -> Bool) -> String? {
    for count in 0..<rest.count {
      var scanner = NameScanner(rest.dropFirst(count))
      guard reads(&scanner) else { continue }
      let text = rest.prefix(count)
      rest = rest.dropFirst(count)
      return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
    return nil
  }

  /// Takes a number with a fixed number of digits.
  mutating func number(digits: Int) -> Int? {
    let taken = rest.prefix(digits)
    guard taken.count == digits, taken.allSatisfy(\.isDigit) else { return nil }
    rest = rest.dropFirst(digits)
    return taken.reduce(0) { $0 * 10 + Int($1 - 48) }
  }

  /// Takes `20261121`.
  mutating func compactDate() -> (year: Int, month: Int, day: Int)? {
    guard let year = number(digits: 4), let month = number(digits: 2), let day = number(digits: 2)
    else { return nil }
    return (year, month, day)
  }

  /// Takes `025448`.
  mutating func compactTime() -> (hour: Int, minute: Int, second: Int)? {
    guard let hour = number(digits: 2), let minute = number(digits: 2),
      let second = number(digits: 2)
    else { return nil }
    return (hour, minute, second)
  }

  /// Takes `2026-11-21`.
  mutating func date() -> (year: Int, month: Int, day: Int)? {
    guard let year = number(digits: 4), skip("-"), let month = number(digits: 2), skip("-"),
      let day = number(digits: 2)
    else { return nil }
    return (year, month, day)
  }

  /// Takes `025448`, `02-54-48`, `02.54`, `02:54:48` or `02_54`.
  mutating func time() -> (hour: Int, minute: Int, second: Int)? {
    guard let hour = number(digits: 2) else { return nil }
    let signs = ["-", ".", ":", "_"]
    guard let sign = signs.first(where: { skip($0) }) else {
      guard let minute = number(digits: 2) else { return nil }
      return (hour, minute, number(digits: 2) ?? 0)
    }
    guard let minute = number(digits: 2) else { return nil }
    return (hour, minute, skip(sign) ? number(digits: 2) ?? 0 : 0)
  }
}

extension UInt8 {
  var isDigit: Bool { (48...57).contains(self) }
  var isUppercaseOrDigit: Bool { isDigit || (65...90).contains(self) }
  var isLowercaseHexadecimal: Bool { isDigit || (97...102).contains(self) }
}

extension RandomAccessCollection<UInt8> where Index == Int {
  /// Returns the last range of a text.
  func lastRange(of text: String) -> Range<Int>? {
    let text = Array(text.utf8)
    guard let first = text.first, count >= text.count else { return nil }
    var start = endIndex - text.count
    while start >= startIndex {
      if self[start] == first, self[start...].starts(with: text) {
        return start..<(start + text.count)
      }
      start -= 1
    }
    return nil
  }

  func contains(subsequence text: String) -> Bool { lastRange(of: text) != nil }

  func hasSuffix(_ text: String) -> Bool { suffix(text.utf8.count).elementsEqual(text.utf8) }
}

extension [UInt8] {
  /// The name before its extension, and the extension with its dot; the first dot of a hidden file’s name
  /// doesn't begin an extension.
  var splitAtExtension: (stem: ArraySlice<UInt8>, ending: ArraySlice<UInt8>) {
    guard let dot = lastIndex(of: UInt8(ascii: ".")), dot > 0 else { return (self[...], []) }
    return (self[..<dot], self[dot...])
  }
}
