internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Moves a document, and its versions with it.
struct MoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "move", abstract: "Move a document to another folder; its versions go with it.",
    discussion: """
      The folder may be in another folder of documents, on another disk too: then the document is deleted where it was, on \
      every device that has that one. Unsaved edits become a version first. Programs that have the document open follow.

      JSON: {"document", "version"}: the new path, and the current version.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

  @Argument(help: "The folder, or the new path.", completion: .default)
  var destination: DocumentArgument

  @OptionGroup var options: ChangeOptions

  @OptionGroup var coordination: CoordinationOptions

  func run() throws {
    let store = try options.store()
    try file.explaining {
      let target = try target(in: store)
      let version = try store.showingProgress("Moving", file.shown, isJSON: options.isJSON) {
        store in
        try coordination.coordinator.moving(file.url, to: target, in: store) { moved in
          let version = try store.move(file.url, to: target)
          try moved(file.url, target)
          return version
        }
      }
      guard !options.isJSON else {
        return try Console.print(json: CurrentReport(version, at: target.absoluteURL.path))
      }
      let verb = options.isDryRun ? "Would move" : "Moved"
      let place = DocumentArgument(target)
      Console.print("\(verb) \(file.shown) to \(place.shown) · \(version.shown)")
      guard !options.isDryRun else { return }
      Console.print("Move it back:  ".asMuted + "docversions undo \(place.word)")
    }
  }

  /// Returns the new location; in a named folder, the document keeps its name.
  private func target(in store: SynchronousStore) throws -> URL {
    guard destination.isFolder, try !store.isSavedPackage(destination.url) else {
      guard destination.path.utf8.last != UInt8(ascii: "/") else {
        throw CommandFailure(
          .refused, code: FileError.Code.notFound.rawValue,
          "There is no folder “\(destination.shown)”.", hint: "Make it:  mkdir \(destination.word)",
          path: destination.shown)
      }
      return destination.url
    }
    return destination.url.appending(path: file.url.lastPathComponent)
  }
}
