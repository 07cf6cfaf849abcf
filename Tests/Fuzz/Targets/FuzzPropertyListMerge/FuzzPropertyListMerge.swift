@testable internal import DocumentMerge
@testable internal import FuzzSupport

/// The merging of property lists.
///
/// One in XML with a `B` before it is merged in its binary form.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  guard let sides = documents(in: input(start, count))?.map(written) else { return 0 }
  let isText = isText(sides.ours)
  return checkMerge(MergeEngines().engine(for: .plist), sides) { document in
    if isText {
      let format = OpenStepFormat()
      return DoubledMembers(in: try format.parse(document), format, lists: false)
    }
    let binary = BinaryPropertyListReader.value(of: document)
    let format = PropertyListFormat(isExtended: binary != nil)
    let text = binary?.text(isExtended: true) ?? document
    return DoubledMembers(in: try format.parse(text), format, lists: false)
  }
}

private func isText(_ document: [UInt8]) -> Bool {
  !BinaryPropertyListMerge.isBinary(document)
    && document.first { !$0.isSpace } != UInt8(ascii: "<")
}

private func written(_ document: [UInt8]) -> [UInt8] {
  guard document.first == UInt8(ascii: "B") else { return document }
  do {
    let tree = try PropertyListFormat(isExtended: true).parse(Array(document.dropFirst()))
    return PropertyListValue(tree).map(BinaryPropertyListWriter.bytes) ?? document
  } catch { return document }
}
