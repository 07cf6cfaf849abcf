/// A date or a counter that programs write at every save, so that the newer of two is right.
struct RevisedValue {
  /// The side that has the newer value.
  let newer: MergeDecision.Kind

  /// Compares the values of two sides; `nil` if they aren't such values, or can't be compared.
  init?<Format: StructuredFormat>(
    of nodes: MergeSides<Int>, in documents: MergedDocuments<Format>, _ fields: RevisedFields
  ) {
    let (trees, format) = (documents.trees, documents.format)
    let name = trees.ours.name(of: nodes.ours, format)
    guard fields.areNewer(String(decoding: name, as: UTF8.self)), nodes.base != nil else {
      return nil
    }
    let ours = trees.ours.bytes[trees.ours[nodes.ours].value]
    let theirs = trees.theirs.bytes[trees.theirs[nodes.theirs].value]
    guard let isAfter = Self.isAfter(ours, theirs) else { return nil }
    newer = isAfter ? .ours : .theirs
  }

  /// Returns whether a value is later than another one; `nil` if they don't have the same form, mostly of
  /// digits.
  static func isAfter(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool? {
    if one.allSatisfy(\.isDigit), other.allSatisfy(\.isDigit), !one.isEmpty, !other.isEmpty {
      return one.count == other.count
        ? other.lexicographicallyPrecedes(one) : one.count > other.count
    }
    // Dates of one form sort by their digits if the year is first.
    func form(_ value: ArraySlice<UInt8>) -> [UInt8] {
      value.map { $0.isDigit ? UInt8(ascii: "0") : $0 }
    }
    guard one.count >= 8, form(one) == form(other), 2 * one.count(where: \.isDigit) >= one.count,
      let start = one.firstIndex(where: \.isDigit), one[start...].prefix(4).allSatisfy(\.isDigit)
    else { return nil }
    return other.lexicographicallyPrecedes(one)
  }
}
