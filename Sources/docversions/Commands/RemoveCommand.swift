internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Removes the contents of versions from this device, or from every device.
struct RemoveCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "remove", abstract: "Remove versions from this device; the document stays.",
    discussion: """
      With --others, the current version is left as the only one, and open conflicts are settled in its \
      favour.

      With --everywhere, every device drops the versions when it exchanges next, and they can’t be brought back: \
      for a password that was saved by mistake. A version of its own says who removed which. It does not reach \
      backups, git clones and copies.

      JSON: {"document", "everywhere", "removed", "version"}.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

  @Argument(help: ArgumentHelp("Versions to remove.", valueName: "version"))
  var versions: [VersionArgument] = []

  @Flag(help: "Remove all versions except the current one.")
  var others = false

  @Flag(help: "Remove the versions permanently from every device.")
  var everywhere = false

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    guard !others || !everywhere else {
      throw ValidationError("Name the versions that are to be removed everywhere.")
    }
    guard others != !versions.isEmpty else {
      throw ValidationError("Name the versions, or remove all but the current one with --others.")
    }
  }

  func run() throws {
    let store = try options.store()
    try file.explaining {
      var history = try store.history(of: file.url)
      // Versions that were removed here may be on other devices.
      if everywhere { history.versions += try store.removedVersions(of: file.url) }
      // The version that settles a conflict becomes current, and the one that is current now is removed, too.
      let isCurrentStaying = history.unresolvedConflicts.isEmpty
      let found =
        others
        ? history.versions.filter { !($0.isCurrent && isCurrentStaying) && $0.hasLocalContents }
        : try versions.versions(in: history, for: store)
      try store.showingProgress("Removing versions of", file.shown, isJSON: options.isJSON) {
        if others {
          try $0.removeOthers(of: file.url)
        } else {
          try $0.remove(found, of: file.url, everywhere: everywhere)
        }
      }
      let current = try store.history(of: file.url).current
      let report = RemoveReport(
        history.document, found, current: current, isEverywhere: everywhere)
      try Console.answer(
        report, asJSON: options.isJSON,
        report.lines(for: file, isCounted: others, isDryRun: options.isDryRun))
    }
  }
}
