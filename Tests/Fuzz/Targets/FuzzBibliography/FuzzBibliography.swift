@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The reading of bibliographies.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkParser(BibliographyFormat(), input(start, count))
}
