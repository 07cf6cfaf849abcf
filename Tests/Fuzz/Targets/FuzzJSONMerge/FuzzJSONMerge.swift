@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The merging of JSON.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkMerge(.json, JSONFormat(), input(start, count))
}
