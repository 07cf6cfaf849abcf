@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The reading of XML.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkParser(XMLFormat(), input(start, count))
}
