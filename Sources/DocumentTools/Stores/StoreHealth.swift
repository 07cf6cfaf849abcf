public import DocumentStore
public import Foundation

/// The findings of checking the store of a document's versions.
public struct StoreHealth: Sendable {
  /// A finding.
  public struct Finding: Hashable, Sendable {
    /// The stable name of its kind, such as `lost-reference`; new kinds may be added.
    public let code: String
    /// The finding as a sentence.
    public let message: String
    /// The file concerned, relative to the store; `nil` if it is not about one.
    public let file: String?
    /// Whether something is damaged or lost; otherwise nothing has to be done.
    public let isDamage: Bool

    init(_ finding: Verification.Finding) {
      code = finding.code.rawValue
      message = finding.message
      file = finding.file
      isDamage = finding.severity == .damage
    }
  }

  /// The document.
  public let document: URL
  /// The findings; empty if everything is in order.
  public let findings: [Finding]

  /// Whether all versions can be read as they were saved.
  public var isWhole: Bool { !findings.contains(where: \.isDamage) }
}

/// The outcome of repairing the store of a document's versions.
public struct StoreRepairs: Sendable {
  /// The document.
  public let document: URL
  /// The repairs as sentences, in order.
  public let steps: [String]
  /// The damage that can't be repaired.
  public let losses: [StoreHealth.Finding]
  /// A copy of the references and settings from before the repair; `nil` if nothing was repaired.
  public let backup: URL?
}

/// Checking and repairing stores.
extension VersionStore {
  /// Checks all that a document's store has.
  ///
  /// This reads every content and compares it with the digest from when it was saved. It changes nothing, and no other
  /// operation waits for it.
  ///
  /// - Returns: the findings; damage doesn't throw an error.
  /// - Throws: ``VersionError`` with code `noVersions`, or an error if the store can't be read because of permissions,
  ///   another owner, or a failing disk.
  public func verify(_ document: URL) async throws -> StoreHealth {
    try await perform {
      let verification = try $0.verify(document)
      return StoreHealth(
        document: verification.document,
        findings: verification.findings.map { StoreHealth.Finding($0) })
    }
  }

  /// Repairs a document's store as far as possible.
  ///
  /// A repair never deletes a version, and never touches the document. Replaced parts move to `quarantine` in the store.
  ///
  /// - Parameters:
  ///   - document: the document.
  ///   - folder: an exchange folder that also has the document, from which missing parts are taken; `nil` for none.
  ///   - findsLost: whether unreachable versions are added as conflict versions.
  public func repair(
    _ document: URL, from folder: URL? = nil, findingLost findsLost: Bool = false
  ) async throws -> StoreRepairs {
    try await perform {
      var options = RepairOptions()
      options.exchangeFolder = folder
      options.findsLost = findsLost
      let repair = try $0.repair(document, options: options)
      return StoreRepairs(
        document: repair.document, steps: repair.steps.map(\.message),
        losses: repair.losses.map { StoreHealth.Finding($0) }, backup: repair.backup)
    }
  }

  /// Tests, in a temporary folder, whether the file system provides what stores rely on.
  ///
  /// - Parameter folder: a folder on the file system.
  /// - Returns: the properties that are missing, as sentences.
  public func missingProperties(ofFileSystemAt folder: URL) async throws -> [String] {
    try await perform {
      try $0.selfTest(in: folder).checks.filter { !$0.isPassed }.map { "\($0.name): \($0.detail)" }
    }
  }
}
