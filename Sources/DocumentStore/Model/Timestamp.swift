package import Foundation

/// Times for programs: ISO 8601, in UTC.
package enum Timestamp {
  /// Returns the time as text, with milliseconds.
  package static func text(_ date: Date) -> String {
    text(date, hasMilliseconds: true)
  }

  /// Returns the time as text, without milliseconds.
  package static func textInSeconds(_ date: Date) -> String {
    text(date, hasMilliseconds: false)
  }

  private static func text(_ date: Date, hasMilliseconds: Bool) -> String {
    let milliseconds = (date.timeIntervalSince1970 * 1_000).rounded()
    let seconds = (milliseconds / 1_000).rounded(.down)
    let parts = LocalCalendar.utc.parts(of: Date(timeIntervalSince1970: seconds))
    var text: [UInt8] = []
    text.reserveCapacity(24)
    text.append(parts.year, digits: 4, then: "-")
    text.append(parts.month, digits: 2, then: "-")
    text.append(parts.day, digits: 2, then: "T")
    text.append(parts.hour, digits: 2, then: ":")
    text.append(parts.minute, digits: 2, then: ":")
    text.append(parts.second, digits: 2, then: hasMilliseconds ? "." : "Z")
    if hasMilliseconds {
      text.append(Int(milliseconds - seconds * 1_000), digits: 3, then: "Z")
    }
    return String(decoding: text, as: UTF8.self)
  }
}

extension [UInt8] {
  /// Appends a number, padded with zeros to a number of digits, and a character.
  fileprivate mutating func append(_ number: Int, digits: Int, then sign: Unicode.Scalar) {
    var unit = 1
    for _ in 1..<digits { unit *= 10 }
    if (0..<10 * unit).contains(number) {
      while unit > 0 {
        append(UInt8(ascii: "0") + UInt8(number / unit % 10))
        unit /= 10
      }
    } else {
      // The year isn't one of up to four digits.
      self += "\(number)".utf8
    }
    append(UInt8(ascii: sign))
  }
}
