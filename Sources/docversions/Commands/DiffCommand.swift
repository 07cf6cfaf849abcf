internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Shows how versions differ.
struct DiffCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "diff",
    abstract: "Show how two versions differ, or a version and the document on disk.",
    discussion: """
      Without a version: from the current version to the document on disk. With one: from that version to \
      the document on disk. With two: from the first to the second. On a terminal the words that differ \
      are marked; in a pipe it is a unified diff.

      JSON: {"changes": [{"change", "hunks", "member", "remark"}], "different", "document", "from", "to"}.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

  @Argument(help: ArgumentHelp("From this version.", valueName: "version"))
  var old: VersionArgument?

  @Argument(help: ArgumentHelp("To this version.", valueName: "version"))
  var new: VersionArgument?

  @Flag(name: .customLong("exit-code"), help: "Exit with 1 when there are differences.")
  var hasExitCode = false

  @OptionGroup var options: OutputOptions

  func validate() throws {
    guard [old, new].allSatisfy({ $0?.member == nil }) else {
      throw ValidationError("Versions are compared whole; leave the member away.")
    }
  }

  func run() throws {
    let store = try options.store()
    let isDifferent = try file.explaining {
      let history = try store.history(of: file.url)
      let from = try (old ?? .current).version(in: history, for: store)
      let to = try new?.version(in: history, for: store)
      let diff = try store.showingProgress("Comparing", file.shown, isJSON: options.isJSON) {
        let target = try to.map($0.loadContents) ?? $0.loadContentsOnDisk(of: file.url) ?? .deleted
        return try DocumentDiff(from: $0.loadContents(of: from), to: target)
      }
      if options.isJSON {
        try Console.print(json: DiffJSON(diff, of: history.document, from: from, to: to))
      } else {
        try DiffPrinter(
          document: file, old: "version \(from.id.short)",
          new: to.map { "version \($0.id.short)" } ?? "on disk"
        ).print(diff)
      }
      return !diff.members.isEmpty
    }
    if isDifferent && hasExitCode { throw ExitStatus.conflictsRemain }
  }
}

/// What `diff` answers with: `{"changes", "different", "document", "from", "to"}`.
///
/// `from` and `to` are the identifiers of the versions, `to` null for the document on disk. A change has its `member` (null for the document itself), `change` (added, removed,
/// changed), a `remark` or null, and `hunks` of text: `old` and `new` are first line and count, `lines` begin
/// with " ", "-" or "+".
private struct DiffJSON: Encodable {
  struct Change: Encodable {
    @Nullable var member: String?
    let change: DocumentDiff.Kind
    @Nullable var remark: String?
    let hunks: [Hunk]
  }

  struct Hunk: Encodable {
    let old, new: [Int]
    let lines: [String]
  }

  let document, from: String
  @Nullable var to: String?
  let different: Bool
  let changes: [Change]

  init(_ diff: DocumentDiff, of document: URL, from: FileVersion, to: FileVersion?) {
    self.document = document.path
    self.from = from.id.description
    self.to = to?.id.description
    different = !diff.members.isEmpty
    changes = diff.members.map { member in
      let hunks = member.text.map { text in
        text.hunks.map { hunk in
          Hunk(
            old: [hunk.old.lowerBound + 1, hunk.old.count],
            new: [hunk.new.lowerBound + 1, hunk.new.count],
            lines: text.lines(of: hunk).map { line in
              String(line.sign) + String(decoding: line.text.filter { $0 != 0x0A }, as: UTF8.self)
            })
        }
      }
      return Change(
        member: member.path, change: member.kind, remark: member.remark, hunks: hunks ?? [])
    }
  }
}
