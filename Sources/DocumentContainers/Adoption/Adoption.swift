package import DocumentConflicts
internal import DocumentCoordination
internal import DocumentFiles
package import DocumentMerge
package import DocumentStore
package import Foundation
internal import SystemPackage

/// Finds conflicted copies that sync tools leave behind, and adopts them: each becomes a version of its document,
/// conflicts between them are resolved, and a copy’s file goes once its contents are a version.
///
/// ```swift
/// let adoption = Adoption()
/// for try await copy in adoption.copies(in: [folder]) { list.append(copy) }
/// for try await document in adoption.adopt(in: [folder], by: .merge) { done.append(document) }
/// try await adoption.undo(in: folder)
/// ```
///
/// Nothing is ever lost: every copy that goes is in the history of its document, and the whole adoption can be undone.
package struct Adoption: Sendable {
  /// Who adopts, and when; with its `isDryRun` nothing is changed.
  package var store: VersionStore
  /// What merges files.
  package var engines: MergeEngines

  /// Makes an adoption.
  ///
  /// - Parameters:
  ///   - store: who adopts, and when.
  ///   - engines: what merges files.
  package init(store: VersionStore = VersionStore(), engines: MergeEngines = MergeEngines()) {
    self.store = store
    self.engines = engines
  }

  // MARK: Finding

  /// The conflicted copies in folders and below them, document by document; nothing is changed.
  ///
  /// - Parameter places: folders, and files that count as copies because they are named.
  package func copies(in places: [URL]) -> AsyncThrowingStream<ConflictedCopy, any Error> {
    streaming { yield in
      for group in try await groups(in: places) {
        let engines = engines
        for copy in try await store.perform({
          try CopyReader(store: $0, engines: engines).copies(group)
        }) { yield(copy) }
      }
    }
  }

  /// The same at once, on several cores.
  package static func copies(
    in places: [URL], store: SynchronousStore, engines: MergeEngines
  ) throws -> [ConflictedCopy] {
    let groups = try groups(in: places, store)
    let reader = CopyReader(store: store, engines: engines)
    return try ForkJoin.map(groups.count, atMost: ForkJoin.coreCount) { index in
      Result { try reader.copies(groups[index]) }
    }.flatMap { try $0.get() }
  }

  private func groups(in places: [URL]) async throws -> [[CopyScan.Found]] {
    try await store.perform { try Self.groups(in: places, $0) }
  }

  /// The copies that are found, by their documents.
  private static func groups(in places: [URL], _ store: SynchronousStore) throws -> [[CopyScan
    .Found]]
  {
    var scan = CopyScan(store)
    try scan.search(places)
    var groups: [[CopyScan.Found]] = []
    var indices: [String: Int] = [:]
    for found in scan.found {
      let key = found.document.string
      if let index = indices[key] {
        groups[index].append(found)
      } else {
        indices[key] = groups.count
        groups.append([found])
      }
    }
    return groups
  }

  // MARK: Adopting

  /// Adopts conflicted copies in folders and below them.
  ///
  /// A document without versions is saved first. A copy that is not taken stays as it is, and so does its document. A
  /// canceled task stops at the next piece of work; what was done until then stays, and can be undone.
  ///
  /// - Parameters:
  ///   - places: folders, and files that count as copies because they are named.
  ///   - rule: which copies are taken, and how they are brought together with their documents.
  ///   - isWanted: is asked about each copy that the rule takes; false leaves it.
  /// - Returns: the documents, as they are done; one that fails stops no other.
  package func adopt(
    in places: [URL], by rule: AdoptionRule,
    where isWanted: @escaping @Sendable (ConflictedCopy) async throws -> Bool = { _ in true }
  ) -> AsyncThrowingStream<AdoptedDocument, any Error> {
    streaming { yield in
      let journals = AdoptionJournals(at: store.clock())
      let all = try await groups(in: places)
      // If a person is asked, it is about one document after the other.
      let width = rule.mayAsk ? 1 : Self.mostTogether
      var start = 0
      while start < all.count {
        try Task.checkCancellation()
        let next = all[start..<min(start + width, all.count)]
        let adopted = try await withThrowingTaskGroup(of: (Int, AdoptedDocument?).self) { tasks in
          for (index, group) in zip(next.indices, next) {
            tasks.addTask {
              (index, try await adopt(group, in: places, by: rule, where: isWanted, journals))
            }
          }
          var adopted: [Int: AdoptedDocument] = [:]
          for try await (index, document) in tasks { adopted[index] = document }
          return next.indices.compactMap { adopted[$0] }
        }
        adopted.forEach(yield)
        start += width
      }
    }
  }

  /// Most of an adoption is waiting for the disk.
  private static let mostTogether = 16

  private func adopt(
    _ group: [CopyScan.Found], in places: [URL], by rule: AdoptionRule,
    where isWanted: @escaping @Sendable (ConflictedCopy) async throws -> Bool,
    _ journals: AdoptionJournals
  ) async throws -> AdoptedDocument? {
    let (container, copies) = try await read(group, in: places)
    guard !copies.isEmpty else { return nil }
    let run = try AdoptionRun(
      store: store, engines: engines, rule: rule, isWanted: isWanted,
      journal: journals.journal(of: container))
    // No program waits until a person has answered.
    guard !rule.mayAsk, !store.isDryRun else { return try await run.adopt(copies) }
    let document = URL(filePath: group[0].document.string)
    return try await FileCoordinator(forStoreWaiting: store.environment.lockSeconds)
      .coordinate(writingItemAt: document, options: .forMerging) { _ in
        try await run.adopt(copies)
      }
  }

  /// The copies of one document, and the container that it is in, or will be in.
  private func read(
    _ group: [CopyScan.Found], in places: [URL]
  ) async throws -> (container: URL, copies: [ConflictedCopy]) {
    let engines = engines
    return try await store.perform { store in
      let copies = try CopyReader(store: store, engines: engines).copies(group)
      let folder = URL(filePath: group[0].document.removingLastComponent().string)
      if let container = try store.container(around: folder) { return (container, copies) }
      // One for all documents of the folder that was named.
      let place = places.first { folder.path.isAtOrBelow($0.path) && $0.isFolder } ?? folder
      if !store.isDryRun, !copies.isEmpty { try store.makeContainer(place) }
      return (try store.container(around: folder) ?? place, copies)
    }
  }

  // MARK: Undoing

  /// Undoes the last adoption in a folder: the copies’ files come back, and the documents are what they were before.
  ///
  /// The versions stay, and are in conflict again. A document that was changed since keeps what it is now.
  ///
  /// - Parameter folder: a container, or a folder in one.
  /// - Returns: `nil` if there is nothing to undo.
  package func undo(in folder: URL) async throws -> UndoneAdoption? {
    try await store.perform { try AdoptionUndo(store: $0).undo(in: folder) }
  }

  // MARK: Streams

  private func streaming<Element: Sendable>(
    _ produce: @escaping @Sendable ((Element) -> Void) async throws -> Void
  ) -> AsyncThrowingStream<Element, any Error> {
    AsyncThrowingStream { continuation in
      let task = Task {
        do {
          try await produce { continuation.yield($0) }
          continuation.finish()
        } catch {
          continuation.finish(throwing: error)
        }
      }
      continuation.onTermination = { _ in task.cancel() }
    }
  }
}

