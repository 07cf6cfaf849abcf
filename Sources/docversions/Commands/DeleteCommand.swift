internal import ArgumentParser
internal import DocumentVersions

/// Deletes documents on every device; their versions stay.
struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "delete", abstract: "Delete documents on every device; their versions stay.",
    discussion: """
      Unsaved edits become a version first. A link to a document is not deleted, and neither is the document. A folder \
      stands for the documents in it that are missing, so that no file is removed.

      JSON: {"document", "version"}: the path, and the version that represents the deletion; for several documents \
      {"documents": […]} of these.
      """)

  @Argument(help: "Documents, or folders of missing ones.")
  var files: [DocumentArgument]

  @OptionGroup var options: ChangeOptions

  @OptionGroup var coordination: CoordinationOptions

  func run() throws {
    let store = try options.store()
    let search = DocumentSearch(store: store)
    let documents = try files.flatMap { file in
      let missing = try file.explaining {
        try search.documentsWithoutFiles(below: file)
          .filter { try store.state(of: $0.url) == .missing }
      }
      return missing.isEmpty ? [file] : missing
    }.withoutRepetition
    let results = EachDocument(isJSON: options.isJSON).run(documents) { file in
      let deletion = try store.showingProgress(
        "Deleting", file.shown, isJSON: options.isJSON
      ) { store in
        try coordination.whileWriting(file.url, for: .forDeleting, in: store) {
          try store.delete(file.url)
        }
      }
      if !options.isJSON { Console.print(lines: try lines(deletion, of: file, in: store)) }
      return CurrentReport(deletion)
    }
    if options.isJSON { try results.printJSON("documents", of: documents) }
    try results.finish()
  }

  private func lines(
    _ deletion: FileVersion, of file: DocumentArgument, in store: SynchronousStore
  ) throws -> [String] {
    guard !options.isDryRun else { return ["Would delete \(file.shown); its versions stay."] }
    let line = "Deleted \(file.shown) · \(deletion.shown). Its versions stay."
    let history = try store.history(of: deletion.documentURL)
    if let other = history.current, other.id != deletion.id, !other.isDeletion {
      let conflict = "is in conflict with \(other.shown), which arrived after its file had gone."
      let resolve = "docversions resolve --keep"
      return [
        "The deletion of \(file.shown) · \(deletion.shown) \(conflict)",
        "Delete it all the same:  ".asMuted + "\(resolve) \(deletion.id.short) \(file.word)",
        "Keep it:  ".asMuted + "\(resolve) \(other.id.short) \(file.word)",
      ]
    }
    guard let last = history.lastWithContents else { return [line] }
    return [
      line, "Bring it back:  ".asMuted + "docversions restore \(file.word) \(last.id.short)",
    ]
  }
}
