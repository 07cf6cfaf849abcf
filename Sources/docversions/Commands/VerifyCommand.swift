internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Verifies the stores of documents.
struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "verify",
    abstract: "Read every byte of every version, and report damage.",
    discussion: """
      Nothing is changed. Every content is compared with the digest that was taken when it was saved.

      Exit code: 0 all is whole, 1 damage was found, 2 it can’t be read (no permission, no versions).

      JSON: {"documents": [{"bytes", "document", "findings": [{"code", "file", "message", "severity", \
      "versions"}], "objects", "versions", "whole"}]}.
      """)

  @Argument(help: "Documents, or folders with documents; by default the current folder.")
  var paths: [DocumentArgument] = []

  @OptionGroup var options: OutputOptions

  func run() throws {
    let store = try options.store()
    var found: [VerifyReport] = []
    var isUnread = false
    let documents: [DocumentArgument]
    do {
      documents = try DocumentSearch(store: store).documents(at: paths)
    } catch {
      CommandFailure(error).report(isJSON: options.isJSON)
      throw ExitStatus.cannotVerify
    }
    for document in documents {
      do {
        let verification = try store.showingProgress(
          "Verifying", document.shown, isJSON: options.isJSON
        ) { try $0.verify(document.url) }
        let report = VerifyReport(verification)
        if !options.isJSON { Console.print(lines: report.lines(for: document)) }
        found.append(report)
      } catch let error as CancellationError {
        throw error
      } catch  where document.isGone(error) {
        EachDocument(isJSON: options.isJSON).reportGone(document)
      } catch {
        CommandFailure(error, in: document).report(isJSON: options.isJSON)
        isUnread = true
      }
    }
    if options.isJSON { try Console.print(json: ["documents": found]) }
    if documents.isEmpty, !options.isJSON {
      Console.print(lines: FoldersApart.linesWithoutDocuments(at: paths, for: "verify"))
    }
    if found.contains(where: { !$0.whole }) { throw ExitStatus.damageFound }
    if isUnread || documents.isEmpty { throw ExitStatus.cannotVerify }
  }
}
