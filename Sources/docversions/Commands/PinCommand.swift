internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Pins versions: their contents stay on this device.
struct PinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "pin", abstract: "Protect versions on this device from thinning.",
    discussion: """
      A pinned version is never thinned, and can’t be removed until it is unpinned. Other devices do not learn of it.

      JSON: {"document", "versions": […]}.
      """)

  @OptionGroup var pinning: Pinning

  func run() throws {
    try pinning.run(pinned: true)
  }
}

/// Unpins versions.
struct UnpinCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "unpin", abstract: "Allow versions to be thinned and removed again.",
    discussion: """
      JSON: {"document", "versions": […]}.
      """)

  @OptionGroup var pinning: Pinning

  func run() throws {
    try pinning.run(pinned: false)
  }
}

/// The arguments and the work that pinning and unpinning share.
struct Pinning: ParsableArguments {
  @Argument(help: "The document.")
  var file: DocumentArgument

  @Argument(help: ArgumentHelp("The versions.", valueName: "version"))
  var versions: [VersionArgument]

  @OptionGroup var options: ChangeOptions

  func run(pinned isPinned: Bool) throws {
    let store = try options.store()
    try file.explaining {
      let history = try store.history(of: file.url)
      let found = try versions.versions(in: history, for: store)
      try store.setPinned(isPinned, found, of: file.url)
      guard !options.isJSON else {
        let now = try store.history(of: file.url).versions.filter(found.contains)
        return try Console.print(json: VersionsReport(document: history.document.path, now))
      }
      let text = PinText(file: file, isPinning: isPinned, isDryRun: options.isDryRun)
      Console.print(lines: text.lines(found))
    }
  }
}
