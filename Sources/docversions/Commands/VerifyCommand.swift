internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Looks closely at the stores of documents.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "verify",
    abstract: "Read every byte of every version, and tell whether all is whole.",
    discussion: """
      Nothing is changed. Every content is compared with the digest that was taken when it was saved.

      Exit code: 0 all is whole, 1 damage was found, 2 that cannot be told (no permission, no versions).

      JSON: {"documents": [{"bytes", "document", "findings": [{"code", "file", "message", "severity", \
      "versions"}], "objects", "versions", "whole"}]}.
      """)

  @Argument(help: "Documents, or folders with documents; by default the current folder.")
  var paths: [DocumentArgument] = []

  @OptionGroup var options: OutputOptions

  func run() throws {
    let store = try options.store()
    var found: [VerificationJSON] = []
    var isUntold = false
    let documents: [DocumentArgument]
    do {
      documents = try DocumentSearch(store: store).documents(at: paths)
    } catch {
      Failure(error).report(isJSON: options.isJSON)
      throw ExitStatus.cannotTell
    }
    for document in documents {
      do {
        let verification = try store.showingProgress(
          "Verifying", document.shown, isJSON: options.isJSON
        ) { try $0.verify(document.url) }
        found.append(VerificationJSON(document, verification))
        if !options.isJSON, let last = found.last { print(last) }
      } catch let error as CancellationError {
        throw error
      } catch  where document.isGone(error) {
        EachDocument(isJSON: options.isJSON).tellGone(document)
      } catch {
        Failure(error, in: document).report(isJSON: options.isJSON)
        isUntold = true
      }
    }
    if options.isJSON { try Console.print(json: ["documents": found]) }
    if documents.isEmpty, !options.isJSON { Console.print("No document here has versions.") }
    if found.contains(where: { !$0.whole }) { throw ExitStatus.damageFound }
    if isUntold || documents.isEmpty { throw ExitStatus.cannotTell }
  }

  private func print(_ document: VerificationJSON) {
    let counts = [
      Wording.count(document.versions, "version"), Wording.count(document.objects, "object"),
      Wording.size(document.bytes),
    ].joined(separator: ", ")
    let state = document.whole ? "whole".asGood : "DAMAGED".asError
    Console.print("\(document.argument.shown)  \(state) · \(counts)")
    for finding in document.findings {
      let place = finding.file.map { "  (\($0))".asQuiet } ?? ""
      Console.print("  \(finding.message)\(place)")
    }
    if !document.whole {
      Console.print(
        "  See what can be repaired:  ".asQuiet + "docversions doctor \(document.argument.word)")
    }
  }
}

/// `{"bytes", "document", "findings", "objects", "versions", "whole"}`: the path, what was found, and how
/// many versions, objects and bytes were looked at.
struct VerificationJSON: Encodable {
  struct Finding: Encodable {
    let code, severity, message: String
    @Nullable var file: String?
    let versions: [String]

    init(_ finding: Verification.Finding) {
      code = finding.code.rawValue
      severity = finding.severity.rawValue
      message = finding.message
      versions = finding.versions.map(\.description)
      file = finding.file
    }
  }

  let argument: DocumentArgument
  let document: String
  let whole: Bool
  let versions, objects, bytes: Int
  let findings: [Finding]

  enum CodingKeys: String, CodingKey {
    case document, whole, versions, objects, bytes, findings
  }

  init(_ argument: DocumentArgument, _ verification: Verification) {
    self.argument = argument
    document = verification.document.path
    whole = verification.isWhole
    versions = verification.versions
    objects = verification.objects
    bytes = verification.bytes
    findings = verification.findings.map(Finding.init)
  }
}
