@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The merging of HTML.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkMerge(.html, HTMLFormat(), input(start, count))
}
