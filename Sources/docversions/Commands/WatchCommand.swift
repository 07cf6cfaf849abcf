internal import ArgumentParser
internal import DocumentVersions
internal import Foundation
internal import Synchronization

/// Watches folders, and keeps them up to date.
struct WatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    subcommand: "watch",
    abstract: "Watch folders: save edits, adopt conflicted copies, and sync.",
    discussion: """
      Goes on until Ctrl-C or SIGTERM, and writes a line for each thing that it does.

      A document is saved when it was left alone for a while (--every), and no program has it open for writing. What \
      counts as a document: files and packages with versions, texts, and files of the types that docversions types lists, \
      up to --largest. docversions status --ignored lists what rules leave out; a file named .docversionsignore, in the \
      syntax of .gitignore, adds to them. Conflicted copies are taken in where their changes combine without a question; \
      adopt --ask is for the others. Versions are exchanged with the folder’s remotes when something was saved, and every \
      minute; what arrives for a document with edits makes these a version first. Conflicts are merged in the same way; \
      resolve --ask is for the others.

      The deletion of a file is recorded when the file stays away for twice that time, and reaches the other devices; its \
      versions stay, and undo brings it back. What was deleted while nothing watched, most of all documents at once, and \
      what is on a disk that was unmounted stays missing: delete records it.

      A version that watch made is discardable as soon as another one follows it. Of these, all of a day are kept, then one \
      of each hour for a week, of each day for two months, of each week for two years, and of each month; --keep-all keeps \
      all. What you save yourself is never thinned.

        docversions watch ~/Notes
        docversions watch --every 10s --dry-run
        docversions watch --once ~/Notes        (from cron)
        docversions watch --install ~/Notes     (a service of systemd, from now on)
        docversions watch --status ~/Notes

      JSON, a line for each event: {"document", "error", "event", "received", "remote", "sent", "time", "version"}. Of \
      --status: {"watchers": [{"adopted", "conflicts", "copies", "deleted", "failures", "folder", "kept", "lastVersion", \
      "missing", "pause", "polling", "process", "remotes", "since", "toSave", "versions"}]}.
      """)

  @Argument(help: "Folders; by default the current one.")
  var folders: [DocumentArgument] = []

  @Option(
    help: ArgumentHelp(
      "How long a document is left alone before it is saved: 2s, 10m, 1h.", valueName: "duration"))
  var every = PauseArgument(seconds: 120)

  @Option(
    help: ArgumentHelp("The largest file that becomes a document automatically.", valueName: "MB"))
  var largest = 50

  @Flag(help: "Thin no versions.")
  var keepAll = false

  @Flag(help: "Do what there is to do now, and end.")
  var once = false

  @Flag(help: "Say what the watcher of a folder has done, and what waits for a decision.")
  var status = false

  @Flag(help: "Keep folders by services of systemd, now and whenever you log in.")
  var install = false

  @Flag(help: "Remove these services.")
  var uninstall = false

  @Flag(help: "Show new questions on the desktop, by notify-send.")
  var notify = false

  @OptionGroup var options: ChangeOptions

  func validate() throws {
    let actions = [once, status, install, uninstall].count { $0 }
    guard actions <= 1, actions == 0 || once || !options.isDryRun else {
      throw ValidationError(
        "--once, --status, --install and --uninstall are one at a time, and only --once goes with --dry-run."
      )
    }
    guard (1...100_000).contains(largest) else {
      throw ValidationError("--largest is from 1 to 100000 MB.")
    }
  }

  func run() throws {
    FreedMemory.share()
    var store = try options.store()
    let folders =
      folders.isEmpty ? [DocumentArgument(URL(filePath: "."))] : folders.withoutRepetition
    if status { return try showStatus(of: folders, store) }
    try folders.forEach(check)
    if install || uninstall { return try changeServices(of: folders) }
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
    watcher.describe = { CommandFailure($0).message }
    let log = WatchLog(
      isJSON: options.isJSON, isDryRun: options.isDryRun, pause: every.seconds,
      notifies: notify && !options.isDryRun)
    if !isEnding, !options.isJSON { try warnOfTools(folders, store) }
    let failures = Failures()
    try AsyncWork.waitUntilStopped(progress) { [watcher] in
      try await withThrowingTaskGroup(of: Void.self) { tasks in
        for folder in folders {
          tasks.addTask {
            for try await event in watcher.events(of: folder.url, once: isEnding) {
              log.write(event, in: folder)
              failures.add(event)
            }
          }
        }
        try await tasks.waitForAll()
      }
    }
    if !isEnding { log.writeEnd() }
    try Console.check()
    if isEnding, let error = failures.first { throw CommandFailure(error) }
  }

  private func check(_ folder: DocumentArgument) throws {
    guard !folder.isFolder else { return }
    throw CommandFailure(
      .notFound, code: FileError.Code.notFound.rawValue,
      "There is no folder “\(folder.shown)”.", path: folder.path)
  }

  /// Warns once if a sync tool would sync the versions themselves.
  private func warnOfTools(_ folders: [DocumentArgument], _ store: SynchronousStore) throws {
    for folder in folders {
      let place = try store.container(around: folder.url) ?? folder.url
      Console.print(lines: SyncedFolderText.lines(try SyncedFolder.around(place)))
    }
  }

  // MARK: Status and services

  private func showStatus(of folders: [DocumentArgument], _ store: SynchronousStore) throws {
    let found = try folders.map { folder in
      let status = try FolderWatcher.status(of: folder.url, in: store)
      // A watcher may be waiting for a folder whose disk is away.
      if status?.isMissing == true { return (folder, status, [URL]()) }
      try check(folder)
      return (folder, status, try store.documentsInConflict(below: folder.url) ?? [])
    }
    if options.isJSON {
      try Console.print(json: [
        "watchers": found.map { WatchReport($0.url.absoluteURL, $1, conflicts: $2) }
      ])
    } else {
      let time = ReadableTime(now: store.clock())
      for (folder, status, conflicts) in found {
        let text = WatchStatusText(folder: folder, status: status, conflicts: conflicts, time: time)
        Console.print(lines: text.lines)
      }
    }
    if found.contains(where: { $0.1 == nil }) { throw ExitStatus.notFound }
  }

  private func changeServices(of folders: [DocumentArgument]) throws {
    var arguments = ["--every", "\(every)", "--largest", "\(largest)"]
    if keepAll { arguments.append("--keep-all") }
    if notify { arguments.append("--notify") }
    for folder in folders {
      let service = WatchService(of: folder)
      let lines = try install ? service.install(arguments) : service.uninstall()
      if !options.isJSON { Console.print(lines: lines) }
    }
    if options.isJSON {
      try Console.print(json: ["services": folders.map { WatchService(of: $0).name }])
    }
  }
}

/// The failures, for the exit code.
private final class Failures: Sendable {
  private let errors = Mutex<[any Error]>([])

  var first: (any Error)? { errors.withLock(\.first) }

  func add(_ event: WatchEvent) {
    let new: [any Error] =
      switch event {
      case .failed(let documents):
        // A file that can't be named, or a folder of another user, would make every run of cron fail.
        documents.filter {
          $0.url != nil
            || ![.invalidName, .notPermitted].contains(($0.error as? FileError)?.code)
        }.map(\.error)
      case .notSynced(let error, _): [error]
      case .adopted(let document): [document.failure].compactMap { $0 }
      case .synced(let outcome, _): outcome.documents.compactMap(\.failure)
      default: []
      }
    errors.withLock { $0 += new }
  }
}
