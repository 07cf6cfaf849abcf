package import DocumentConflicts
internal import DocumentCoordination
internal import DocumentFiles
package import DocumentMerge
package import DocumentStore
package import Foundation
internal import SystemPackage

/// Finds and adopts conflicted copies that sync tools leave behind.
///
/// Each copy becomes a version of its document, conflicts are resolved, and a copy’s file is removed once its contents
/// are a version.
///
/// ```swift
/// let adoption = Adoption()
/// for try await copy in adoption.copies(in: [folder]) { list.append(copy) }
/// for try await document in adoption.adopt(in: [folder], by: .merge) { done.append(document) }
/// try await adoption.undo(in: folder)
/// ```
///
/// Nothing is ever lost: every removed copy is in the history of its document, and the whole adoption can be undone.
package struct Adoption: Sendable {
  /// The store, with the identity and the clock of adoptions; with its `isDryRun`, nothing is changed.
  package var store: VersionStore
  /// The engines that merge files.
  package var engines: MergeEngines

  /// Creates an adoption.
  ///
  /// - Parameters:
  ///   - store: the store, with the identity and the clock of adoptions.
  ///   - engines: the engines that merge files.
  package init(store: VersionStore = VersionStore(), engines: MergeEngines = MergeEngines()) {
    self.store = store
    self.engines = engines
  }

  // MARK: Finding

  /// Finds the conflicted copies in folders and below them, document by document, without a change.
  ///
  /// - Parameter places: folders, and files that count as copies because the caller names them.
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

  /// Finds the conflicted copies in one call, on several cores.
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

  /// Returns the found copies, grouped by document.
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
  /// A document without versions is saved first. A copy that isn't adopted stays unchanged, and so does its document. A
  /// canceled task stops at the next step; completed work stays, and can be undone.
  ///
  /// - Parameters:
  ///   - places: folders, and files that count as copies because the caller names them.
  ///   - rule: the rule for which copies are adopted, and how conflicts are resolved.
  ///   - isWanted: returns whether to adopt a copy that the rule selects.
  /// - Returns: the documents, in the order of completion; a failure doesn't stop the others.
  package func adopt(
    in places: [URL], by rule: AdoptionRule,
    where isWanted: @escaping @Sendable (ConflictedCopy) async throws -> Bool = { _ in true }
  ) -> AsyncThrowingStream<AdoptedDocument, any Error> {
    streaming { yield in
      let journals = AdoptionJournals(at: store.clock())
      let all = try await groups(in: places)
      // A person is asked about one document after the other.
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

  /// An adoption mostly waits for the disk, so documents are adopted concurrently.
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
    // No program waits for a person's answer.
    guard !rule.mayAsk, !store.isDryRun else { return try await run.adopt(copies) }
    let document = URL(filePath: group[0].document.string)
    return try await FileCoordinator(forStoreWaiting: store.environment.lockSeconds)
      .coordinate(writingItemAt: document, options: .forMerging) { _ in
        try await run.adopt(copies)
      }
  }

  /// Reads the copies of one document, and its present or future container.
  private func read(
    _ group: [CopyScan.Found], in places: [URL]
  ) async throws -> (container: URL, copies: [ConflictedCopy]) {
    let engines = engines
    return try await store.perform { store in
      let copies = try CopyReader(store: store, engines: engines).copies(group)
      let folder = URL(filePath: group[0].document.removingLastComponent().string)
      if let container = try store.container(around: folder) { return (container, copies) }
      // One container for all documents of the named folder.
      let place = places.first { folder.path.isAtOrBelow($0.path) && $0.isFolder } ?? folder
      if !store.isDryRun, !copies.isEmpty { try store.makeContainer(place) }
      return (try store.container(around: folder) ?? place, copies)
    }
  }

  // MARK: Undoing

  /// Undoes the last adoption in a folder: restores the copies’ files and the documents' previous contents.
  ///
  /// The versions stay, and are in conflict again. A document that has changed since keeps its present contents.
  ///
  /// - Parameter folder: a container, or a folder in one.
  /// - Returns: the outcome; `nil` if there is nothing to undo.
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

/// A rule for which copies are adopted, and how conflicts with their documents are resolved.
package struct AdoptionRule: Sendable {
  enum Kind: Sendable {
    case merging
    case mergingElse(ResolutionStrategy)
    case resolving(ResolutionStrategy)
    case latest
  }

  let kind: Kind

  /// True if the rule may ask a person.
  var mayAsk: Bool {
    switch kind {
    case .resolving, .mergingElse: true
    case .merging, .latest: false
    }
  }

  /// Adopts the copies whose changes combine with those of their documents without a question, and those with nothing
  /// new; the others stay.
  package static let merge = AdoptionRule(kind: .merging)

  /// Adopts all copies: merges those that ``merge`` adopts, and lets a strategy decide about the others.
  ///
  /// Without a known base, nothing is merged before the strategy decides.
  package static func merge(else strategy: ResolutionStrategy) -> AdoptionRule {
    AdoptionRule(kind: .mergingElse(strategy))
  }

  /// Adopts all copies; the one that was modified last becomes the document, if it is later than the document.
  package static let latest = AdoptionRule(kind: .latest)

  /// Adopts all copies as versions in conflict, and resolves the conflicts with a strategy; an unresolved conflict
  /// stays open, and its copies’ files stay.
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
      // The document of the copy, and other conflicts, are separate questions.
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
    /// The copy that was found.
    package let copy: ConflictedCopy
    /// True if the copy was adopted or, in a dry run, would be.
    package internal(set) var isTaken = false
    /// The version with its contents; `nil` if it wasn't adopted.
    package internal(set) var version: FileVersion?
    /// True if its file was removed.
    package internal(set) var isRemoved = false

    init(_ copy: ConflictedCopy) {
      self.copy = copy
    }
  }

  /// The document.
  package let document: URL
  /// Its copies.
  package internal(set) var copies: [Copy]
  /// The resolution of the conflict; `nil` if there was none, or it is unresolved.
  package internal(set) var resolution: Resolution?
  /// True if the conflict is unresolved.
  package internal(set) var isInConflict = false
  /// The open questions of an unresolved conflict.
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
