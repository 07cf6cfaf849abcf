internal import DocumentVersions
internal import Testing

@testable internal import docversions

/// The next steps after errors, in the library's and the program's words.
struct RecoveryTests {
  private static let version = String(repeating: "7f3a", count: 10)

  @Test(
    arguments: [
      ErrorRecovery.saveFirst: "docversions save a.md",
      .saveDocumentsInside: "docversions save --all a.md",
      .saveAsPackage: "docversions save --package a.md",
      .listVersions: "docversions log a.md",
      .listMembers(version: version): "docversions show a.md 7f3a7f3",
      .listConflicts: "docversions conflicts a.md",
      .listRemovedVersions: "docversions undelete a.md",
      .nameRetentionRule: "docversions thin --keep-last 10 a.md",
      .unpin(versions: [version, version]): "docversions unpin a.md 7f3a7f3 7f3a7f3",
      .markResolved(version: version): "docversions mark-resolved a.md 7f3a7f3",
      .keepDocument(overCopy: version): "docversions mark-resolved a.md 7f3a7f3",
      .restore(version: version): "docversions restore a.md 7f3a7f3",
      .resolveAsking: "docversions resolve --ask a.md",
      .verify: "docversions verify a.md",
      .repairFindingLost: "docversions doctor --repair --find-lost a.md",
    ])
  func `the program words a command, and the library a sentence`(
    _ recovery: ErrorRecovery, _ command: String
  ) {
    #expect(recovery.line(for: "a.md")?.hasSuffix(":  " + command) == true)
    #expect(!recovery.sentence.contains("docversions"))
    #expect(recovery.sentence.hasSuffix("."))
  }

  @Test func `what is done outside the program has no command of the program`() {
    let reference = ErrorRecovery.removeReference(name: "refs/notes/commits")
    #expect(reference.line(for: "a.md")?.contains("“git update-ref -d refs/notes/commits”") == true)
    #expect(!reference.sentence.contains("git "))
    for recovery in [ErrorRecovery.tryAgain, .exchangeAgain] {
      #expect(recovery.line(for: "a.md") == nil)
    }
  }

  @Test func `an error keeps its recovery and its hint for an app`() {
    let error = VersionError(.noVersions, document: "a.md", message: "None.", recovery: .saveFirst)
    #expect(error.recoverySuggestion == ErrorRecovery.saveFirst.sentence)
    #expect(CommandFailure(error).hint == "Save the first:  docversions save a.md")
  }
}
