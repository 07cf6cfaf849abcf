@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The merging of XML.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkMerge(.xml, XMLFormat(), input(start, count))
}
