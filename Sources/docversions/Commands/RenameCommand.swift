internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Renames a document, and its versions with it.
struct RenameCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "rename", abstract: "Rename a document; its versions go with it.",
    discussion: """
      A document that another program renames keeps its versions too; after this command other devices rename it at \
      the next exchange. Versions of a deleted document that had the new name stay, under that name with a number.

      JSON: {"document", "version"}: the new path, and the current version.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

  @Argument(help: "Its new name, in the same folder.", completion: .default)
  var name: String

  @OptionGroup var options: ChangeOptions

  @OptionGroup var coordination: CoordinationOptions

  func validate() throws {
    guard !name.utf8.contains(UInt8(ascii: "/")), !["", ".", ".."].contains(name) else {
      throw ValidationError(
        "“\(Printable.text(name))” is not a name; a document stays in its folder.")
    }
  }

  func run() throws {
    let store = try options.store()
    try file.explaining {
      if hasNameAlready, let current = try store.history(of: file.url, newest: 1).current,
        current.localizedName.hasBytes(of: name)
      {
        guard !options.isJSON else { return try Console.print(json: CurrentReport(current)) }
        return Console.print("\(file.shown) has that name already.")
      }
      let target = file.url.deletingLastPathComponent().appending(path: name)
      let coordinator = coordination.coordinator
      let (version, madeWay) = try coordinator.moving(file.url, to: target, in: store) { moved in
        let outcome = try store.renameMakingWay(file.url, to: name)
        try moved(file.url, target)
        return outcome
      }
      guard !options.isJSON else {
        let folder = version.documentURL.deletingLastPathComponent()
        try Console.print(json: CurrentReport(version, at: folder.appending(path: name).path))
        return
      }
      let verb = options.isDryRun ? "Would rename" : "Renamed"
      Console.print("\(verb) \(file.shown) to \(Printable.text(name)) · \(version.shown)")
      if let madeWay {
        let place = DocumentArgument(madeWay)
        let verb = options.isDryRun ? "would be" : "are"
        Console.print(
          "The versions of the deleted \(Printable.text(name)) \(verb) those of \(place.shown) now."
        )
        if !options.isDryRun {
          Console.print("List them:  ".asMuted + "docversions log \(place.word)")
        }
      }
      if !options.isDryRun { Console.print(DocumentArgument(version.documentURL).undoLine) }
    }
  }

  private var hasNameAlready: Bool {
    name.hasBytes(of: file.url.lastPathComponent)
  }
}
