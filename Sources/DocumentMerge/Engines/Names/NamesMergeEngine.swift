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
  /// The form of entries that may be there under two names; `nil` if there are none.
  let twins: TwinEntries.Form?
  /// The lines that programs write; `nil` if there are none.
  let revisions: RevisedLines?
  /// The form of keys with running numbers; `nil` if there are none.
  let numbers: NumberedKeys.Form?
  /// The form of a change log in markup or data; `nil` for other documents.
  let changes: ChangeLog.Form?
  /// The form of values that belong together; `nil` if there are none.
  let pairs: PairedValues.Form?
  /// The form of tables in text; `nil` if there are none.
  let tables: UnevenTables.Form?
  /// Indicates whether records are marked as deleted, not removed.
  let marksDeleted: Bool
  /// Indicates whether the documents are projects of Apple's tools.
  let isProject: Bool
  /// Indicates whether the documents are markup that no engine reads.
  let isTemplate: Bool

  var name: String { engine.name }

  func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> MergeOutcome {
    try openMerge(of: sides, options: options).outcome()
  }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    let settled = sides.settled == nil ? revisions?.settled(sides, options.revisedFields) : nil
    let merge = try settledMerge(of: settled ?? sides, isRevised: settled != nil, options)
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
      doubts += lostNames(texts, references, options.labels)
    }
    if let translations {
      doubts += outdatedTranslations(texts, translations, options.labels)
    }
    if let twins, let entries = TwinEntries(in: texts, twins) {
      doubts += entries.names.map { ours, theirs in
        MergeDecision(
          kind: .clash, ours: ours, theirs: theirs,
          explanation: "Both sides added the same, as “\(ours)” and as “\(theirs)”.")
      }
    }
    if references == .rows {
      doubts += ContradictingRows(in: result, of: texts).names.map { name in
        MergeDecision(
          kind: .clash, explanation: "Both sides added “\(name)”, each for something else.")
      }
    }
    if references == .components {
      doubts += MovedSeries.names(in: texts).map { name in
        MergeDecision(
          kind: .clash,
          explanation:
            "One side changed when the series “\(name)” takes place, the other one an occurrence of it."
        )
      }
    }
    if translations == .gettext, hasUnevenPlurals(result, texts) {
      doubts.append(
        MergeDecision(
          kind: .clash,
          explanation:
            "One side changed the number of plural forms, the other one messages that have some."))
    }
    doubts += misplaced(in: result, texts)
    if marksDeleted, let records = DeletedRecords(of: sides.map { $0 }) {
      doubts += records.names.map { name in
        MergeDecision(
          kind: .clash,
          explanation: "“\(name)” was deleted on one side, and changed or used on the other.")
      }
    }
    if isProject { doubts += doubledObjects(sides.map { $0 }, outcome.bytes) }
    if isTemplate, let reason = MarkupFaults(in: outcome.bytes).reason(notIn: sides.all) {
      doubts.append(MergeDecision(kind: .clash, explanation: reason))
    }
    return doubts.isEmpty ? merge : OpenMerge(PrefacedMerge(preface: doubts, merge: merge))
  }
}

extension NamesMergeEngine {
  /// Merges the sides, some of whose lines may have been made the same.
  private func settledMerge(
    of sides: MergeSides<[UInt8]>, isRevised: Bool, _ options: MergeOptions
  ) throws -> OpenMerge {
    let merge = try engine.openMerge(of: sides, options: options)
    guard isRevised else { return merge }
    let said = MergeDecision(
      kind: .combined,
      explanation: "Of dates, counters and places that a program wrote, the newer ones were taken.")
    return OpenMerge(PrefacedMerge(preface: [said], merge: merge))
  }

  /// Changes that came to something else: under another one's number, or under a release.
  private func misplaced(
    in result: TextLines, _ texts: MergeSides<TextLines>
  ) -> [MergeDecision] {
    let keys = numbers.map { RenumberedKeys(in: result, of: texts, $0).names } ?? []
    let mixed = pairs.map { MixedPairs(in: result, of: texts, $0).names } ?? []
    let isUneven = tables.map { UnevenTables.areMade(by: result, of: texts, $0) } ?? false
    let terms = changes == .markup ? OutlineNames.contradictions(in: texts, .html) : []
    let entries = changes.map { ReleasedEntries(in: result, of: texts, $0).entries } ?? []
    func doubt(_ explanation: String) -> MergeDecision {
      MergeDecision(kind: .clash, explanation: explanation)
    }
    return terms.map { doubt("Both sides added \($0), each with another meaning.") }
      + keys.map {
        doubt("“\($0)” is not the same on both sides: one of them gave the numbers anew.")
      }
      + (isUneven ? [doubt("One side added a column, the other one a row without it.")] : [])
      + mixed.map { doubt("Each side changed one of two values that go together: \($0).") }
      + entries.map {
        doubt("“\(excerpt($0.utf8))” is not released yet, and would stand under a release.")
      }
  }

