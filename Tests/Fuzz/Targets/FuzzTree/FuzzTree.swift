@testable internal import DocumentGit

/// A tree object.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  do {
    let tree = try Tree(decoding: bytes)
    let again = try Tree(decoding: tree.encoded().bytes())
    precondition(again == tree, "what was read is written as something else")
  } catch {}
  return 0
}
