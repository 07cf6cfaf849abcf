/// A value of a property list, regardless of its form.
enum PropertyListValue: Equatable {
  case null
  case bool(Bool)
  case integer(Int128)
  case float(Float)
  case real(Double)
  /// The seconds since the start of 2001.
  case date(Double)
  case data([UInt8])
  /// A text in UTF-8.
  case string([UInt8])
  /// A reference in an archive of objects.
  case uid(UInt64)
  case array([PropertyListValue])
  case set([PropertyListValue])
  case dictionary([(key: [UInt8], value: PropertyListValue)])

  static func == (one: PropertyListValue, other: PropertyListValue) -> Bool {
    one.text(isExtended: true) == other.text(isExtended: true)
  }
}

/// Dates in the form of property lists in XML.
enum PropertyListDate {
  private static let start = 978_307_200

  /// Returns a date in XML's form; in seconds, if it has fractions of a second or is out of range.
  static func text(_ seconds: Double) -> String {
    guard let whole = Int(exactly: seconds), (-62_000_000_000...200_000_000_000).contains(whole)
    else { return PropertyListNumber.text(seconds) }
    let time = whole + start
    let days = Int((Double(time) / 86400).rounded(.down))
    let rest = time - days * 86400
    // Converts days to a date, with years that start in March.
    let day = days + 719_468
    let era = (day >= 0 ? day : day - 146_096) / 146_097
    let ofEra = day - era * 146_097
    let years = (ofEra - ofEra / 1460 + ofEra / 36524 - ofEra / 146_096) / 365
    let ofYear = ofEra - (365 * years + years / 4 - years / 100)
    let march = (5 * ofYear + 2) / 153
    let month = march < 10 ? march + 3 : march - 9
    let year = years + era * 400 + (month <= 2 ? 1 : 0)
    func padded(_ number: Int, _ width: Int = 2) -> String {
      String(repeating: "0", count: max(0, width - String(number).count)) + String(number)
    }
    let date = "\(padded(year, 4))-\(padded(month))-\(padded(ofYear - (153 * march + 2) / 5 + 1))"
    return "\(date)T\(padded(rest / 3600)):\(padded(rest / 60 % 60)):\(padded(rest % 60))Z"
  }

  static func seconds(_ text: String) -> Double? {
    let parts = text.split { "-T:Z".contains($0) }.map { Int($0) }
    guard text.hasSuffix("Z"), parts.count == 6, text.utf8.count == 20 else {
      return PropertyListNumber.double(text)
    }
    let numbers = parts.compactMap(\.self)
    guard numbers.count == 6, (1...12).contains(numbers[1]), (1...31).contains(numbers[2]),
      numbers[3] < 24, numbers[4] < 60, numbers[5] < 60
    else { return nil }
    let year = numbers[1] <= 2 ? numbers[0] - 1 : numbers[0]
    let era = (year >= 0 ? year : year - 399) / 400
    let ofEra = year - era * 400
    let march = numbers[1] > 2 ? numbers[1] - 3 : numbers[1] + 9
    let ofYear = (153 * march + 2) / 5 + numbers[2] - 1
    let days = era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
    return Double(days * 86400 + numbers[3] * 3600 + numbers[4] * 60 + numbers[5] - start)
  }
}

/// Numbers as texts that represent every bit.
enum PropertyListNumber {
  private static let mark = "bits:"

  static func text(_ number: Double) -> String {
    Double(number.description)?.bitPattern == number.bitPattern
      ? number.description : mark + String(number.bitPattern, radix: 16)
  }

  static func text(_ number: Float) -> String {
    Float(number.description)?.bitPattern == number.bitPattern
      ? number.description : mark + String(number.bitPattern, radix: 16)
  }

  static func double(_ text: String) -> Double? {
    guard text.hasPrefix(mark) else { return Double(text) }
    return UInt64(text.dropFirst(mark.count), radix: 16).map(Double.init(bitPattern:))
  }

  static func float(_ text: String) -> Float? {
    guard text.hasPrefix(mark) else { return Float(text) }
    return UInt32(text.dropFirst(mark.count), radix: 16).map(Float.init(bitPattern:))
  }
}
