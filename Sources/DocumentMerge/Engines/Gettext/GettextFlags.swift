/// The flags of a gettext entry, such as `fuzzy` and `c-format`.
struct GettextFlags {
  private(set) var words: [ArraySlice<UInt8>]

  /// Reads a line of flags.
  init(_ line: ArraySlice<UInt8>) {
    words = line.dropFirst(GettextEntry.flags.count).split(separator: UInt8(ascii: ",")).map {
      var word = $0.drop { $0.isSpace }
      while word.last?.isSpace ?? false { word.removeLast() }
      return word
    }
  }

  /// True if a person must check the translation.
  var areFuzzy: Bool { words.contains { $0.elementsEqual("fuzzy".utf8) } }

  /// Returns the flags of both sides, without those that one side removed.
  /// - Returns: `nil` if none remain, two of them contradict each other, or they are on several lines.
  static func merged(_ lines: MergeSides<ArraySlice<UInt8>>) -> [UInt8]? {
    guard let base = lines.base.map({ Set(GettextFlags($0).words) }),
      !lines.all.contains(where: { $0.contains(.lineFeed) })
    else { return nil }
    let (ours, theirs) = (GettextFlags(lines.ours).words, GettextFlags(lines.theirs).words)
    let kept = ours.filter { theirs.contains($0) || !base.contains($0) }
    let added = theirs.filter { !ours.contains($0) && !base.contains($0) }
    let words = kept + added
    let isContradictory = words.contains { words.contains(Array("no-".utf8) + $0) }
    guard !words.isEmpty, !isContradictory else { return nil }
    return GettextEntry.flags + [0x20] + words.joined(separator: ", ".utf8)
  }
}
