@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The reading of a property list in XML.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkParser(PropertyListFormat(), input(start, count))
}
