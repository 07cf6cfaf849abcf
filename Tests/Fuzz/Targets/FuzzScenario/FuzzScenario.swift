@testable internal import DocumentScenarios
internal import Foundation

/// A scenario file.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = UnsafeBufferPointer(start: start, count: count)
  var parser = ScenarioParser(file: URL(filePath: "/scenario"))
  do { _ = try parser.steps(in: String(decoding: bytes, as: UTF8.self)) } catch {}
  return 0
}
