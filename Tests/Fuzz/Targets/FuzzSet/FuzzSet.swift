@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The reading of sets of lines.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkParser(LineSetFormat(), input(start, count))
}
