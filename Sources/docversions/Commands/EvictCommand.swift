internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Removes documents from this device.
struct EvictCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "evict",
    abstract: "Take documents off this device that the remote has; download gets them again.",
    discussion: """
      The folder is synced first. A document with edits, in conflict, with pinned versions, or with versions that are not at \
      the remote stays, and so does one that a program has open. It works where new documents are only listed: see \
      “docversions sync --lazy”.

      JSON: {"evicted": […]}.
      """)

  @Argument(help: "Documents.")
  var files: [DocumentArgument]

  @Option(name: .customLong("to"), help: "The remote; by default the one that was added first.")
  var remote: String?

  @OptionGroup var options: OutputOptions

  @OptionGroup var identity: IdentityOptions

  func run() throws {
    let store = try identity.store()
    guard let first = files.first else { return }
    let title = files.count == 1 ? first.shown : Wording.count(files.count, "document")
    let access = RemoteSettings.access(isJSON: options.isJSON)
    var failures: [URL: any Error] = [:]
    let evicted = try first.explaining {
      try store.showingProgress("Evicting", title, isJSON: options.isJSON, asking: true) {
        try $0.evict(files.map(\.url), to: remote, access: access) { failures[$0] = $1 }
      }
    }
    let results = EachDocument(isJSON: options.isJSON).run(files) { file in
      if let failure = failures[file.url] { throw failure }
      return file
    }
    try Console.answer(
      ["evicted": evicted.map { DocumentArgument($0).absolutePath }], asJSON: options.isJSON,
      results.values.map { "Evicted \($0.shown). Get it again:  docversions download \($0.word)" })
    try results.finish()
  }
}
