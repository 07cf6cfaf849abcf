/// Merges property lists of which at least one is binary: as XML, and back.
struct BinaryPropertyListMerge {
  /// Merges property lists in XML.
  let xml: StructuredMergeEngine<PropertyListFormat>

  /// Merges two sides; the result is binary if ours is.
  func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> MergeOutcome {
    if let kind = sides.settled {
      return SettledMerge(sides: sides, kind: kind, labels: options.labels).outcome(answers: [:])
    }
    guard sides.all.allSatisfy({ $0.count <= options.sizeLimit }) else {
      throw MergeError(
        .tooLarge, "A side has more than \(options.sizeLimit) bytes, too many to merge.")
    }
    let isBinary = Self.isBinary(sides.ours)
    // XML keeps its layout only as ours: so the others' is none that ours could have changed.
    let texts = MergeSides(
      base: sides.base.map { text(of: $0, isExtended: isBinary) },
      ours: !isBinary && value(ofXML: sides.ours) != nil
        ? sides.ours : text(of: sides.ours, isExtended: isBinary),
      theirs: text(of: sides.theirs, isExtended: isBinary))
    guard let ours = texts.ours, let theirs = texts.theirs, let base = texts.base ?? .some([])
    else {
      return try clash(
        sides, "Both sides changed the property list, and not every one can be read.")
    }
    var engine = xml
    engine.format.isExtended = isBinary
    let merged = try engine.merge(
      MergeSides(base: sides.base.map { _ in base }, ours: ours, theirs: theirs), options: options)
    guard
      let bytes = bytes(of: merged.bytes, sides, MergeSides(base: base, ours: ours, theirs: theirs))
    else {
      return try clash(
        sides, "Both sides changed the property list, and their changes do not go together.")
    }
    return MergeOutcome(bytes: bytes, decisions: merged.decisions)
  }

  /// Whether a document says that it is a binary property list.
  static func isBinary(_ document: [UInt8]) -> Bool { document.starts(with: "bplist".utf8) }

  private func clash(_ sides: MergeSides<[UInt8]>, _ reason: String) throws -> MergeOutcome {
    try WholeClash(sides: sides, reason: reason).outcome(answers: [:])
  }

  /// A side in XML; `nil` if it cannot be read, or has what the others' form has not.
  private func text(of document: [UInt8], isExtended: Bool) -> [UInt8]? {
    if Self.isBinary(document) {
      return BinaryPropertyListReader.value(of: document)?.text(isExtended: isExtended)
    }
    return value(ofXML: document)?.text(isExtended: isExtended)
  }

  private func value(ofXML document: [UInt8], isExtended: Bool = false) -> PropertyListValue? {
    guard let text = DecodedText(document)?.text else { return nil }
    var format = PropertyListFormat()
    format.isExtended = isExtended
    do {
      return PropertyListValue(try format.parse(text))
    } catch {
      return nil
    }
  }

  /// The result in ours' form; what says the same as a side is that side.
  private func bytes(
    of text: [UInt8], _ sides: MergeSides<[UInt8]>, _ texts: MergeSides<[UInt8]>
  ) -> [UInt8]? {
    guard Self.isBinary(sides.ours) else { return text }
    if text == texts.ours { return sides.ours }
    if text == texts.theirs, Self.isBinary(sides.theirs) { return sides.theirs }
    return value(ofXML: text, isExtended: true).map(BinaryPropertyListWriter.bytes)
  }
}