  /// Returns whether a message came to have another number of plural forms than the catalogue.
  private func hasUnevenPlurals(_ result: TextLines, _ texts: MergeSides<TextLines>) -> Bool {
    let uneven = PluralForms(result).uneven
    return !uneven.isEmpty
      && !uneven.isSubset(of: texts.all.reduce([]) { $0.union(PluralForms($1).uneven) })
  }

  /// Names that one side took away, and that the other one begins to refer to.
  private func lostNames(
    _ texts: MergeSides<TextLines>, _ form: ReferenceNames.Form, _ labels: MergeLabels
  ) -> [MergeDecision] {
    guard LostNameSearch.mayFindName(in: texts, form) else { return [] }
    let all = texts.map { ReferenceNames($0, form) }
    guard let base = all.base else { return [] }
    func decisions(
      _ side: ReferenceNames, _ label: String, _ other: ReferenceNames, _ otherLabel: String
    ) -> [MergeDecision] {
      base.lost(by: side, usedBy: other).map { name in
        MergeDecision(
          kind: .clash,
          explanation:
            "“\(name)” was removed or renamed by \(label), and \(otherLabel) refers to it.")
      }
    }
    return decisions(all.ours, labels.ours, all.theirs, labels.theirs)
      + decisions(all.theirs, labels.theirs, all.ours, labels.ours)
  }

  /// Objects of a project that both sides added, each under an identifier of its own.
  private func doubledObjects(
    _ sides: MergeSides<[UInt8]>, _ result: [UInt8]
  ) -> [MergeDecision] {
    guard let objects = DoubledObjects(in: result, of: sides) else { return [] }
    return objects.names.map { name in
      MergeDecision(
        kind: .clash,
        explanation: "Both sides added “\(name)”, each under an identifier of its own.")
    }
  }

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
}

extension NamesMergeEngine {
  /// Checks the merges of an engine; `nil` if no names are known in files of this name.
  init?(_ engine: any MergeEngine, fileName: String, kind: MergeEngines.Kind?) {
    let references = ReferenceNames.Form(fileName: fileName, kind: kind)
    let entries = EntryNames.Form(fileName: fileName)
    let translations = Translations.Form(fileName: fileName)
    let suffix = fileName.split(separator: ".").last?.lowercased() ?? ""
    let isProject = suffix == "pbxproj"
    let isTemplate = Self.templates.contains(suffix)
    let revisions = RevisedLines(fileName: fileName)
    let twins = TwinEntries.Form(fileName: fileName, kind: kind)
    let numbers = NumberedKeys.Form(fileName: fileName)
    let changes = ChangeLog.Form(fileName: fileName, kind: kind)
    let pairs = PairedValues.Form(fileName: fileName, kind: kind)
    let tables = UnevenTables.Form(fileName: fileName, kind: kind)
    let marksDeleted = suffix == "excalidraw"
    guard
      references != nil || entries != nil || translations != nil || revisions != nil
        || twins != nil
        || numbers != nil || changes != nil || pairs != nil || tables != nil || marksDeleted
        || isProject
        || isTemplate
    else { return nil }
    self.init(
      engine: engine, entries: entries, references: references, translations: translations,
      twins: twins, revisions: revisions, numbers: numbers, changes: changes, pairs: pairs,
      tables: tables,
      marksDeleted: marksDeleted, isProject: isProject, isTemplate: isTemplate)
  }

  /// The suffixes of documents that are markup with something else in it.
  private static let templates: Set<String> = [
    "vue", "svelte", "jsp", "jspx", "erb", "hbs", "handlebars", "mustache", "cshtml", "razor",
    "aspx", "ascx", "twig", "ejs", "liquid", "astro", "jsx", "tsx", "php", "phtml", "gohtml", "njk",
    "mdx", "marko", "ftlh", "tmpl",
  ]
}
