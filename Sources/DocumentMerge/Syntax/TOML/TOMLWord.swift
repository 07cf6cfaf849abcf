/// Numbers, dates, times and Boolean values, as TOML spells them.
struct TOMLWord {
  private var rest: ArraySlice<UInt8>

  /// Returns whether some bytes are such a value.
  static func isValid(_ bytes: ArraySlice<UInt8>) -> Bool {
    let text = String(decoding: bytes, as: UTF8.self)
    if text == "true" || text == "false" { return true }
    return [Self.number, Self.dateTime].contains { read in
      var word = TOMLWord(rest: bytes)
      return read(&word) && word.rest.isEmpty
    }
  }

  private mutating func skip(_ bytes: String) -> Bool {
    guard let first = rest.first, bytes.utf8.contains(first) else { return false }
    rest.removeFirst()
    return true
  }

  // MARK: Numbers

  private static func number(_ word: inout TOMLWord) -> Bool {
    let isSigned = word.skip("+-")
    if word.rest.elementsEqual("inf".utf8) || word.rest.elementsEqual("nan".utf8) {
      word.rest = []
      return true
    }
    for (prefix, digits) in [("0x", "0123456789abcdefABCDEF"), ("0o", "01234567"), ("0b", "01")]
    where word.rest.starts(with: prefix.utf8) {
      word.rest = word.rest.dropFirst(2)
      return !isSigned && word.digits(digits)
    }
    let isZero = word.rest.first == UInt8(ascii: "0")
    if isZero { word.rest.removeFirst() }
    guard isZero || word.digits() else { return false }
    if word.skip("."), !word.digits() { return false }
    if word.skip("eE") {
      _ = word.skip("+-")
      return word.digits()
    }
    return true
  }

  /// Digits with single underscores between them.
  private mutating func digits(_ digits: String = "0123456789") -> Bool {
    repeat {
      guard skip(digits) else { return false }
      while skip(digits) {}
    } while skip("_")
    return true
  }

  // MARK: Dates and times

  private static func dateTime(_ word: inout TOMLWord) -> Bool {
    if word.rest.dropFirst(2).first == UInt8(ascii: ":") { return word.time() }
    guard let year = word.field(4, 0...9999), word.skip("-"), let month = word.field(2, 1...12),
      word.skip("-"), let day = word.field(2, 1...31)
    else { return false }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[month - 1] else { return false }
    if word.rest.isEmpty { return true }
    guard word.skip("Tt "), word.time() else { return false }
    if word.rest.isEmpty || word.skip("Zz") { return true }
    return word.skip("+-") && word.field(2, 0...23) != nil && word.skip(":")
      && word.field(2, 0...59) != nil
  }

  private mutating func time() -> Bool {
    guard field(2, 0...23) != nil, skip(":"), field(2, 0...59) != nil, skip(":"),
      field(2, 0...60) != nil
    else { return false }
    guard skip(".") else { return true }
    guard skip("0123456789") else { return false }
    while skip("0123456789") {}
    return true
  }

  private mutating func field(_ count: Int, _ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix(count)
    guard digits.count == count, digits.allSatisfy(\.isDigit),
      let value = Int(String(decoding: digits, as: UTF8.self)), range.contains(value)
    else { return nil }
    rest = rest.dropFirst(count)
    return value
  }
}
