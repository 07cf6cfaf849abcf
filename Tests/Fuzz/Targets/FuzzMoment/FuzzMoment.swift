@testable internal import DocumentStore
internal import Foundation

/// A moment as it is typed in a selector of a version.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  let now = Date(timeIntervalSince1970: 1_790_000_000)
  _ = MomentInWords(calendar: calendar, now: now).date(of: String(decoding: bytes, as: UTF8.self))
  return 0
}

private let calendar = LocalCalendar.system
