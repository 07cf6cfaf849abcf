internal import DocumentVersions
internal import Foundation

extension Timestamp {
  /// The range of dates in records: from the first day of the year 1 to the last day of 9999.
  static let possible =
    Date(timeIntervalSince1970: -62_135_596_800)...Date(timeIntervalSince1970: 253_402_300_799)

  /// Returns the time that a text names, as in the name of a version, or as seconds since 1970; `nil` for anything else.
  ///
  /// A day without a time means its beginning.
  static func date(_ text: String, now: Date = Date()) -> Date? {
    if let seconds = Double(text), seconds.isFinite { return Date(timeIntervalSince1970: seconds) }
    return MomentInWords(calendar: .system, now: now, isBeginning: true).date(of: text)
  }
}
