internal import DocumentFiles
internal import DocumentMerge
internal import DocumentStore
internal import DocumentTypes
internal import Foundation

/// Merges the versions of a conflict one after the other, oldest first, each with the base of both sides.
///
/// Each merged version may leave clashes, and the next one is merged with the answers to them. So the clashes of the
/// first step that leaves some have to be answered before those of the next.
struct VersionMerge {
  let conflict: Conflict
  /// The answers to clashes.
  let answers: [ConflictClash.ID: MergeAnswer]
  private let engines: MergeEngines
  private let reader: VersionReader

  /// - Throws: the errors of reading the declared types of the document's folder.
  init(
    conflict: Conflict, answers: [ConflictClash.ID: MergeAnswer], reader: VersionReader
  ) throws {
    self.conflict = conflict
    self.answers = answers
    self.reader = reader
    engines = conflict.engines.declaring(
      try conflict.store.synchronous.types(for: conflict.document))
  }

  /// Merges all versions.
  ///
  /// - Throws: `CancellationError` also if the progress of the reader's store is canceled.
  func proposal() throws -> MergeProposal {
    guard let progress = reader.progress else { return try mergedVersions() }
    return try MergeCancellation.heeding({ progress.isCancelled }, mergedVersions)
  }

  private func mergedVersions() throws -> MergeProposal {
    let memory = try AnswerMemory(reader, isUsed: conflict.remembersAnswers)
    var merged = try document(conflict.current)
    var decisions: [MergeDecision] = []
    var done = [conflict.current]
    var clashes: [ConflictClash] = []
    var known: Set<ConflictClash.ID> = []
    var remembered: [RememberedAnswer] = []
    var kept: [GivenAnswer] = []
    for version in conflict.versions.dropFirst().sorted(by: { $0.savingDate < $1.savingDate }) {
      let base = try base(of: done, and: version)
      let step = try VersionMergeStep(
        base: base, ours: merged, theirs: document(version), engines: engines,
        labels: labels(done, version))
      let attribution = try MergeAttribution(
        of: done, label: { labels($0, version).ours }
      ) { one in
        try VersionMergeStep(
          base: self.base(of: [one], and: version), ours: document(one), theirs: document(version),
          engines: engines, labels: labels(done, version))
      }
      let own = step.clashes.enumerated().map { number, clash in
        ConflictClash(
          id: ConflictClash.ID(ours: done.map(\.id), theirs: version.id, number: number),
          clash: clash.clash, isOfWholeVersions: clash.isWhole,
          ours: attribution.owners(of: clash.clash), theirs: version)
      }
      // The questions of a later step depend on the answers to those of this one.
      let isAnswerable = clashes.isEmpty
      if isAnswerable { known.formUnion(own.map(\.id)) }
      // One resolution may have answered many questions, and each look-up walks the history.
      var followers: [FileVersion.PersistentIdentifier: (ours: Bool, theirs: Bool)] = [:]
      let outcome = try answered(step, isAnswerable ? own : [], memory) { resolution in
        if let known = followers[resolution.id] { return known }
        let found = try reader.followers(of: resolution, among: done, and: version)
        followers[resolution.id] = found
        return found
      }
      clashes += outcome.open
      remembered += outcome.remembered
      kept += outcome.kept
      merged = outcome.document
      decisions += attribution.decisions(outcome.decisions)
      done.append(version)
    }
    if let unknown = answers.keys.first(where: { !known.contains($0) }) {
      throw MergeError(
        .invalidAnswer,
        """
        The versions are not those of the question that was answered: there is no number \(unknown.number) between \
        \(unknown.ours.map(\.short).joined(separator: ", ")) and \(unknown.theirs.short).
        """)
    }
    return MergeProposal(
      bytes: merged.bytes, decisions: decisions, clashes: clashes, path: merged.path,
      remembered: remembered, contents: merged.contents, versions: Set(done.map(\.id)),
      answers: kept)
  }

  /// The result of one step with the answers to its clashes, both new and remembered.
  private struct AnsweredStep {
    var document: MergedDocument
    var decisions: [MergeDecision]
    var open: [ConflictClash]
    var remembered: [RememberedAnswer] = []
    /// The answers, as the resolution’s record keeps them.
    var kept: [GivenAnswer] = []
  }

