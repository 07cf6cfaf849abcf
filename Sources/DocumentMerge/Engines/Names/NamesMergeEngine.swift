/// Asks where a merge is clean, but two entries have one name, a name is gone that is referred to, or a translation is
/// of another text than its source.
///
/// Neither lines nor values clash there: each side adds a key in another place, or one takes away what the other one
/// begins to use. References are found as ``ReferenceNames`` reads them, line by line.
struct NamesMergeEngine: MergeEngine {
  let engine: any MergeEngine
  /// The form of the names that must be there once; `nil` if none are known.
  let entries: EntryNames.Form?
  /// The form of references; `nil` if none are known.
  let references: ReferenceNames.Form?
  /// The form of translations; `nil` if there are none.
  let translations: Translations.Form?

  var name: String { engine.name }

  func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> MergeOutcome {
    try openMerge(of: sides, options: options).outcome()
  }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    let merge = try engine.openMerge(of: sides, options: options)
    guard sides.settled == nil, let old = sides.base,
      case let outcome = try merge.outcome(), outcome.isComplete,
      let result = TextLines(document: outcome.bytes), let base = TextLines(document: old),
      let ours = TextLines(document: sides.ours), let theirs = TextLines(document: sides.theirs)
    else { return merge }
    let texts = MergeSides(base: base, ours: ours, theirs: theirs)
    var doubts: [MergeDecision] = []
    if let entries {
      let doubled = DoubledEntries(in: result, of: texts, entries)
      if entries.areLines, doubled.areEqual, !outcome.bytes.contains(0) {
        let bytes = doubled.withoutDoubled(in: outcome.bytes)
        return OpenMerge(
          CompleteMerge(outcome: MergeOutcome(bytes: bytes, decisions: outcome.decisions)))
      }
      doubts += doubled.decisions
    }
    if let references {
      doubts += LostNames(texts, references, options.labels).decisions
    }
    if let translations {
      doubts += outdatedTranslations(texts, translations, options.labels)
    }
    return doubts.isEmpty ? merge : OpenMerge(PrefacedMerge(preface: doubts, merge: merge))
  }
}

extension NamesMergeEngine {
  /// Sources that one side changed, and that the other one translated as they were.
  private func outdatedTranslations(
    _ texts: MergeSides<TextLines>, _ form: Translations.Form, _ labels: MergeLabels
  ) -> [MergeDecision] {
    let all = texts.map { Translations($0, form) }
    guard let base = all.base else { return [] }
    func decisions(
      _ side: Translations, _ label: String, _ other: Translations, _ otherLabel: String
    ) -> [MergeDecision] {
      base.outdated(by: side, translatedBy: other).map { source in
        MergeDecision(
          kind: .clash,
          explanation:
            "The text “\(excerpt(source.utf8))” was changed by \(label), and \(otherLabel) translated it as it was."
        )
      }
    }
    return decisions(all.ours, labels.ours, all.theirs, labels.theirs)
      + decisions(all.theirs, labels.theirs, all.ours, labels.ours)
  }
}

extension TextLines {
  /// Cuts a document; `nil` if it is no text.
  fileprivate init?(document: [UInt8]) {
    guard let text = DecodedText(document) else { return nil }
    self.init(text.text)
  }

  fileprivate func text(_ lines: Range<Int>) -> String {
    String(decoding: self[lines], as: UTF8.self)
  }
}

/// Entries that a result has more often than each of its sides.
private struct DoubledEntries {
  private let text: TextLines
  /// The entries of each name that is doubled, in the order of the first of them.
  private let groups: [[EntryNames.Entry]]

  init(in text: TextLines, of sides: MergeSides<TextLines>, _ form: EntryNames.Form) {
    self.text = text
    let entries = EntryNames(text, form).entries
    let all = Dictionary(grouping: entries, by: \.name).filter { $0.value.count > 1 }
    let known = all.isEmpty ? [] : sides.all.map { EntryNames($0, form).counts }
    groups = all.filter { name, entries in known.allSatisfy { $0[name, default: 0] < entries.count }
    }
    .map(\.value).sorted { $0[0].lines.lowerBound < $1[0].lines.lowerBound }
  }

  /// Indicates whether there are some, and those of one name are all equal.
  var areEqual: Bool {
    !groups.isEmpty
      && groups.allSatisfy { entries in Set(entries.map { text.text($0.lines) }).count == 1 }
  }

  /// A document whose lines are these without all but the first of equal entries.
  func withoutDoubled(in document: [UInt8]) -> [UInt8] {
    let dropped = Set(groups.flatMap { $0.dropFirst().flatMap(\.lines) })
    let lines = TextLines(document)
    guard lines.count == text.count else { return document }
    return (0..<lines.count).flatMap { dropped.contains($0) ? [] : Array(lines[$0..<$0 + 1]) }
  }

  var decisions: [MergeDecision] {
    groups.map { entries in
      MergeDecision(
        kind: .clash,
        ours: text.text(entries[0].lines), theirs: entries.last.map { text.text($0.lines) },
        explanation: "Both sides added “\(entries[0].name)”, which stands twice now.")
    }
  }
}

/// Names that one side took away, and that the other one begins to refer to.
private struct LostNames {
  private(set) var decisions: [MergeDecision] = []

  init(_ texts: MergeSides<TextLines>, _ form: ReferenceNames.Form, _ labels: MergeLabels) {
    guard let base = texts.base else { return }
    let reader = ReferenceNames(form: form)
    let (old, ours, theirs) = (base.lines, texts.ours.lines, texts.theirs.lines)
    typealias Lines = Set<ArraySlice<UInt8>>
    func names(_ lines: Lines, _ read: (Substring) -> [Substring]) -> Set<Substring> {
      Set(lines.flatMap { read(Substring(decoding: $0, as: UTF8.self)) })
    }
    func lost(_ side: Lines, _ other: Lines) -> [Substring] {
      let removed = names(old.subtracting(side), reader.definitions)
      guard !removed.isEmpty else { return [] }
      let used = names(other.subtracting(old), reader.references).intersection(removed)
      guard !used.isEmpty else { return [] }
      let left = used.subtracting(names(side, reader.definitions))
      return left.intersection(names(other, reader.definitions)).sorted()
    }
    for (side, label, other, otherLabel) in [
      (ours, labels.ours, theirs, labels.theirs), (theirs, labels.theirs, ours, labels.ours),
    ] {
      decisions += lost(side, other).map { name in
        MergeDecision(
          kind: .clash,
          explanation:
            "“\(name)” was removed or renamed by \(label), and \(otherLabel) refers to it.")
      }
    }
  }
}

extension TextLines {
  /// The different lines.
  fileprivate var lines: Set<ArraySlice<UInt8>> { Set((0..<count).map { self[$0..<$0 + 1] }) }
}

extension NamesMergeEngine {
  /// Checks the merges of an engine; `nil` if no names are known in files of this name.
  init?(_ engine: any MergeEngine, fileName: String, kind: MergeEngines.Kind?) {
    let suffix = fileName.split(separator: ".").last?.lowercased() ?? ""
    let references: ReferenceNames.Form? =
      switch kind {
      case .xml, .html: .markup
      case .yaml, .json: .keys
      case nil where ["tex", "latex", "ltx"].contains(suffix): .labels
      default: nil
      }
    let entries = EntryNames.Form(fileName: fileName)
    let translations = Translations.Form(fileName: fileName)
    guard references != nil || entries != nil || translations != nil else { return nil }
    self.init(
      engine: engine, entries: entries, references: references, translations: translations)
  }
}
