@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The merging of settings.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  checkMerge(.settings, SettingsFormat(), input(start, count))
}
