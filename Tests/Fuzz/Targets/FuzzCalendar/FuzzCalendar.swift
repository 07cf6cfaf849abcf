@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The reading of calendars and address books.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkParser(CalendarFormat(), input(start, count))
}
