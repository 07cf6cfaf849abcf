internal import DocumentVersions
internal import Foundation

/// A device of a scenario: a container, the person who works on it, and a clock.
struct Device: Sendable {
  let name: String
  /// The folder with its documents.
  let container: URL
  /// The scenario's folder.
  let files: URL
  var isOnline = true
  /// The real time.
  var now: Date { didSet { setAppTimes() } }
  /// Seconds that this device's clock is ahead.
  var clockOffset = 0.0 { didSet { setAppTimes() } }
  /// The app in which documents are open.
  let app: StoryApp
  /// Another app of the device.
  let otherApp: StoryApp
  /// A program that coordinates its accesses with the apps.
  let tool = StoryTool()

  init(_ name: String, in scratch: URL, files: URL, now: Date) throws {
    self.name = name
    self.files = files
    self.now = now
    app = StoryApp(identity: Self.identity(of: name), time: now)
    otherApp = StoryApp(identity: Self.identity(of: name), time: now)
    container = scratch.appending(path: name, directoryHint: .isDirectory)
    // Otherwise, a container above the scratch folder would get the stores.
    try FileManager.default.createDirectory(
      at: container.appending(path: ".docversions"), withIntermediateDirectories: true)
  }

  private func setAppTimes() {
    for app in [app, otherApp] { app.setTime(time) }
  }

  /// Mira works on "mira-laptop".
  var identity: Identity { Self.identity(of: name) }

  private static func identity(of name: String) -> Identity {
    Identity(author: name.capitalized, device: "\(name)-laptop")
  }

  /// The time by this device's clock.
  var time: Date { now + clockOffset }

  var store: SynchronousStore {
    let time = time
    var store = SynchronousStore(identity: identity) { time }
    // Half of the time is for the answers of apps.
    store.lockTimeout = app.isStopped ? .seconds(1) : .seconds(1_200)
    return store
  }

  /// Returns the URL of a document; every name is checked here before its path is written to or removed.
  func url(_ document: String) throws -> URL {
    do {
      return try ScenarioPath.place(of: document, in: container)
    } catch let escape as ScenarioPath.Escape {
      throw Mismatch("no place below \(name)’s folder: \(escape.found)")
    }
  }

  /// Returns the contents of a file in the scenario's folder.
  ///
  /// - Throws: ``Mismatch`` without a code, because no deed is refused for unreadable contents.
  func contents(_ file: String) throws -> ItemContents {
    do {
      return try ItemContents(scenarioFile: ScenarioPath.place(of: file, in: files))
    } catch let escape as ScenarioPath.Escape {
      throw Mismatch("no file of the scenario’s folder: \(escape.found)")
    } catch let mismatch as Mismatch {
      throw mismatch
    } catch {
      throw Mismatch(error.inWords)
    }
  }

  // MARK: Versions

  /// Returns the versions with the contents of a file, newest first.
  func versions(of document: String, from file: String) throws -> [FileVersion] {
    let contents = try contents(file)
    return try store.history(of: url(document)).versions.filter {
      try self.contents(of: $0) == contents
    }
  }

  /// Returns the newest version with the contents of a file.
  func version(of document: String, from file: String) throws -> FileVersion {
    guard let version = try versions(of: document, from: file).first else {
      throw Mismatch(
        "no version of “\(document)” has the contents of “\(file)”", code: "no-such-version")
    }
    return version
  }

  /// Returns a version's contents; `nil` if they aren't on this device, or the version is a deletion.
  func contents(of version: FileVersion) throws -> ItemContents? {
    guard version.hasLocalContents, !version.isDeletion else { return nil }
    let copy = FileManager.default.temporaryDirectory.appending(
      path: "docversions-scenario-\(UUID().uuidString)")
    try store.export(version, to: copy)
    defer {
      // A copy that stays behind does no harm.
      do { try FileManager.default.removeItem(at: copy) } catch {}
    }
    return try ItemContents(at: copy)
  }
}
