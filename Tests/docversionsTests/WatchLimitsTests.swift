import DocumentTestSupport
import Foundation
import Testing

/// Watchers to whom the system reports not everything, and those that have nothing to do.
@Suite("Watching folders within the system’s limits", .blocks)
struct WatchLimitsTests {
  private let program: Program

  init() throws {
    program = try Program()
  }

  /// True if the system lets tests have users and mounts of their own.
  private static let hasNamespaces: Bool = {
    do {
      return try Command.run("unshare", ["-Urm", "mount", "-t", "ramfs", "none", "/tmp"]).exitCode
        == 0
    } catch {
      return false
    }
  }()

  /// Starts a watcher after a line of the shell, in namespaces of its own.
  private func watch(_ folder: String, after line: String) throws -> RunningProgram {
    try RunningProgram(
      "unshare",
      ["-Urm", "/bin/bash", "-c", "\(line)\nexec '\(Program.path)' watch --every 1s \(folder)"],
      in: program.folder.url,
      environment: ["DOCVERSIONS_AUTHOR": "Mira", "DOCVERSIONS_DEVICE": "pc"])
  }

  private func waits(
    _ watcher: RunningProgram, atMost limit: Duration = .seconds(60),
    for condition: (String) -> Bool
  ) throws -> Bool {
    let isThere = try eventually(within: limit) { condition(try watcher.output) }
    if !isThere { Issue.record("\(try watcher.output)") }
    return isThere
  }

  @Test(
    "A link keeps nothing else from being saved, wherever it leads to",
    arguments: ["out", "out/file.txt", "nowhere", "a.md", ".", "link"],
    ["link", "a (conflicted copy 2026-01-02).md"])
  func links(to target: String, named name: String) throws {
    try program.write("text", to: "a.md")
    try program.run("save", "a.md")
    let out = try ScratchFolder()
    try Data("elsewhere".utf8).write(to: out["file.txt"])
    let place =
      target.hasPrefix("out")
      ? out.url.path + target.dropFirst(3) : target == "link" ? name : target
    func link(_ path: String) throws {
      try FileManager.default.createSymbolicLink(
        atPath: program.folder[path].path, withDestinationPath: place)
    }
    try link(name)
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Keeping"))
    try program.write("text", to: "sub/b.md")
    try link("sub/\(name)")
    try program.write("edited", to: "a.md")
    #expect(try watcher.waits(for: "Saved a.md"))
    #expect(try watcher.waits(for: "Saved sub/b.md"))
    #expect(try watcher.stop() == 0)
    let once = try program.run("watch", "--once")
    #expect(once.exitCode == 0, "\(once)")
    #expect(once.errorOutput.isEmpty, "\(once)")
  }

  @Test(
    "Where the user may observe no more, that is said with what raises the limit, and polling takes over",
    .enabled(if: hasNamespaces), arguments: ["watches", "instances"])
  func limits(of kind: String) throws {
    for name in ["a/a.md", "b/b.md", "c/c.md"] { try program.write("text", to: name) }
    let most = kind == "watches" ? 2 : 0
    let watcher = try watch(
      ".", after: "echo \(most) > /proc/sys/user/max_inotify_\(kind)")
    #expect(try waits(watcher) { $0.contains("sudo sysctl fs.inotify.max_user_\(kind)=") })
    #expect(try waits(watcher) { $0.contains("Saved c/c.md") })
    for name in ["a/a.md", "b/b.md", "c/c.md"] { try program.write("longer text", to: name) }
    #expect(try waits(watcher) { $0.components(separatedBy: "Saved ").count > 6 })
    watcher.signal(SIGTERM)
    #expect(try watcher.wait(atMost: .seconds(60)).exitCode == 0)
  }

