@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The merging of sets of lines.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkMerge(.set, LineSetFormat(), input(start, count))
}
