@testable internal import DocumentStore

/// The last bytes of a ledger of heads; the first byte says whether they are the whole ledger.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let first = bytes.first else { return 0 }
  let rest = Array(bytes.dropFirst())
  let place = first == UInt8(ascii: "0") ? 0 : 1_000
  let lines = HeadLedger.lines(of: rest)
  if let tail = HeadLedger.tail(of: rest, at: place), place == 0 {
    precondition(lines.contains(tail.heads), "the last line is none of the lines")
  }
  return 0
}
