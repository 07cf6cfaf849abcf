@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The merging of notebooks.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkMerge(.notebook, NotebookFormat(), input(start, count))
}
