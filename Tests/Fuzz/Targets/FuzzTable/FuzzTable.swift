@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The reading and the merging of tables.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = input(start, count)
  for part in bytes.split(separator: 0xFF).map(Array.init) {
    guard let table = TableText(part, separator: UInt8(ascii: ",")) else { continue }
    let written = (0..<table.rowCount).flatMap { row in
      (0..<table.columnCount).map { Array(table.cell(row, $0)) }.joined(separator: [0x2C]) + [0x0A]
    }
    check(written == part, "a table is written as something else than was read")
  }
  return checkMerge(TableMergeEngine(), documents(in: bytes))
}
