internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Keeps documents out of syncs.
struct PauseCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "pause",
    abstract: "Keep documents out of syncs and exchanges, until they are resumed.",
    discussion: """
      Their versions are neither sent nor received, through remotes and folders. Saving goes on as before.

      JSON: {"paused": […]}.
      """)

  @Argument(help: "Documents.")
  var files: [DocumentArgument]

  @OptionGroup var options: OutputOptions

  func run() throws {
    let store = try options.store()
    let results = EachDocument(isJSON: options.isJSON).run(files) { file in
      try store.pauseSync(of: file.url)
      return file
    }
    try Console.answer(
      ["paused": results.values.map(\.absolutePath)], asJSON: options.isJSON,
      results.values.map { "Paused \($0.shown). Sync it again:  docversions resume \($0.word)" })
    try results.finish()
  }
}

/// Lets paused documents take part in syncs again.
struct ResumeCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "resume", abstract: "Let paused documents take part in syncs again.",
    discussion: """
      The next sync sends what was saved meanwhile; with what another device has saved meanwhile, it is in conflict.

      --fail-on-conflict syncs at once, and fails where another device has sent a version meanwhile: nothing is sent then, \
      and the document stays paused. --drop-changes syncs at once, too, and makes the version that the remote has current; \
      what was saved here becomes an older version.

      JSON: {"resumed": […]}.
      """)

  @Argument(help: "Documents.")
  var files: [DocumentArgument]

  @Flag(help: "Send what was saved, or fail if another device has sent a version in the meantime.")
  var failOnConflict = false

  @Flag(help: "Go back to the version that the remote has.")
  var dropChanges = false

  @Option(name: .customLong("with"), help: "The remote; by default the one that was added first.")
  var remote: String?

  @OptionGroup var options: OutputOptions

  @OptionGroup var identity: IdentityOptions

  func validate() throws {
    guard !(failOnConflict && dropChanges) else {
      throw ValidationError("--fail-on-conflict and --drop-changes exclude one another.")
    }
    guard remote == nil || failOnConflict || dropChanges else {
      throw ValidationError("--with is for --fail-on-conflict and --drop-changes, which sync.")
    }
  }

  func run() throws {
    let store = try identity.store()
    let access = RemoteSettings.access(isJSON: options.isJSON)
    let behavior: ResumeSyncBehavior =
      failOnConflict
      ? .afterUploadWithFailOnConflict : dropChanges ? .dropLocalChanges : .preserveLocalChanges
    let results = EachDocument(isJSON: options.isJSON).run(files) { file in
      let resumed = try store.resumeSync(of: file.url, with: behavior, on: remote, access: access)
      return resumed.document.path == file.url.path ? file : DocumentArgument(resumed.document)
    }
    try Console.answer(
      ["resumed": results.values.map(\.absolutePath)], asJSON: options.isJSON,
      results.values.map { "Resumed \($0.shown)." })
    try results.finish()
  }
}
