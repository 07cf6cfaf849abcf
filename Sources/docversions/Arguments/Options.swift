internal import ArgumentParser
internal import DocumentVersions
internal import Foundation

/// The option of every command that can answer a program.
struct OutputOptions: ParsableArguments {
  @Flag(name: .customLong("json"), help: "Answer with one JSON object; see docversions help json.")
  var isJSON = false

  /// The store for commands that only read.
  func store() throws -> SynchronousStore {
    try Settings.fromEnvironment().store()
  }
}

/// The option of every command about the folder of documents.
struct FolderOption: ParsableArguments {
  @Option(
    name: .customLong("in"), help: "The folder of documents; by default the current one.",
    completion: .directory)
  var folder: DocumentArgument?

  var url: URL { folder?.url ?? URL(filePath: ".") }
}

/// The options of every command that changes something.
struct ChangeOptions: ParsableArguments {
  @Flag(
    name: .customLong("dry-run"),
    help: "Check everything and report what would be done; change nothing.")
  var isDryRun = false

  @Flag(name: .customLong("json"), help: "Answer with one JSON object; see docversions help json.")
  var isJSON = false

  @OptionGroup var identity: IdentityOptions

  /// The store, with the author, the device and the clock.
  func store() throws -> SynchronousStore {
    var store = try identity.store()
    store.isDryRun = isDryRun
    return store
  }
}

/// The option of every command that writes documents which programs may have open.
struct CoordinationOptions: ParsableArguments {
  @Flag(
    name: .customLong("no-wait"),
    help: "Don't wait for other programs beyond the time that they need to answer.")
  var isImpatient = false

  var coordinator: FileCoordinator {
    FileCoordinator(forStoreWaiting: isImpatient ? 0 : 10)
  }

  /// Writes a document: programs that have it open save it first, and are notified afterward.
  func whileWriting<Result>(
    _ url: URL, for options: FileCoordinator.WritingOptions = .forMerging,
    in store: SynchronousStore,
    _ body: () throws -> Result
  ) throws -> Result {
    guard !store.isDryRun else { return try body() }
    return try coordinator.perform(
      with: [.writingIntent(with: url, options: options)],
      isCancelled: { store.progress?.isCancelled == true }
    ) { _ in try body() }
  }

  /// Writes a document in a task.
  func whileWriting<Result>(
    _ url: URL, in store: SynchronousStore, _ body: () async throws -> Result
  ) async throws -> Result {
    guard !store.isDryRun, try store.container(around: url.deletingLastPathComponent()) != nil
    else {
      return try await body()
    }
    let intent = FileAccessIntent.writingIntent(with: url, options: .forMerging)
    return try await coordinator.coordinateInPlace(with: [intent]) { try await body() }
  }

  /// Lets programs that have a document open save it.
  func askToSave(_ url: URL, in store: SynchronousStore) throws {
    guard !store.isDryRun else { return }
    try coordinator.askToSave(in: url, isCancelled: { store.progress?.isCancelled == true })
  }

  /// Joins two documents with coordinated access.
  func whileJoining<Result>(
    _ url: URL, with other: URL, in store: SynchronousStore, _ body: () throws -> Result
  ) throws -> Result {
    guard !store.isDryRun else { return try body() }
    return try coordinator.perform(
      with: [
        .writingIntent(with: url, options: .forMerging),
        .writingIntent(with: other, options: .forDeleting),
      ], isCancelled: { store.progress?.isCancelled == true }
    ) { _ in try body() }
  }

  /// Returns the store, which doesn't wait for locks if the person doesn't want to wait.
  func impatient(_ store: SynchronousStore) -> SynchronousStore {
    guard isImpatient else { return store }
    var store = store
    store.lockTimeout = .zero
    return store
  }
}

/// The author and the device, for a command line that does not take them from the environment.
struct IdentityOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The author.", valueName: "name", visibility: .hidden))
  var author: String?

  @Option(help: ArgumentHelp("The device that saves.", valueName: "name", visibility: .hidden))
  var device: String?

  /// The store, with the author, the device and the clock.
  func store() throws -> SynchronousStore {
    var settings = try Settings.fromEnvironment()
    settings.author = author ?? settings.author
    settings.device = device ?? settings.device
    return settings.store()
  }
}

/// The author, the device and the time that the environment sets.
///
/// Only this and the console read the environment.
struct Settings {
  var author: String?
  var device: String?
  var now: Date?

  static func fromEnvironment() throws -> Settings {
    try Settings(
      author: variable("DOCVERSIONS_AUTHOR"), device: variable("DOCVERSIONS_DEVICE"),
      now: variable("DOCVERSIONS_NOW").map { text in
        guard let date = Timestamp.date(text), Timestamp.possible.contains(date) else {
          throw CommandFailure(
            .usage, code: "usage",
            "DOCVERSIONS_NOW is “\(text)”, which isn’t a valid time for a version.",
            hint: "Try 2026-11-20T14:30:00Z, “2026-11-20 14:30”, or seconds since 1970.")
        }
        return date
      })
  }

  /// A variable of the environment; `nil` if it is not set, or empty.
  static func variable(_ name: String) -> String? {
    getenv(name).map { String(cString: $0) }.flatMap { $0.isEmpty ? nil : $0 }
  }

  /// Trusts the folder of another user that the person named, if it is there.
  private func trustContainer() {
    guard let folder = Self.variable("DOCVERSIONS_CONTAINER") else { return }
    do { try VersionStore.trustContainer(URL(filePath: folder)) } catch {}
  }

  func store() -> SynchronousStore {
    trustContainer()
    let system = Identity.system
    // An account without a full name, such as root, may have one in git's settings.
    let name = author ?? (Identity.fullName == nil ? GitSettings.userName : nil)
    let identity = Identity(author: name ?? system.author, device: device ?? system.device)
    guard let now else { return SynchronousStore(identity: identity) }
    return SynchronousStore(identity: identity, clock: { now })
  }
}
