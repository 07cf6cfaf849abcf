internal import DocumentVersions
internal import Foundation
internal import NIOHTTP1

/// Requests that change a document.
extension PageRoutes {
  func change(_ request: PageRequest) async throws -> PageResponse {
    switch request.path {
    case "/api/edit": return try await edit(request.decoded(Edit.self))
    case "/api/undo": return try await replay(request.decoded(Undoing.self)) { $0.undo() }
    case "/api/redo": return try await replay(request.decoded(Undoing.self)) { $0.redo() }
    case "/api/tree": return try tree(request.decoded(Text.self))
    case "/api/merge": return try await merge(request.decoded(LocalText.self))
    case "/api/save": return try await save(request.decoded(Named.self))
    case "/api/restore": return try await restore(request.decoded(VersionOf.self))
    case "/api/answer": return try await answer(request.decoded(Answer.self))
    case "/api/resolve": return try await resolve(request.decoded(Resolving.self))
    case "/api/new": return try await create(request.decoded(New.self))
    case "/api/rename": return try await rename(request.decoded(Named.self))
    case "/api/move": return try await move(request.decoded(Moving.self))
    case "/api/duplicate": return try await duplicate(request.decoded(Named.self))
    case "/api/delete": return try await delete(request.decoded(Named.self))
    case "/api/download": return try await download(request.decoded(Named.self))
    case "/api/undelete": return try await undelete(request.decoded(Named.self))
    default: throw PageError(.notFound, "There is no such request.")
    }
  }

  // MARK: Editing

  struct Edit: Decodable {
    let document: String
    let revision, start, removed: Int
    let inserted: String
    /// The name of the change in the undo menu.
    var name: String?
  }

  private func edit(_ edit: Edit) async throws -> PageResponse {
    let document = try await editable(edit.document, at: edit.revision)
    let name = edit.name.map { String($0.prefix(40)) } ?? "Change"
    guard
      document.replace(from: edit.start, count: edit.removed, with: edit.inserted, named: name)
    else { throw PageError(.badRequest, "The text has no such place.") }
    return try PageResponse(json: ["revision": document.revision])
  }

  /// Returns a document that can be changed and is in the state that the page knows.
  private func editable(_ path: String, at revision: Int) async throws -> TextDocument {
    let document = try await text(path)
    guard revision == document.revision else {
      throw PageError(.preconditionFailed, "The text was changed elsewhere in the meantime.")
    }
    guard !document.state.contains(.editingDisabled), !document.isReadOnly else {
      throw PageError(.locked, "The text can't be changed just now.")
    }
    return document
  }

  struct Undoing: Decodable {
    let document: String
    let revision: Int
  }

  private func replay(
    _ request: Undoing, _ step: @MainActor (DocumentUndoManager) -> Void
  ) async throws -> PageResponse {
    let document = try await editable(request.document, at: request.revision)
    if let manager = document.undoManager { step(manager) }
    return try PageResponse(json: ["revision": document.revision])
  }

  /// The text typed in a window, and the text it was based on.
  struct LocalText: Decodable {
    let document, base, mine: String
  }

  struct MergedText: Encodable {
    let revision: Int
    /// The text of the document.
    let text: String
    /// Both texts combined: one takes the window's side of contradictions, the other the document's.
    let merged, theirs: String
    let questions: [String]
  }

  /// Merges the text typed in a window with the document's present text, without changing anything.
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

  /// Returns the path of a new document, once the list has it.
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
      try await folder.keepEdits(of: place)
      try await folder.store.rename(place, to: name)
    }
    return try await placed(target)
  }

  struct Moving: Decodable {
    let document: String
    /// The path of the subfolder in the page's folder; it is created if it is missing.
    let folder: String
  }

  private func move(_ request: Moving) async throws -> PageResponse {
    let place = try folder.place(of: request.document)
    let parent = try folder.makeSubfolder(request.folder)
    let target = parent.url.appending(path: place.lastPathComponent)
    do {
      if let open = folder.shown(request.document) {
        try await open.opened().move(to: target)
      } else {
        try await folder.keepEdits(of: place)
        _ = try await FileVersion.move(place, to: target, store: folder.store)
      }
    } catch {
      parent.removeIfNew()
      throw error
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
      try await folder.keepEdits(of: place)
      try await folder.store.delete(place)
    }
    return .done
  }

  /// Downloads a document that is only listed.
  private func download(_ request: Named) async throws -> PageResponse {
    let place = try folder.place(of: request.document)
    let outcome = try await folder.store.startDownloading([place])
    if let failure = outcome.documents.first(where: { $0.document == place })?.failure {
      throw failure
    }
    return .done
  }

  private func undelete(_ request: Named) async throws -> PageResponse {
    // The document is in no list now, so its path is checked as a name in the folder.
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
