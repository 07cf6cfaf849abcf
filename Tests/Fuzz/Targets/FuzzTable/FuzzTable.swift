@testable internal import DocumentMerge

/// The reading and the merging of tables, and of texts for people: three documents with a zero byte
/// between them.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  let parts = bytes.split(separator: 0, omittingEmptySubsequences: false).map { Array($0) }
  guard parts.count == 3 else { return 0 }
  for part in parts {
    guard let table = TableText(part, separator: UInt8(ascii: ",")) else { continue }
    let written = (0..<table.rowCount).flatMap { row in
      (0..<table.columnCount).map { Array(table.cell(row, $0)) }.joined(separator: [0x2C]) + [0x0A]
    }
    precondition(written == part, "a table is written as something else than was read")
  }
  let engines: [any MergeEngine] = [
    TableMergeEngine(),
    TextMergeEngine(style: .markdown),
  ]
  let (base, ours, theirs) = (parts[0], parts[1], parts[2])
  for engine in engines {
    func merge(_ base: [UInt8], _ ours: [UInt8], _ theirs: [UInt8]) -> MergeOutcome? {
      do {
        return try engine.merge(
          MergeSides(base: base, ours: ours, theirs: theirs), options: MergeOptions())
      } catch { return nil }
    }
    let outcome = merge(base, ours, theirs)
    let swapped = merge(base, theirs, ours)
    // Where base does not show its line endings, ours has them its way.
    guard base.contains(0x0A), !bytes.contains(0x0D) else { continue }
    precondition(outcome?.isComplete == swapped?.isComplete, "the sides are not treated alike")
  }
  return 0
}
