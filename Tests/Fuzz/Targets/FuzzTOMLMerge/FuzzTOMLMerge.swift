@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The merging of TOML.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkMerge(.toml, TOMLFormat(), input(start, count))
}
