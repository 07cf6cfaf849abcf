/// Merges property lists of which at least one is binary, by converting them to XML and back.
struct BinaryPropertyListMerge {
  /// The engine for property lists in XML.
  let xml: StructuredMergeEngine<PropertyListFormat>

  /// Merges two sides; the result is binary if ours is.
  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    if let settled = OpenMerge(settled: sides, options.labels) { return settled }
    try sides.checkSize(options)
    let isBinary = Self.isBinary(sides.ours)
    // The layout of XML is that of ours, so the other sides' layout can't differ from it.
    let texts = MergeSides(
      base: sides.base.map { text(of: $0, isExtended: isBinary) },
      ours: !isBinary && value(ofXML: sides.ours) != nil
        ? sides.ours : text(of: sides.ours, isExtended: isBinary),
      theirs: text(of: sides.theirs, isExtended: isBinary))
    guard let known = texts.compactMap(\.self) else {
      return OpenMerge(
        asking: "Both sides changed the property list, and not every one can be read.",
        about: sides)
    }
    var engine = xml
    engine.format.isExtended = isBinary
    let merge = try engine.openMerge(of: known, options: options)
    let converted = ConvertedMerge(merge: merge) { bytes(of: $0, sides, known) }
    guard try converted.converted([:]) != nil else {
      return OpenMerge(
        asking: "Both sides changed the property list, and their changes do not go together.",
        about: sides)
    }
    return OpenMerge(converted)
  }

  /// Returns whether a document has the signature of a binary property list.
  static func isBinary(_ document: [UInt8]) -> Bool { document.starts(with: "bplist".utf8) }

  /// Returns a side in XML; `nil` if it can't be read, or has values that the other form lacks.
  func text(of document: [UInt8], isExtended: Bool) -> [UInt8]? {
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

  /// Returns the result in the form of ours; a result with the same contents as a side is that side.
  private func bytes(
    of text: [UInt8], _ sides: MergeSides<[UInt8]>, _ texts: MergeSides<[UInt8]>
  ) -> [UInt8]? {
    guard Self.isBinary(sides.ours) else { return text }
    if text == texts.ours { return sides.ours }
    if text == texts.theirs, Self.isBinary(sides.theirs) { return sides.theirs }
    return value(ofXML: text, isExtended: true).map(BinaryPropertyListWriter.bytes)
  }
}

/// A merge whose result is written in another form.
private struct ConvertedMerge: AnswerableMerge {
  let merge: OpenMerge
  /// Converts a result to that form; `nil` if the form doesn't allow it.
  let form: @Sendable ([UInt8]) -> [UInt8]?

  var clashes: [MergeClash] { merge.clashes }

  func outcome(answers: [Int: MergeAnswer]) throws -> MergeOutcome {
    guard let outcome = try converted(answers) else {
      throw MergeError(
        .invalidAnswer, "With these answers, the result would not be a property list.")
    }
    return outcome
  }

  func converted(_ answers: [Int: MergeAnswer]) throws -> MergeOutcome? {
    let outcome = try merge.outcome(answers: answers)
    return form(outcome.bytes).map { MergeOutcome(bytes: $0, decisions: outcome.decisions) }
  }
}
