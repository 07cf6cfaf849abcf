@testable internal import DocumentMerge

/// A binary property list; a readable one is written, and reads back as the same value.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let value = BinaryPropertyListReader.value(of: bytes) else { return 0 }
  let written = BinaryPropertyListWriter.bytes(of: value)
  precondition(BinaryPropertyListReader.value(of: written) == value, "it is not what was read")
  guard let text = value.text(isExtended: true) else { preconditionFailure("it has no text") }
  var format = PropertyListFormat()
  format.isExtended = true
  do {
    let again = PropertyListValue(try format.parse(text))
    precondition(again == value, "its text says something else")
  } catch { preconditionFailure("its text cannot be read: \(error)") }
  return 0
}
