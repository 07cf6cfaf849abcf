internal import DocumentVersions
internal import Foundation

/// The deeds of a device.
extension Device {
  /// Exchanges once.
  ///
  /// - Returns: the number of versions sent and received.
  func exchange(through folder: URL) async throws -> Int {
    try checkConnection()
    return try await store.perform { store in
      let results = try store.exchange(container, through: folder).documents
      for result in results {
        guard let failure = result.failure else { continue }
        throw Mismatch("\(result.document.lastPathComponent): \(failure)")
      }
      return results.map { $0.received + $0.sent }.reduce(0, +)
    }
  }

  /// Performs any other deed, in the app if the deed belongs there or the document is open there.
  func perform(_ deed: ScenarioStep.Deed) async throws {
    if case .byTool(let deed) = deed { return try await tool.perform(deed, on: self) }
    if case .inOtherApp(let deed) = deed {
      guard try await otherApp.perform(deed, on: self) else {
        throw Mismatch("the other app does no such thing to a document that it has not open")
      }
      return
    }
    if try await download(deed) { return }
    if try await app.perform(deed, on: self) { return }
    if case .resolve(let document, let strategy) = deed {
      try await resolve(document, by: strategy)
    } else {
      try await store.perform { _ in try performAlone(deed) }
    }
  }

  private func performAlone(_ deed: ScenarioStep.Deed) throws {
    switch deed {
    case .edit(let document, let file):
      try write(file, as: document)
    case .save(let document, let file, let base, let note):
      if let file { try write(file, as: document) }
      _ = try store.save(
        url(document), note: note, base: try base.map { try version(of: document, from: $0) })
    case .restore(let document, let file):
      _ = try store.restore(version(of: document, from: file))
    case .removeVersion(let file, let document):
      try version(of: document, from: file).remove()
    case .removeOthers(let document):
      try store.removeOthers(of: url(document))
    case .markResolved(let file, let document):
      let marked = try version(of: document, from: file)
      guard !marked.isResolved else {
        throw Mismatch("“\(file)” isn’t an unresolved conflict version", code: "no-conflict")
      }
      try marked.markResolved()
    case .delete(let document):
      try store.delete(url(document))
    case .rename(let document, let name):
      try store.rename(url(document), to: name)
    case .undo(let document):
      try store.undo(url(document))
    case .thin(let document, let last):
      try store.thin(url(document), keeping: RetentionPolicy(last: last))
    case .undelete(let document):
      try store.undelete(of: url(document))
    case .pin(let file, let document):
      try version(of: document, from: file).setPinned(true)
    case .unpin(let file, let document):
      try version(of: document, from: file).setPinned(false)
    case .importCopy(let file, let document, let base):
      try write(file, as: file)
      _ = try store.importCopy(
        url(file), into: url(document), base: try base.map { try version(of: document, from: $0) })
    default:
      // Done by the stage, by the app, or above.
      break
    }
  }

  private func write(_ file: String, as document: String) throws {
    let place = try url(document)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try contents(file).write(to: place, modified: time)
  }

  // MARK: Resolving

  private func resolve(_ document: String, by strategy: ScenarioStep.Strategy) async throws {
    let resolver = ConflictResolver(
      try self.strategy(strategy, for: document), store: VersionStore(store))
    try Self.check(try await resolver.resolve(url(document)), of: document)
  }

  /// Checks that a conflict was resolved.
  static func check(_ outcome: ResolutionOutcome, of document: String) throws {
    switch outcome {
    case .resolved: return
    case .noConflict: throw Mismatch("“\(document)” is in no conflict", code: "no-conflict")
    case .unresolved(let questions, _): throw UndecidedQuestions(questions: questions)
    }
  }

  /// Returns a strategy, with the versions that it names.
  func resolution(
    _ strategy: ScenarioStep.Strategy, of document: String
  ) async throws -> ResolutionStrategy {
    try await store.perform { _ in try self.strategy(strategy, for: document) }
  }

  /// Returns the newest version with the contents of a file.
  func chosenVersion(of document: String, from file: String) async throws -> FileVersion {
    try await store.perform { _ in try version(of: document, from: file) }
  }

  private func strategy(
    _ strategy: ScenarioStep.Strategy, for document: String
  ) throws -> ResolutionStrategy {
    switch strategy {
    case .latest: return .latest
    case .merge: return .merge
    case .keep(let file): return .keep(try version(of: document, from: file).id)
    case .ask(let answer):
      let reply = try reply(answer, for: document)
      return .ask { _ in reply }
    case .either(let first, let next):
      return try self.strategy(first, for: document)
        .otherwise(self.strategy(next, for: document))
    }
  }

  private func reply(_ answer: ScenarioStep.Answer, for document: String) throws -> ConflictAnswer {
    switch answer {
    case .acceptProposal: return .useProposal
    case .skip: return .skip
    case .keep(let file): return .keep(try version(of: document, from: file).id)
    case .contents(let file):
      guard case .file(let data, _) = try contents(file) else {
        throw Mismatch("“\(file)” isn’t a file that could be an answer")
      }
      return .use(data)
    }
  }
}

/// An error for a strategy that leaves a conflict unresolved.
struct UndecidedQuestions: Error, CustomStringConvertible {
  static let code = "undecided"

  let questions: [MergeDecision]

  var description: String {
    let list = questions.map(\.explanation).joined(separator: " ")
    return "\(questions.count) questions are left. \(list)"
  }
}
