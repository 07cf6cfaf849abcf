@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The reading of catalogues of gettext.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkParser(GettextFormat(), input(start, count))
}
