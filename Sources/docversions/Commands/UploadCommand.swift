internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Saves and sends one document.
struct UploadCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "upload",
    abstract: "Save a document and send it; or fail where another device was first.",
    discussion: """
      It is a sync, so other documents are exchanged as well. With --fail-on-conflict, nothing is sent where another device \
      has sent a version that is not here: “docversions download” gets it, and then it can be tried again. A version that \
      another device sends at the same moment arrives with the next sync, as a conflict.

      JSON: {"document", "version"}.
      """)

  @Argument(help: "The document.")
  var file: DocumentArgument

  @Flag(help: "Fail where another device has sent a version that is not here.")
  var failOnConflict = false

  @Option(name: .customLong("to"), help: "The remote; by default the one that was added first.")
  var remote: String?

  @OptionGroup var options: OutputOptions

  @OptionGroup var identity: IdentityOptions

  func run() throws {
    let store = try identity.store()
    let access = RemoteSettings.access(isJSON: options.isJSON)
    let version = try file.explaining {
      try store.showingProgress("Sending", file.shown, isJSON: options.isJSON, asking: true) {
        try $0.uploadLocalVersion(
          of: file.url, with: failOnConflict ? .failOnConflict : .conflict, to: remote,
          access: access)
      }
    }
    let sent =
      version.documentURL.path == file.url.path ? file : DocumentArgument(version.documentURL)
    try Console.answer(
      ["document": sent.absolutePath, "version": version.id.description], asJSON: options.isJSON,
      ["Sent \(sent.shown) · \(version.id.short)."])
  }
}
