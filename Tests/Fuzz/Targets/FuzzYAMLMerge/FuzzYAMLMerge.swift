@testable internal import DocumentMerge

/// Base, ours and theirs, with a byte 0xFF between them: valid sides make a valid document.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let parts = bytes.split(separator: 0xFF, maxSplits: 2, omittingEmptySubsequences: false)
    .map(Array.init)
  guard parts.count == 3 else { return 0 }
  let format = YAMLFormat()
  let engine = MergeEngines().engine(for: .yaml)
  for base in [parts[0], nil] {
    let sides = MergeSides(base: base, ours: parts[1], theirs: parts[2])
    do {
      let trees = try sides.map { try format.parse($0) }
      let outcome = try engine.merge(sides, options: MergeOptions())
      let result = try? format.parse(outcome.bytes)
      guard let result else { preconditionFailure("the result is not valid") }
      let doubled = DoubledMembers(in: result, format, lists: false)
      let known = trees.all.map { DoubledMembers(in: $0, format, lists: false) }
      precondition(doubled.isCovered(by: known), "a key is doubled")
      let again = try engine.merge(sides.map { _ in outcome.bytes }, options: MergeOptions())
      precondition(again.bytes == outcome.bytes)
    } catch {}
  }
  return 0
}
