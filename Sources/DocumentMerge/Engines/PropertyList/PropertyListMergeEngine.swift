/// Merges property lists in XML, binary and text form: dictionaries by key, arrays by the fields that
/// distinguish their members.
///
/// Keys stay with their values, comments move with the members below them, and unchanged parts keep their
/// bytes. A document with clashes is valid, too. Localized strings (`.strings`) and projects of Apple's tools
/// (`.pbxproj`) are property lists in text form. A document that isn't a property list is merged as text. The
/// result is binary if ours is; binary documents that can't be read clash as wholes.
struct PropertyListMergeEngine: OpenMergeEngine {
  let xml = StructuredMergeEngine(format: PropertyListFormat())
  let openStep = StructuredMergeEngine(format: OpenStepFormat())

  var name: String { xml.name }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    if sides.all.contains(where: BinaryPropertyListMerge.isBinary) {
      return try BinaryPropertyListMerge(xml: xml).openMerge(of: sides, options: options)
    }
    let isXML = DecodedText(sides.ours)?.text.first { !$0.isSpace } == UInt8(ascii: "<")
    return isXML
      ? try xml.openMerge(of: sides, options: options)
      : try openStep.openMerge(of: sides, options: options)
  }
}

extension PropertyListMergeEngine: DocumentTreeReader {
  func tree(of text: [UInt8]) throws -> DocumentTree {
    let isXML = text.first { !$0.isSpace } == UInt8(ascii: "<")
    return try isXML ? xml.tree(of: text) : openStep.tree(of: text)
  }
}
