/// Merges documents of a format by lines if that is safe, and otherwise by their structure.
///
/// Lines come first, because in real documents almost every clean merge by lines is the expected result. It
/// is used if it is a valid document and the structure agrees: nothing may occur twice that no side has
/// twice, each member of a list must occur as often as the changes of both sides make it, and no value may
/// have been changed by both sides. Otherwise the structure decides, and asks only about the values that it
/// can't decide. Documents that aren't valid for the format, or are nested too deeply, are merged as text.
struct StructuredMergeEngine<Format: StructuredFormat>: OpenMergeEngine {
  var format: Format

  var name: String { format.name }

  private var text: TextMergeEngine { TextMergeEngine() }

  private func rules(_ options: MergeOptions) -> LeafRules {
    LeafRules(mergeText: WordMerge.mergedValue) { try completeLines(of: $0, options)?.bytes }
  }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    guard sides.settled == nil else { return try text.openMerge(of: sides, options: options) }
    let sides = sides.withoutEmptyBase
    guard
      sides.all.allSatisfy({ $0.count <= options.sizeLimit }),
      let decoded = sides.compactMap({ DecodedText($0) }),
      let texts = NormalisedTexts(decoded, labels: options.labels)
    else { return try text.openMerge(of: sides, options: options) }
    do {
      // Merging lines first keeps the trees out of memory meanwhile, and the lines later.
      let (documents, form, preface) = (texts.lines.map(\.bytes), texts.form, texts.decisions)
      let lines = try completeLines(of: documents, options)
      let trees = try trees(of: documents, options.labels)
      // Comments alone belong to no member, so only their lines can be compared.
      guard !trees.ours.hasOnlyComments, !trees.theirs.hasOnlyComments else {
        return try text.openMerge(of: sides, options: options)
      }
      let rulings = try format.rulings(on: trees, options: options)
      guard rulings.refusal == nil,
        let merge = try merge(trees.withHeads(format), lines, form, rulings, options)
      else {
        let reason = "Both sides changed the document, and their changes do not go together."
        return OpenMerge(asking: rulings.refusal ?? reason, about: sides)
      }
      return OpenMerge(PrefacedMerge(preface: preface, merge: merge))
    } catch let error as MergeError {
      guard error.isAboutForm else { throw error }
      let said = MergeDecision(
        kind: .combined, explanation: "\(error.message) So the document was merged by lines.")
      let merge = try text.openMerge(of: sides, options: options)
      let lines = try merge.outcome()
      if lines.isComplete, let doubt = format.doubt(about: lines.bytes, of: sides) {
        return OpenMerge(asking: "\(error.message) \(doubt)", about: sides)
      }
      return OpenMerge(PrefacedMerge(preface: [said], merge: merge))
    }
  }

  /// Returns the merge by lines; `nil` if it leaves a question.
  private func completeLines(
    of documents: MergeSides<[UInt8]>, _ options: MergeOptions
  ) throws -> MergeOutcome? {
    let outcome = try text.merge(documents, options: options)
    return outcome.isComplete ? outcome : nil
  }

  private func trees(
    of texts: MergeSides<[UInt8]>, _ labels: MergeLabels
  ) throws -> MergeSides<StructureTree> {
    func tree(_ text: [UInt8], _ label: String) throws -> StructureTree {
      guard text.count <= StructureTreeBuilder.sizeLimit else {
        throw MergeError(.tooLarge, "\(label): There are too many bytes to merge by structure.")
      }
      do {
        return try format.parse(text)
      } catch let error as MergeError {
        throw MergeError(error.code, "\(label): \(error.message)")
      }
    }
    return try format.readAlike(
      MergeSides(
        base: try texts.base.map { try tree($0, labels.base) },
        ours: try tree(texts.ours, labels.ours), theirs: try tree(texts.theirs, labels.theirs)))
  }

  /// Merges documents by their structure, and chooses between the result and the merge by lines; `nil` if the
  /// sides don't fit together at all.
  private func merge(
    _ trees: MergeSides<StructureTree>, _ lines: MergeOutcome?, _ form: TextForm,
    _ rulings: MergeRulings, _ options: MergeOptions
  ) throws -> (any AnswerableMerge)? {
    var merge = StructureMerge(
      trees, format: format, rules: rules(options), options: options, rulings: rulings)
    try merge.run()
    let structured = merge.outcome
    let isAgreed = structured.isComplete && structured.bytes == lines?.bytes
    let result = try parsed(
      structured.bytes, trees, lists: structured.isComplete, newLeaves: merge.mergedLeaves)
    if let lines, !merge.hasContradiction, !isAgreed,
      let other = try parsed(lines.bytes, trees, lists: !structured.isComplete)
    {
      // If the structure only asks about positions, lines may be better, unless they mix up members.
      let isBetter =
        structured.isComplete
        ? result.map { $0.hasEqualMembers(other, format) } ?? false
        : MemberCounts(in: other, format)
          .areMerged(from: trees.map { MemberCounts(in: $0, format) })
      if isBetter {
        return lines.encoded(in: form).map(CompleteMerge.init)
      }
    }
    let agreed = isAgreed && !rulings.overrulesLines ? lines : nil
    let chosen = agreed ?? structured
    guard result != nil, let encoded = chosen.encoded(in: form) else { return nil }
    if encoded.isComplete { return CompleteMerge(outcome: encoded) }
    return RepeatableMerge(encoded, merge.clashes) { answers in
      try self.merge(trees, answers, form, rulings, options)
    }
  }

  /// Merges documents with answers.
  private func merge(
    _ trees: MergeSides<StructureTree>, _ answers: [ClashLog.Key: MergeAnswer], _ form: TextForm,
    _ rulings: MergeRulings, _ options: MergeOptions
  ) throws -> MergeOutcome {
    func merged(
      _ answers: [ClashLog.Key: MergeAnswer], _ literals: Set<ClashLog.Key>
    ) throws -> MergeOutcome? {
      var merge = StructureMerge(
        trees, format: format, rules: rules(options), options: options, answers: answers,
        literals: literals, rulings: rulings)
      try merge.run()
      let isValid = try parsed(merge.outcome.bytes, trees, lists: false) != nil
      return isValid ? merge.outcome : nil
    }
    // An answer that isn't a value of the format is meant as text.
    var literals: Set<ClashLog.Key> = []
    for (key, answer) in answers where answer.choice == .text {
      if try merged([key: answer], []) == nil { literals.insert(key) }
    }
    guard let outcome = try merged(answers, literals), let encoded = outcome.encoded(in: form)
    else {
      throw MergeError(
        .invalidAnswer, "With these answers, the result would not be a valid document.")
    }
    return encoded
  }

  /// Reads a result; `nil` if it isn't valid, or has something twice that no side has twice.
  private func parsed(
    _ result: [UInt8], _ sides: MergeSides<StructureTree>, lists: Bool, newLeaves: Int? = nil
  ) throws -> StructureTree? {
    guard let tree = try valid(result), format.isSound(tree, of: sides, newLeaves: newLeaves) else {
      return nil
    }
    let doubled = DoubledMembers(in: tree, format, lists: lists)
    guard !doubled.isEmpty else { return tree }
    let others = sides.map { DoubledMembers(in: $0, format, lists: lists) }
    return doubled.isCovered(by: others) ? tree : nil
  }

  /// Reads a document; `nil` if it isn't valid.
  private func valid(_ document: [UInt8]) throws -> StructureTree? {
    do {
      return try format.parse(document)
    } catch let error as MergeError {
      guard error.isAboutForm else { throw error }
      return nil
    }
  }
}

extension MergeSides<[UInt8]> {
  /// The sides without a blank base, as if both had added the document.
  fileprivate var withoutEmptyBase: MergeSides<[UInt8]> {
    guard let base, base.allSatisfy(\.isSpace) else { return self }
    return MergeSides(base: nil, ours: ours, theirs: theirs)
  }
}

extension MergeError {
  /// True if the error means that a document can't be read by its structure, though lines can be merged.
  fileprivate var isAboutForm: Bool { code == .invalidDocument || code == .tooDeep }
}

extension MergeOutcome {
  /// Returns the outcome in a document's encoding and line endings; `nil` if they don't allow it.
  fileprivate func encoded(in form: TextForm) -> MergeOutcome? {
    form.encode(bytes, keepsLastNewline: false).map {
      MergeOutcome(bytes: $0, decisions: decisions)
    }
  }
}

extension StructuredMergeEngine: DocumentTreeReader {
  func tree(of text: [UInt8]) throws -> DocumentTree {
    guard text.count <= StructureTreeBuilder.sizeLimit else {
      throw MergeError(.tooLarge, "There are too many bytes to read by structure.")
    }
    return DocumentTree(try format.parse(text), format)
  }
}
