@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The merging of texts for people, and of lines.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  for style in TextStyle.allCases {
    _ = checkMerge(TextMergeEngine(style: style), documents(in: input(start, count)))
  }
  // With the settings before a text, and rows of values in it.
  for kind in [MergeEngines.Kind.markdown, .sql] {
    _ = checkMerge(MergeEngines().engine(for: kind), documents(in: input(start, count)))
  }
  return 0
}
