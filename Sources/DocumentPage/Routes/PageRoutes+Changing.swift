internal import DocumentVersions
internal import Foundation
internal import NIOHTTP1

/// What changes a document.
extension PageRoutes {
  func change(_ request: PageRequest) async throws -> PageResponse {
    switch request.path {
    case "/api/edit": return try await edit(request.decoded(Edit.self))
    case "/api/merge": return try await merge(request.decoded(LocalText.self))
    case "/api/save": return try await save(request.decoded(Named.self))
    case "/api/restore": return try await restore(request.decoded(VersionOf.self))
    case "/api/answer": return try await answer(request.decoded(Answer.self))
    case "/api/resolve": return try await resolve(request.decoded(Resolving.self))
    case "/api/new": return try await create(request.decoded(New.self))
    case "/api/rename": return try await rename(request.decoded(Named.self))
    case "/api/duplicate": return try await duplicate(request.decoded(Named.self))
    case "/api/delete": return try await delete(request.decoded(Named.self))
    case "/api/undelete": return try await undelete(request.decoded(Named.self))
    default: throw PageError(.notFound, "There is no such request.")
    }
  }

  // MARK: Editing

  struct Edit: Decodable {
    let document: String
    let revision, start, removed: Int
    let inserted: String
  }

  struct Revision: Encodable {
    let revision: Int
  }

  private func edit(_ edit: Edit) async throws -> PageResponse {
    let document = try await text(edit.document)
    guard edit.revision == document.revision else {
      throw PageError(.preconditionFailed, "The text was changed elsewhere in the meantime.")
    }
    guard !document.state.contains(.editingDisabled), !document.isReadOnly else {
      throw PageError(.locked, "The text can't be changed just now.")
    }
    guard document.replace(from: edit.start, count: edit.removed, with: edit.inserted) else {
      throw PageError(.badRequest, "The text has no such place.")
    }
    return try PageResponse(json: Revision(revision: document.revision))
  }

  /// What a window has typed, and the text that it was typed into.
  struct LocalText: Decodable {
    let document, base, mine: String
  }

  struct MergedText: Encodable {
    let revision: Int
    /// The text that the document has.
    let text: String
    /// Both together: with the window's side where they contradict each other, and with the document's.
    let merged, theirs: String
    let questions: [String]
  }

  /// Merges what a window has typed with what the document became meanwhile; nothing is changed.
  private func merge(_ local: LocalText) async throws -> PageResponse {
    let document = try await text(local.document)
    let (revision, now) = (document.revision, document.text)
    let engine = MergeEngines().engine(forFileName: document.fileURL.lastPathComponent)
    let merge = try engine.openMerge(
      of: MergeSides(
        base: Array(local.base.utf8), ours: Array(local.mine.utf8), theirs: Array(now.utf8)),
      options: MergeOptions())
    func merged(_ answer: MergeAnswer) throws -> String {
      let answers = merge.clashes.indices.map { ($0, answer) }
      let outcome = try merge.outcome(answers: Dictionary(uniqueKeysWithValues: answers))
      return String(decoding: outcome.bytes, as: UTF8.self)
    }
    return try PageResponse(
      json: MergedText(
        revision: revision, text: now, merged: try merged(.ours), theirs: try merged(.theirs),
        questions: merge.clashes.map { "\($0.decision.place): \($0.decision.explanation)" }))
  }

  struct Named: Decodable {
    let document: String
    /// A note for a version, or a new name.
    var name: String?
  }

  struct Place: Encodable {
    let document: String
  }

  private func save(_ request: Named) async throws -> PageResponse {
    let document = try await text(request.document)
    let note = request.name.flatMap { $0.isEmpty ? nil : $0 }
    try await document.save(note: note)
    return .done
  }

  struct VersionOf: Decodable {
    let document, version: String
  }

  private func restore(_ request: VersionOf) async throws -> PageResponse {
    let place = try folder.place(of: request.document)
    guard let identifier = FileVersion.PersistentIdentifier(request.version),
      let version = try await FileVersion.version(
        of: place, identifier: identifier, store: folder.store)
    else { throw PageError(.notFound, "There is no such version.") }
    if let open = folder.shown(request.document) {
      try await open.opened().revert(to: version)
    } else {
      try await folder.store.restore(version, of: place)
    }
    return .done
  }

  // MARK: Conflicts

  struct Answer: Decodable {
    let document, question: String
    /// A choice such as "ours"; nil to take the answer back.
    let choice: String?
    let text: String?
  }

  private func answer(_ request: Answer) async throws -> PageResponse {
    let answers = folder.answers(about: request.document)
    let answer: MergeAnswer? = try request.choice.map { choice in
      switch MergeAnswer.Choice(rawValue: choice) {
      case .ours: .ours
      case .theirs: .theirs
      case .both: .both
      case .base: .base
      case .text: .text(Array((request.text ?? "").utf8))
      case nil: throw PageError(.badRequest, "There is no such answer.")
      }
    }
    let conflict = try await currentConflict(of: request.document)
    _ = try await answers.review(conflict)
    try answers.answer(request.question, with: answer)
    return try PageResponse(json: try await ConflictFacts(conflict, answers: answers))
  }

