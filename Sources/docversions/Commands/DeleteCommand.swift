internal import ArgumentParser
internal import DocumentVersions

/// Deletes a document on every device; its versions stay.
struct DeleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "delete", abstract: "Delete a document on every device; its versions stay.",
    discussion: """
      Edits that were not saved become a version first.

      JSON: {"document", "version"}: the path, and the version that stands for the deletion.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

  @OptionGroup var options: ChangeOptions

  func run() throws {
    let store = try options.store()
    try file.explaining {
      let deletion = try store.showingProgress(
        "Deleting", file.shown, isJSON: options.isJSON
      ) { try $0.delete(file.url) }
      guard !options.isJSON else {
        try Console.print(json: CurrentJSON(deletion))
        return
      }
      guard !options.isDryRun else {
        Console.print("Would delete \(file.shown); its versions stay.")
        return
      }
      Console.print("Deleted \(file.shown) · \(deletion.shown). Its versions stay.")
      if let last = try store.history(of: deletion.documentURL).lastWithContents {
        Console.print(
          "Bring it back:  ".asQuiet + "docversions restore \(file.word) \(last.id.short)")
      }
    }
  }
}
