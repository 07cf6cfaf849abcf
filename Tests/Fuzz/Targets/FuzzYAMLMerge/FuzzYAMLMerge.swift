@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The merging of YAML.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkMerge(.yaml, YAMLFormat(), input(start, count))
}
