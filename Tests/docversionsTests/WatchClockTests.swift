import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// A watcher whose clock is set.
@Suite("Watching folders while the clock is set", .blocks)
struct WatchClockTests {
  private let program: Program
  private let clock = FixedClock()

  init() throws {
    program = try Program()
  }

  private var store: VersionStore {
    VersionStore(identity: Identity(author: "Mira", device: "pc")) { [clock] in clock.now }
  }

  private func texts() throws -> [String] {
    try program.versions(of: "n.md").map { try program.run("show", "n.md", $0).output }
  }

  /// Watches the folder while something is done.
  private func watching(_ body: () async throws -> Void) async throws {
    var watcher = FolderWatcher(store: store)
    watcher.policy.pause = .seconds(1)
    let (started, isStarted) = AsyncStream.makeStream(of: Void.self)
    let task = Task { [watcher] in
      for try await event in watcher.events(of: program.folder.url) {
        if case .looked = event { isStarted.finish() }
      }
    }
    for await _ in started {}
    try await body()
    task.cancel()
    do { try await task.value } catch is CancellationError {}
    // Otherwise, another watcher would be refused.
    #expect(try !FileLock.isHeld(ContainerFile.watchLock.path(in: program.folder.url.filePath)))
  }

  @Test("Another watcher can begin as soon as the events of a canceled one have ended")
  func again() async throws {
    for _ in 1...10 { try await watching {} }
  }

  private func write(_ text: String) async throws {
    try program.write(text, to: "n.md")
    #expect(
      try await eventually(every: .milliseconds(50)) {
        try program.run("show", "n.md").output == text
      })
  }

  @Test(
    "Versions are old two years later, but not because the clock was set ahead meanwhile",
    arguments: [false, true])
  func setAhead(isMeanwhile: Bool) async throws {
    // What follows a save, such as making an earlier version discardable, is done before the next one.
    try await watching {
      for text in ["one", "two", "three", "four"] { try await write(text) }
    }
    if !isMeanwhile { clock.advance(bySeconds: 2 * 365 * 86_400) }
    try await watching {
      if isMeanwhile { clock.advance(bySeconds: 2 * 365 * 86_400) }
      try await write("five")
      try await write("six")
    }
    let left = try texts()
    if isMeanwhile {
      #expect(left == ["six", "five", "four", "three", "two", "one"])
    } else {
      #expect(left.count < 6, "\(left)")
    }
  }
}
