/// The lines that programs write at every save, such as dates, counters and places in a source; if they
/// differ on both sides, either is correct.
///
/// Before the merge, they are made equal in all three texts, with the newer date, the higher counter or the
/// later place.
struct RevisedLines {
  /// One or more consecutive lines that a program wrote.
  private struct Entry {
    let lines: Range<Int>
    let text: ArraySlice<UInt8>
  }

  private let reader: any RevisionReader

  init(_ reader: any RevisionReader) { self.reader = reader }

  /// Returns the sides with equal lines where programs wrote different ones; `nil` if there are none.
  ///
  /// - Parameter fields: The fields that become questions.
  func settled(
    _ sides: MergeSides<[UInt8]>, _ fields: RevisedFields
  ) -> MergeSides<[UInt8]>? {
    let texts = sides.map { TextLines($0) }
    let entries = texts.map(entries)
    guard let known = entries.base else { return nil }
    typealias Replacements = [Int: (end: Int, text: ArraySlice<UInt8>)]
    var (base, own, other): (Replacements, Replacements, Replacements) = ([:], [:], [:])
    for (name, old) in known {
      guard !fields.areAsked(name.prefix { $0 != " " }),
        let ours = entries.ours[name], let theirs = entries.theirs[name],
        ours.text != theirs.text, ours.text != old.text, theirs.text != old.text
      else { continue }
      let dates = reader.date(beside: name).flatMap { date in
        entries.ours[date].flatMap { one in entries.theirs[date].map { (one.text, $0.text) } }
      }
      guard reader.date(beside: name) == nil || dates.map({ $0 != $1 }) ?? false else { continue }
      let (one, two) = dates ?? (ours.text, theirs.text)
      let text = Self.isAfter(one, two) ? ours.text : theirs.text
      base[old.lines.lowerBound] = (old.lines.upperBound, text)
      own[ours.lines.lowerBound] = (ours.lines.upperBound, text)
      other[theirs.lines.lowerBound] = (theirs.lines.upperBound, text)
    }
    guard !own.isEmpty else { return nil }
    func written(_ text: TextLines, _ new: Replacements) -> [UInt8] {
      var (result, line): ([UInt8], Int) = ([], 0)
      while line < text.count {
        if let entry = new[line] {
          result += entry.text
          line = entry.end
        } else {
          result += text[line]
          line += 1
        }
      }
      return result
    }
    return MergeSides(
      base: texts.base.map { written($0, base) }, ours: written(texts.ours, own),
      theirs: written(texts.theirs, other))
  }

  /// Returns whether one text is newer than another.
  ///
  /// The newer text has a later date or a higher number, or else the greater bytes, so that every device gets
  /// the same result.
  static func isAfter(_ one: ArraySlice<UInt8>, _ other: ArraySlice<UInt8>) -> Bool {
    func digits(_ text: ArraySlice<UInt8>) -> [UInt8] {
      text.filter(\.isDigit)
    }
    let (first, second) = (digits(one), digits(other))
    if first.count != second.count { return first.count > second.count }
    return first == second
      ? other.lexicographicallyPrecedes(one) : second.lexicographicallyPrecedes(first)
  }

  // MARK: Reading

  /// Returns the unique entries, by what they belong to.
  private func entries(_ text: TextLines) -> [String: Entry] {
    var (entries, doubled): ([String: Entry], Set<String>) = ([:], [])
    func add(_ name: String, _ lines: Range<Int>) {
      let entry = Entry(lines: lines, text: text[lines])
      // Without its line break, a last line would be different.
      guard entry.text.last == .lineFeed else { return }
      if entries.updateValue(entry, forKey: name) != nil { doubled.insert(name) }
    }
    reader.read(text, add)
    return entries.filter { !doubled.contains($0.key) }
  }
}

/// Reads the lines of a format that programs write at every save.
protocol RevisionReader: Sendable {
  /// Reads a text, and adds the names of such lines.
  func read(_ text: TextLines, _ add: (_ name: String, _ lines: Range<Int>) -> Void)

  /// Returns the entry whose date determines which of two entries is newer; `nil` if their own values do.
  func date(beside name: String) -> String?
}

extension RevisionReader {
  func date(beside name: String) -> String? { nil }
}