  @Test(
    "A file system of which it is not known that it reports every change is polled",
    .enabled(if: hasNamespaces))
  func otherFileSystem() throws {
    try program.write("", to: "disk/.keep")
    let watcher = try watch(
      "disk", after: "mount -t ramfs none disk; (echo a > disk/a.md; sleep 3; echo b > disk/b.md) &"
    )
    #expect(
      try waits(watcher) {
        $0.contains("does not report all changes in disk") && $0.contains("Saved disk/b.md")
      })
    watcher.signal(SIGTERM)
    #expect(try watcher.wait(atMost: .seconds(60)).exitCode == 0)
  }

  @Test("What is unmounted is missed at once", .enabled(if: hasNamespaces))
  func unmounted() throws {
    try program.write("", to: "disk/.keep")
    let watcher = try watch(
      "disk",
      after: """
        mount -t tmpfs none disk; echo a > disk/a.md; \
        (until [ -e unmount ]; do sleep 0.1; done; umount -l disk; \
        until [ -e ask ]; do sleep 0.1; done; \
        '\(Program.path)' watch --status disk > answer 2>&1; echo $? > code) &
        """)
    #expect(try waits(watcher) { $0.contains("Saved disk/a.md") })
    try program.write("", to: "unmount")
    #expect(
      try waits(watcher, atMost: .seconds(20)) { $0.contains("disk is not there; waiting") })
    try program.write("", to: "ask")
    #expect(try eventually { try program.exists("code") && !program.read("code").isEmpty })
    let answer = try program.read("answer")
    #expect(answer.contains("its disk is not mounted; waiting"), "\(answer)")
    #expect(answer.contains("disk is kept since"))
    #expect(try program.read("code") == "0\n")
    watcher.signal(SIGTERM)
    #expect(try watcher.wait(atMost: .seconds(60)).exitCode == 0)
  }

  @Test(
    "What is unmounted below, or in another container, is missed, and none of it is deleted",
    .enabled(if: hasNamespaces), arguments: [".", "disk"])
  func unmountedInside(folder: String) throws {
    try program.write("", to: "disk/.keep")
    try program.run("container", "init", ".")
    let watcher = try watch(
      folder,
      after: """
        mount -t tmpfs none disk; echo a > disk/a.md; \
        (until [ -e unmount ]; do sleep 0.1; done; umount -l disk) &
        """)
    #expect(try waits(watcher) { $0.contains("Saved disk/a.md") })
    try program.write("", to: "unmount")
    #expect(
      try waits(watcher, atMost: .seconds(20)) {
        $0.contains("disk is not \(folder == "." ? "mounted any more" : "there; waiting")")
      })
    letPass(.seconds(12), because: "a deletion would be recorded by now")
    watcher.signal(SIGTERM)
    #expect(try watcher.wait(atMost: .seconds(60)).exitCode == 0)
    #expect(try !watcher.output.contains("Recorded"))
    #expect(try program.versions(of: "disk/a.md").count == 1)
  }

  @Test("What does not fit on a full disk is saved once it does", .enabled(if: hasNamespaces))
  func full() throws {
    try program.write("", to: "disk/.keep")
    let watcher = try watch(
      "disk",
      after: """
        mount -t tmpfs -o size=2m none disk; echo a > disk/a.md; \
        (until [ -e fill ]; do sleep 0.1; done; head -c 3m /dev/zero > disk/.fill; \
        printf b | dd of=disk/a.md conv=notrunc; until [ -e free ]; do sleep 0.1; done; rm disk/.fill) &
        """)
    #expect(try waits(watcher) { $0.contains("Saved disk/a.md") })
    try program.write("", to: "fill")
    #expect(try waits(watcher) { $0.contains("disk/a.md: ") })
    try program.write("", to: "free")
    #expect(try waits(watcher) { $0.components(separatedBy: "Saved disk/a.md").count == 3 })
    watcher.signal(SIGTERM)
    #expect(try watcher.wait(atMost: .seconds(60)).exitCode == 0)
  }

  @Test("A watcher that has nothing to do sleeps")
  func idle() throws {
    guard FileManager.default.fileExists(atPath: "/proc/self/task") else { return }
    try program.write("text", to: "a.md")
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Saved a.md"))
    // What follows a save ends; then only the runtime’s own threads look around, once a second.
    func switches() throws -> Int { try Self.switches(of: watcher.identifier) }
    let sleeps = try eventually(every: .milliseconds(10)) {
      let before = try switches()
      letPass(.seconds(3), because: "a poll would wake it")
      return try switches() - before <= 9
    }
    #expect(sleeps)
    #expect(try watcher.stop() == 0)
  }

  /// How often the threads of a process have begun to wait.
  private static func switches(of process: pid_t) throws -> Int {
    let tasks = "/proc/\(process)/task"
    return try FileManager.default.contentsOfDirectory(atPath: tasks).reduce(0) { sum, task in
      // A thread that has ended since waits no more.
      guard let file = FileManager.default.contents(atPath: "\(tasks)/\(task)/status") else {
        return sum
      }
      let status = String(decoding: file, as: UTF8.self)
      let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
      return sum + (line?.split(separator: "\t").last.flatMap { Int($0) } ?? 0)
    }
  }

  @Test(
    "A database that a program keeps open is saved, also where only its log grows",
    .enabled(if: try Command.run("python3", ["-c", "import sqlite3"]).exitCode == 0))
  func openDatabase() throws {
    let lines = """
      import os, sqlite3, time
      database = sqlite3.connect("x.db")
      database.execute("pragma journal_mode = wal")
      database.execute("create table t (a)")
      for step in ["one", "two"]:
        database.execute("insert into t values (?)", [step])
        database.commit()
        open(step, "w").close()
        while not os.path.exists("after-" + step): time.sleep(0.01)
      """
    let writer = try RunningProgram("python3", ["-c", lines], in: program.folder.url)
    #expect(eventually { program.exists("one") })
    #expect(try program.run("save", "x.db").exitCode == 0)
    let watcher = try Watcher(program)
    #expect(try watcher.waits(for: "Keeping"))
    try program.write("", to: "after-one")
    #expect(try watcher.waits(for: "Saved x.db"))
    #expect(try !watcher.text.contains("x.db-"))
    #expect(try !program.run("status").output.contains("x.db-"))
    #expect(try watcher.stop() == 0)
    try program.write("", to: "after-two")
    #expect(try writer.wait(atMost: .generous).exitCode == 0)
  }
}
