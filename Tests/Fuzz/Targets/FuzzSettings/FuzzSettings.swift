@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The reading of settings.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkParser(SettingsFormat(), input(start, count))
}
