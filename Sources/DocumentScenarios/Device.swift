internal import DocumentVersions
internal import Foundation

/// A device of a scenario: a container of its own, a person who works on it, and a clock.
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
  /// Where documents are open.
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
    // Else a folder above the scratch folder that has stores would get these, too.
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
    // Half of it is for the answers of apps.
    store.lockTimeout = app.isStopped ? .seconds(1) : .seconds(1_200)
    return store
  }

  /// The URL of a document: every name passes here before its place is written to or removed.
  func url(_ document: String) throws -> URL {
    do {
      return try ScenarioPath.place(of: document, in: container)
    } catch let escape as ScenarioPath.Escape {
      throw Mismatch("no place below \(name)’s folder: \(escape.found)")
    }
  }

  /// The contents of a file in the scenario's folder.
  ///
  /// - Throws: ``Mismatch`` without a code: no deed is refused because its contents cannot be read.
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

  /// The versions whose contents are those of a file, newest first.
  func versions(of document: String, from file: String) throws -> [FileVersion] {
    let contents = try contents(file)
    return try store.history(of: url(document)).versions.filter {
      try self.contents(of: $0) == contents
    }
  }

  /// The newest version whose contents are those of a file.
  func version(of document: String, from file: String) throws -> FileVersion {
    guard let version = try versions(of: document, from: file).first else {
      throw Mismatch(
        "no version of “\(document)” has the contents of “\(file)”", code: "no-such-version")
    }
    return version
  }

  /// A version's contents; `nil` if they are not on this device, or where it is a deletion.
  func contents(of version: FileVersion) throws -> ItemContents? {
    guard version.hasLocalContents, !version.isDeletion else { return nil }
    let copy = FileManager.default.temporaryDirectory.appending(
      path: "docversions-scenario-\(UUID().uuidString)")
    try store.export(version, to: copy)
    defer {
      // What stays behind there does no harm.
      do { try FileManager.default.removeItem(at: copy) } catch {}
    }
    return try ItemContents(at: copy)
  }
}
