internal import DocumentVersions
internal import Foundation

/// Claims about a device.
extension Device {
  /// A subject of agreement between devices: a document on disk, or a version.
  enum Shown: Equatable, Sendable {
    case contents(ItemContents)
    case version(FileVersion.PersistentIdentifier)
  }

  /// Returns the names of the documents that a claim is about.
  private func documents(_ subject: ScenarioStep.Subject) throws -> [String] {
    if case .document(let name) = subject { return [name] }
    let root = container.resolvingSymlinksInPath().path + "/"
    return try (store.documents(below: container) ?? []).map {
      String($0.resolvingSymlinksInPath().path.trimmingPrefix(root))
    }
  }

  /// Returns the documents that this device shows, by their names.
  func shown(
    of subject: ScenarioStep.Subject, _ agreement: ScenarioStep.Agreement
  ) async throws -> [String: Shown] {
    try await store.perform { store in
      try documents(subject).reduce(into: [:]) { found, document in
        switch agreement {
        case .contents:
          found[document] = try ItemContents(at: url(document)).map(Shown.contents)
        case .currentVersion:
          found[document] = try store.history(of: url(document)).current.map { .version($0.id) }
        }
      }
    }
  }

  /// Checks that a fact is true.
  func check(_ fact: ScenarioStep.Fact, of subject: ScenarioStep.Subject) async throws {
    let documents = try await store.perform { _ -> [String] in try self.documents(subject) }
    // Anything is true of no documents, so such a claim means nothing.
    guard !documents.isEmpty else { throw Mismatch("on \(name): there is no document") }
    let findings: [String]
    if case .inApp(let fact) = fact {
      var found: [String] = []
      for document in documents {
        if let one = try await app.finding(against: fact, of: document, on: self) {
          found.append(one)
        }
      }
      findings = found
    } else {
      findings = try await store.perform { _ -> [String] in
        try documents.compactMap { try finding(against: fact, of: $0) }
      }
    }
    let isTrue = subject == .some ? findings.count < documents.count : findings.isEmpty
    guard isTrue else { throw Mismatch("on \(name): \(findings.joined(separator: "; "))") }
  }

  /// Returns the facts found instead of the claim; `nil` if the claim is true.
  private func finding(against fact: ScenarioStep.Fact, of document: String) throws -> String? {
    switch fact {
    case .exists(let isExpected):
      let contents = try ItemContents(at: url(document))
      return (contents != nil) == isExpected ? nil : contents?.inWords ?? "nothing"
    case .equals(let file):
      let contents = try ItemContents(at: url(document))
      return try contents == self.contents(file) ? nil : contents?.inWords ?? "nothing"
    case .state(let expected):
      let state = try store.state(of: url(document)).rawValue
      return state == expected ? nil : state
    case .isNotDownloaded:
      let status = try store.downloadStatus(of: url(document))
      return status == .notDownloaded ? nil : status.rawValue
    default:
      return try finding(against: fact, in: store.history(of: url(document)))
    }
  }

  private func finding(
    against fact: ScenarioStep.Fact, in history: DocumentHistory
  ) throws -> String? {
    switch fact {
    case .conflicts(let count):
      let found = history.unresolvedConflicts.count
      return found == count ? nil : "\(found) conflict\(found == 1 ? "" : "s")"
    case .versions(let count):
      let found = history.versions.count { $0.hasLocalContents && !$0.isDeletion }
      return found == count ? nil : "\(found) versions: \(history.inWords)"
    case .lists(let count):
      let found = history.versions.count
      return found == count ? nil : "\(found) versions: \(history.inWords)"
    case .note(let note):
      let found = history.current?.note
      return found == note ? nil : found.map { "“\($0)”" } ?? "no note"
    case .isCurrent(let file):
      let found = try history.current.flatMap(contents)
      return try found == contents(file) ? nil : found?.inWords ?? "no contents"
    case .conflictsWith(let files):
      var expected = try files.map(contents)
      for version in history.unresolvedConflicts {
        let found = try contents(of: version)
        guard let index = expected.firstIndex(where: { $0 == found }) else {
          return "a conflict with \(found?.inWords ?? "a deletion")"
        }
        expected.remove(at: index)
      }
      return expected.isEmpty ? nil : "no conflict with \(expected.map(\.inWords))"
    case .keeps(let files, let saver):
      let missing = try files.filter { try !keeps($0, by: saver, in: history) }
      return missing.isEmpty ? nil : "no version from \(missing.joined(separator: ", "))"
    case .keepsNone(let files):
      let kept = try files.filter { try keeps($0, by: nil, in: history) }
      return kept.isEmpty ? nil : "a version from \(kept.joined(separator: ", "))"
    case .exists, .equals, .state, .isNotDownloaded, .inApp:
      return nil
    }
  }

  /// Returns whether there is a version with a file's contents, and by a person on her own device if one is
  /// named.
  private func keeps(_ file: String, by saver: String?, in history: DocumentHistory) throws -> Bool
  {
    let expected = try contents(file)
    return try history.versions.contains { version in
      let isByThem =
        saver.map { version.author == $0.capitalized && version.savingDevice == "\($0)-laptop" }
      return try isByThem ?? true && contents(of: version) == expected
    }
  }

  /// Reads every version of every document.
  func checkStores() async throws {
    try await store.perform { store in
      for document in try store.documents(below: container) ?? [] {
        let history = try store.history(of: document)
        let current = history.versions.filter(\.isCurrent)
        guard current.count == 1, history.unresolvedConflicts.allSatisfy({ !$0.isCurrent }) else {
          throw Mismatch("“\(document.lastPathComponent)” has \(current.count) current versions")
        }
        for version in history.versions { _ = try contents(of: version) }
      }
    }
  }
}

extension DocumentHistory {
  /// The versions in one line.
  fileprivate var inWords: String {
    versions.map { "\($0.id.short) \($0.kind.rawValue) by \($0.author)" }.joined(separator: ", ")
  }
}

extension Device.Shown? {
  /// The subject in words, for reports.
  var inWords: String {
    switch self {
    case nil: "missing"
    case .contents(let contents): contents.inWords
    case .version(let id): id.short
    }
  }
}
