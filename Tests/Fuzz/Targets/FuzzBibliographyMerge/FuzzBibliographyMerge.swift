@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The merging of bibliographies.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkMerge(.bibliography, BibliographyFormat(), input(start, count))
}