  struct Resolving: Decodable {
    let document: String
    /// The versions that the page showed.
    let versions: [String]
    /// The version to keep; nil for the merged result.
    let keep: String?
    /// The result as a person has changed it; nil for the one that follows from the answers.
    let text: String?
  }

  struct Resolved: Encodable {
    let isResolved: Bool
  }

  private func resolve(_ request: Resolving) async throws -> PageResponse {
    let place = try folder.place(of: request.document)
    let answers = folder.answers(about: request.document).given
    let strategy = ResolutionStrategy.ask { question in
      // Another one than was shown: the page shows it before anything is decided.
      guard question.conflict.versions.map(\.id.description) == request.versions else {
        return .skip
      }
      if let keep = request.keep {
        guard let identifier = FileVersion.PersistentIdentifier(keep) else { return .skip }
        return .keep(identifier)
      }
      if let text = request.text { return .use(Data(text.utf8)) }
      guard !question.proposal.isComplete else { return .useProposal }
      let asked = question.proposal.clashes.compactMap { clash in
        answers[clash.id].map { (clash.id, $0) }
      }
      return .answer(Dictionary(asked, uniquingKeysWith: { $1 }))
    }
    let outcome: ResolutionOutcome
    if let open = folder.shown(request.document), open.phase == .open {
      outcome = try await open.document.resolve(strategy)
    } else {
      outcome = try await ConflictResolver(strategy, store: folder.store).resolve(place)
    }
    let isResolved = if case .unresolved = outcome { false } else { true }
    return try PageResponse(json: Resolved(isResolved: isResolved))
  }

  // MARK: The folder

  struct New: Decodable {
    /// The text of the new document.
    var text: String?
    /// The extension, without a dot.
    var kind: String?
  }

  private func create(_ request: New) async throws -> PageResponse {
    let kind = request.kind ?? "md"
    guard ["md", "txt", "csv"].contains(kind) else {
      throw PageError(.badRequest, "There is no such kind of document.")
    }
    let url = try DocumentName.unused(in: folder.root, prefix: "Note", pathExtension: kind)
    let document = TextDocument(
      fileURL: url, environment: DocumentEnvironment(store: folder.store))
    try await document.create()
    if let text = request.text { document.replace(with: text) }
    try await document.close()
    return try await placed(url)
  }

  /// The path of a new document, once the list has it.
  private func placed(_ url: URL) async throws -> PageResponse {
    let path = folder.path(of: url.path)
    let end = ContinuousClock.now + .seconds(5)
    while folder.item(path) == nil, ContinuousClock.now < end {
      try await Task.sleep(for: .milliseconds(10))
    }
    return try PageResponse(json: Place(document: path))
  }

  private func rename(_ request: Named) async throws -> PageResponse {
    let place = try folder.place(of: request.document)
    let typed = request.name ?? ""
    let clean = DocumentName.sanitized(typed)
    guard !typed.isEmpty, typed == clean else {
      throw PageError(.badRequest, "A name can't be “\(typed)”; “\(clean)” would do.")
    }
    let name =
      clean.contains(".") || place.pathExtension.isEmpty ? clean : "\(clean).\(place.pathExtension)"
    let target = place.deletingLastPathComponent().appending(path: name)
    if let open = folder.shown(request.document) {
      try await open.opened().move(to: target)
    } else {
      try await folder.store.rename(place, to: name)
    }
    return try await placed(target)
  }

  private func duplicate(_ request: Named) async throws -> PageResponse {
    let isShown = folder.shown(request.document) != nil
    let document =
      isShown
      ? try await text(request.document)
      : TextDocument(
        fileURL: try folder.place(of: request.document),
        environment: DocumentEnvironment(store: folder.store))
    if !isShown { try await document.open() }
    let copy = try await document.duplicate()
    if !isShown { try await document.close() }
    return try await placed(copy)
  }

  private func delete(_ request: Named) async throws -> PageResponse {
    let place = try folder.place(of: request.document)
    if let open = folder.shown(request.document) {
      try await open.opened().delete()
    } else {
      // A document without versions has none to come back from.
      if try await folder.store.state(of: place) != .unchanged {
        try await folder.store.save(place)
      }
      try await folder.store.delete(place)
    }
    return .done
  }

  private func undelete(_ request: Named) async throws -> PageResponse {
    // It is in no list now: the path is checked as a name below the folder.
    let names = request.document.split(separator: "/", omittingEmptySubsequences: false)
    guard !names.contains(where: { $0.isEmpty || $0 == "." || $0 == ".." }) else {
      throw PageError(.notFound, "There is no such document.")
    }
    let place = folder.root.appending(path: request.document)
    guard
      place.deletingLastPathComponent().resolvingSymlinksInPath().path
        == place.deletingLastPathComponent().path
    else { throw PageError(.forbidden, "That is a link that leads out of the folder.") }
    guard try await folder.store.state(of: place) == .deleted else {
      throw PageError(.conflict, "The document is not deleted.")
    }
    try await folder.store.undo(place)
    return try await placed(place)
  }
}
