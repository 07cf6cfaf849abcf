@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The merging of calendars and address books.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkMerge(.calendar, CalendarFormat(), input(start, count))
}
