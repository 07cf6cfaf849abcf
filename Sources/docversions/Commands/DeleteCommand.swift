internal import ArgumentParser
internal import DocumentVersions

/// Deletes a document on every device; its versions stay.
struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "delete", abstract: "Delete a document on every device; its versions stay.",
    discussion: """
      Unsaved edits become a version first.

      JSON: {"document", "version"}: the path, and the version that represents the deletion.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

  @OptionGroup var options: ChangeOptions

  @OptionGroup var coordination: CoordinationOptions

  func run() throws {
    let store = try options.store()
    try file.explaining {
      let deletion = try store.showingProgress(
        "Deleting", file.shown, isJSON: options.isJSON
      ) { store in
        try coordination.whileWriting(file.url, for: .forDeleting, in: store) {
          try store.delete(file.url)
        }
      }
      try Console.answer(
        CurrentReport(deletion), asJSON: options.isJSON, lines(deletion, in: store))
    }
  }

  private func lines(_ deletion: FileVersion, in store: SynchronousStore) throws -> [String] {
    guard !options.isDryRun else { return ["Would delete \(file.shown); its versions stay."] }
    let line = "Deleted \(file.shown) · \(deletion.shown). Its versions stay."
    guard let last = try store.history(of: deletion.documentURL).lastWithContents else {
      return [line]
    }
    return [
      line, "Bring it back:  ".asMuted + "docversions restore \(file.word) \(last.id.short)",
    ]
  }
}