/// The rule by which copies are taken, and brought together with their documents.
package struct AdoptionRule: Sendable {
  enum Kind: Sendable {
    case merging
    case mergingElse(ResolutionStrategy)
    case resolving(ResolutionStrategy)
    case latest
  }

  let kind: Kind

  /// Whether the rule may ask a person.
  var mayAsk: Bool {
    switch kind {
    case .resolving, .mergingElse: true
    case .merging, .latest: false
    }
  }

  /// Takes the copies whose changes combine with those of their documents without a question, and those that bring nothing
  /// new; the others stay.
  package static let merge = AdoptionRule(kind: .merging)

  /// Takes all copies: what ``merge`` takes is merged, and about the others a strategy decides.
  ///
  /// Without a known base nothing is merged before the strategy decides, whatever the engine could combine.
  package static func merge(else strategy: ResolutionStrategy) -> AdoptionRule {
    AdoptionRule(kind: .mergingElse(strategy))
  }

  /// Takes all copies, and makes the one that was modified last the document, where that is later than the document.
  package static let latest = AdoptionRule(kind: .latest)

  /// Takes all copies, as versions in conflict, and resolves the conflicts by a strategy; if that leaves one, it stays
  /// open, and the copies’ files stay.
  package static func resolve(_ strategy: ResolutionStrategy) -> AdoptionRule {
    AdoptionRule(kind: .resolving(strategy))
  }

  /// Returns whether an adoption by this rule takes a copy.
  package func takes(_ copy: ConflictedCopy) -> Bool {
    switch (copy.outlook, kind) {
    case (.nothingNew, _), (.merges, _): true
    case (.refused, _), (.asks, .merging): false
    case (.asks(let question, _), .latest):
      switch question {
      // What it is of, and what else is in conflict, is a question of its own.
      case .ambiguousName, .documentInConflict: false
      default: true
      }
    case (.asks, .resolving), (.asks, .mergingElse): true
    }
  }
}

/// A document whose copies were adopted.
package struct AdoptedDocument: Sendable {
  /// A copy of the document.
  package struct Copy: Sendable {
    /// The copy, as it was found.
    package let copy: ConflictedCopy
    /// Whether it was taken in; in a dry run, if it would be.
    package internal(set) var isTaken = false
    /// The version that has its contents; `nil` if it was not taken in.
    package internal(set) var version: FileVersion?
    /// Whether its file is gone.
    package internal(set) var isRemoved = false

    init(_ copy: ConflictedCopy) {
      self.copy = copy
    }
  }

  /// The document.
  package let document: URL
  /// Its copies.
  package internal(set) var copies: [Copy]
  /// The end of the conflict between them; `nil` if there was none, or where it is left.
  package internal(set) var resolution: Resolution?
  /// Whether the conflict between them is left unresolved.
  package internal(set) var isInConflict = false
  /// The questions that are left, where the conflict is.
  package internal(set) var questions: [MergeDecision] = []
  /// The error that ended the adoption of this document; `nil` if there was none.
  package internal(set) var failure: (any Error)?

  init(document: URL, copies: [Copy]) {
    self.document = document
    self.copies = copies
  }
}

extension String {
  fileprivate func isAtOrBelow(_ folder: String) -> Bool {
    hasBytes(of: folder) || utf8.starts(with: (folder.hasSuffix("/") ? folder : folder + "/").utf8)
  }
}

extension URL {
  fileprivate var isFolder: Bool {
    var isFolder = ObjCBool(false)
    return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
      && isFolder.boolValue
  }
}
