@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The merging of catalogues of gettext.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkMerge(.gettext, GettextFormat(), input(start, count))
}