  private func answered(
    _ step: VersionMergeStep, _ clashes: [ConflictClash], _ memory: AnswerMemory,
    followers: (FileVersion) throws -> (ours: Bool, theirs: Bool)
  ) throws -> AnsweredStep {
    let questions = memory.questions(clashes, base: step.base)
    func result(remembering remembered: [RememberedAnswer]) throws -> AnsweredStep {
      var given: [Int: MergeAnswer] = [:]
      for clash in clashes { given[clash.id.number] = answers[clash.id] }
      for answer in remembered { given[answer.clash.id.number] = answer.answer }
      let result = try step.result(answers: given)
      return AnsweredStep(
        document: result.document, decisions: result.decisions,
        open: clashes.filter { given[$0.id.number] == nil }, remembered: remembered,
        kept: clashes.compactMap { clash in
          given[clash.id.number].flatMap { questions[clash.id.number]?.given($0) }
        })
    }
    let remembered = try clashes.filter { answers[$0.id] == nil }.compactMap { clash in
      try questions[clash.id.number].flatMap { try memory.answer(to: $0, followers: followers) }
    }
    guard !remembered.isEmpty else { return try result(remembering: []) }
    do {
      return try result(remembering: remembered)
    } catch let error as MergeError where error.code == .invalidAnswer {
      // The earlier answer no longer fits, so the question is asked.
      return try result(remembering: [])
    }
  }

  /// Returns the base to merge with.
  ///
  /// If the history can be read in more than one way, the base of each reading is a candidate.
  private func base(of done: [FileVersion], and version: FileVersion) throws -> MergeBase {
    let missed = try reader.partlyMissed(among: done, and: version)
    let bases = try reader.mergeBases(of: done, and: version).map {
      try base(mergedFrom: $0, missed)
    }
    if let first = bases.first, bases.count == 1 { return first }
    var possible: [MergedDocument?] = []
    for base in bases {
      switch base {
      case .none: possible.append(nil)
      case .known(let document): possible.append(document)
      case .several(let documents): possible += documents
      case .lost: return base
      }
    }
    return .several(possible)
  }

  /// Merges several bases, after criss-cross merges, into one.
  ///
  /// If they contradict each other, neither any of them nor any of their ancestors is the base of both sides, because
  /// each side may have decided the contradiction differently.
  ///
  /// - Parameter missed: the versions of one side that ignore a part of a version of the other one. The rest is based
  ///   on that version.
  private func base(
    mergedFrom bases: [FileVersion], _ missed: [(saved: FileVersion, missed: FileVersion)]
  ) throws -> MergeBase {
    guard !bases.isEmpty else { return .none }
    var documents: [MergedDocument] = []
    for base in bases {
      guard var contents = try reader.baseContents(of: base) else { return .lost(base) }
      for pair in missed where try reader.isMade(pair.missed, from: base) {
        guard let saved = try reader.baseContents(of: pair.saved),
          let present = try reader.baseContents(of: pair.missed)
        else { return .lost(pair.missed) }
        contents = try contents.taking(membersOf: present, in: saved)
      }
      documents.append(MergedDocument(contents: contents, path: base.path))
    }
    var merged = documents[0]
    for (index, next) in bases.enumerated().dropFirst() {
      let older = try base(of: Array(bases[..<index]), and: next)
      if case .lost = older { return older }
      let step = try VersionMergeStep(
        base: older, ours: merged, theirs: documents[index], engines: engines,
        labels: MergeLabels())
      guard step.clashes.isEmpty else { return .several(documents) }
      merged = try step.result().document
    }
    return .known(merged)
  }

  private func document(_ version: FileVersion) throws -> MergedDocument {
    MergedDocument(contents: try reader.contents(of: version), path: version.path)
  }

  private func labels(_ done: [FileVersion], _ version: FileVersion) -> MergeLabels {
    func label(_ version: FileVersion) -> String { "\(version.author) (\(version.savingDevice))" }
    var names = (
      ours: done.map(label).joined(separator: " and "), theirs: label(version)
    )
    // Two versions from one device are distinguished by their ids.
    if names.ours == names.theirs {
      names.ours += " \(conflict.current.id.short)"
      names.theirs += " \(version.id.short)"
    }
    return MergeLabels(base: "base", ours: names.ours, theirs: names.theirs)
  }
}

extension DocumentTypes {
  /// Returns the declared types of a file with this name, nearest first; `nil` if none is declared.
  func identifiers(forName fileName: String) -> [String]? {
    // Usually nothing is declared, and the other types don't matter.
    guard !declared.isEmpty else { return nil }
    let name = URL(filePath: fileName).lastPathComponent
    guard let type = type(for: URL(filePath: name)), declared.contains(type) else { return nil }
    return [type.identifier] + supertypes(of: type)
  }
}
