internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// Watches folders, and keeps them.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "watch",
    abstract: "Keep folders: save what is edited, take conflicted copies in, and sync.",
    discussion: """
      Goes on until Ctrl-C or SIGTERM, and writes a line for each thing that it does.

      A document is saved when it was left alone for a while (--every), and no program has it open for writing. What \
      counts as a document: files and packages with versions, texts, and files of the types that docversions types lists, \
      up to --largest. docversions status --ignored lists what rules leave out; a file named .docversionsignore, in the \
      syntax of .gitignore, adds to them. Conflicted copies are taken in where their changes combine without a question; \
      adopt --ask is for the others. Versions are exchanged with the folder’s remotes when something was saved, and every \
      minute; what arrives for a document with edits makes these a version first.

      A version that watch made is discardable as soon as another one follows it. Of these, all of a day are kept, then one \
      of each hour for a week, of each day for two months, of each week for two years, and of each month; --keep-all keeps \
      all. What you save yourself is never thinned.

        docversions watch ~/Notes
        docversions watch --every 10s --dry-run
        docversions watch --once ~/Notes        (from cron)

      JSON, a line for each event: {"bytes", "document", "error", "event", "received", "remote", "sent", "time", "version"}.
      """)

  @Argument(help: "Folders; by default the current one.")
  var folders: [DocumentArgument] = []

  @Option(
    help: ArgumentHelp(
      "How long a document is left alone before it is saved: 2s, 10m, 1h.", valueName: "duration"))
  var every = PauseArgument(seconds: 120)

  @Option(
    help: ArgumentHelp("The largest file that becomes a document by itself.", valueName: "MB"))
  var largest = 50

  @Flag(help: "Thin no versions.")
  var keepAll = false

  @Flag(help: "Do what there is to do now, and end.")
  var once = false

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    guard (1...100_000).contains(largest) else {
      throw ValidationError("--largest is from 1 to 100000 MB.")
    }
  }

  func run() throws {
    var store = try options.store()
    let folders =
      folders.isEmpty ? [DocumentArgument(URL(filePath: "."))] : folders.withoutRepetition
    for folder in folders where !folder.isFolder {
      throw CommandFailure(
        .notFound, code: FileError.Code.notFound.rawValue,
        "There is no folder “\(folder.shown)”.", path: folder.path)
    }
    var policy = WatchPolicy()
    policy.pause = .seconds(every.seconds)
    policy.largestNewFile = largest << 20
    if keepAll { policy.retention = nil }
    let isEnding = once || options.isDryRun
    let progress = OperationProgress()
    store.progress = progress
    var watcher = FolderWatcher(store: VersionStore(store))
    watcher.engines = try MergeSettings.engines()
    watcher.policy = policy
    watcher.access = RemoteSettings.access(isJSON: options.isJSON)
    // A service has no terminal to ask at.
    watcher.access.asksOnTerminal = watcher.access.asksOnTerminal && Console.isErrorTerminal
    let log = WatchLog(isJSON: options.isJSON, isDryRun: options.isDryRun, pause: every.seconds)
    try AsyncWork.waitUntilStopped(progress) { [watcher] in
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for folder in folders {
          tasks.addTask {
            let events =
              isEnding ? watcher.eventsOnce(in: folder.url) : watcher.events(of: folder.url)
            for try await event in events { log.write(event, in: folder) }
          }
        }
        try await tasks.waitForAll()
      }
    }
    if !isEnding { log.writeEnd() }
    try Console.check()
  }
}

/// A time such as `2s`, `10m` or `1h`, as the user typed it; a number alone is seconds.
struct PauseArgument: ExpressibleByArgument, CustomStringConvertible {
  let seconds: Int

  init(seconds: Int) { self.seconds = seconds }

  init?(argument: String) {
    let units = ["s": 1, "m": 60, "h": 3600]
    let unit = argument.last.flatMap { units[String($0)] }
    guard let number = Int(unit == nil ? argument : String(argument.dropLast())),
      (1...86_400 / (unit ?? 1)).contains(number)
    else { return nil }
    seconds = number * (unit ?? 1)
  }

  var description: String {
    let units = [("h", 3600), ("m", 60)]
    let unit = units.first { seconds % $0.1 == 0 } ?? ("s", 1)
    return "\(seconds / unit.1)\(unit.0)"
  }

  var defaultValueDescription: String { description }
}
