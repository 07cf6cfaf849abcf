import DocumentTestSupport
import DocumentVersions
import Foundation
import Testing

/// Programs in separate processes, also when they are stopped or killed.
@Suite("Programs that coordinate")
struct ProcessTests {
  private let scratch: ScratchFolder
  private let note: URL

  init() throws {
    scratch = try ScratchFolder()
    note = try scratch.write("a tent", to: "desk/Note.md")
  }

  private func go(_ name: String = "go") throws -> String { scratch[name].path }

  @Test("A writer waits for a reader, and a reader for a writer", arguments: ["read", "write"])
  func exclusion(first: String) throws {
    let holder = try TestProgram(["hold \(first) \(note.path) \(go())"])
    #expect(try holder.hasReported("inside"))
    let other = first == "read" ? "write \(note.path) a map" : "read \(note.path)"
    let waiting = try TestProgram(["patience 300", other])
    let reports = try waiting.end()
    #expect(reports.count == 1)
    #expect(
      reports.first?.hasPrefix("error: item-in-use \(holder.identifier) ") == true, "\(reports)")
    #expect(reports.first?.contains("“CoordinationProgram” (process \(holder.identifier))") == true)
    let patient = try TestProgram([other])
    try scratch.write("", to: "go")
    #expect(try patient.end() == [first == "read" ? "written" : "read a tent"])
    #expect(try holder.end() == ["inside", "left"])
  }

  @Test("Readers read at the same time, and a writer gets its turn among them")
  func readers() throws {
    let readers = try (0..<4).map { number in
      try TestProgram(["hold read \(note.path) \(go("go\(number)"))"])
    }
    for reader in readers { #expect(try reader.hasReported("inside")) }
    let writer = try TestProgram(["write \(note.path) a map"])
    for number in 0..<4 { try scratch.write("", to: "go\(number)") }
    #expect(try writer.end() == ["written"])
    for reader in readers { #expect(try reader.end() == ["inside", "left"]) }
  }

  @Test("A program that is killed at an item leaves it free at once", arguments: ["read", "write"])
  func killed(first: String) throws {
    let holder = try TestProgram(["hold \(first) \(note.path) \(go())"])
    #expect(try holder.hasReported("inside"))
    let waiting = try TestProgram(["write \(note.path) a map"])
    holder.kill()
    #expect(try waiting.end() == ["written"])
  }

  @Test("A presenter writes its file as soon as the program that was at it has been killed")
  func reacquires() async throws {
    let presenter = RewritingPresenter(note)
    try await FileCoordinator.addFilePresenter(presenter)
    let holder = try TestProgram(["hold write \(note.path) \(go())"])
    #expect(try holder.hasReported("inside"))
    holder.kill()
    let isOver = try await comesTrue { await presenter.isOver }
    #expect(isOver)
    #expect(await presenter.failure == nil)
    #expect(try scratch.read("desk/Note.md") == "typed")
    await FileCoordinator.removeFilePresenter(presenter)
  }

  @Test("Presenters are asked and notified, but not of reading", arguments: [true, false])
  func presenters(isWrite: Bool) throws {
    let presenter = try TestProgram(["present \(note.path)", "wait \(go())"])
    #expect(try presenter.hasReported("presents"))
    let access = try TestProgram([isWrite ? "write \(note.path) a map" : "read \(note.path)"])
    #expect(try access.end() == [isWrite ? "written" : "read a tent"])
    #expect(try presenter.hasReported(isWrite ? "changed" : "reacquire"))
    try scratch.write("", to: "go")
    let expected =
      isWrite
      ? ["presents", "relinquish to writer", "reacquire", "changed", "went on"]
      : ["presents", "relinquish to reader", "save", "reacquire", "went on"]
    #expect(try presenter.end() == expected)
  }

  @Test("A presenter saves under the access of the reader that asks")
  func savesWhenAsked() throws {
    let presenter = try TestProgram(["present \(note.path) saving", "wait \(go())"])
    #expect(try presenter.hasReported("presents"))
    let reader = try TestProgram(["read \(note.path)"])
    #expect(try reader.end() == ["read saved when asked"])
    try scratch.write("", to: "go")
    let reports = try presenter.end()
    #expect(!reports.contains { $0.hasPrefix("error") })
  }

  @Test(
    "A presenter that is stopped, or never answers, fails the access by name within the deadline",
    arguments: [true, false])
  func silent(isStopped: Bool) throws {
    let presenter = try TestProgram([
      "present \(note.path) \(isStopped ? "" : "silent")", "wait \(go())",
    ])
    #expect(try presenter.hasReported("presents"))
    if isStopped { presenter.signal(SIGSTOP) }
    let start = ContinuousClock.now
    let writer = try TestProgram(["patience 400", "write \(note.path) a map"])
    let reports = try writer.end()
    #expect(ContinuousClock.now - start < .generous)
    let error = try #require(reports.first)
    #expect(error.hasPrefix("error: presenter-silent \(presenter.identifier) "), "\(error)")
    #expect(error.contains("stopped") == isStopped)
    #expect(try scratch.read("desk/Note.md") == "a tent")
    // Continuing without it is a decision.
    let taking = try TestProgram(["patience 400", "takeover", "write \(note.path) a map"])
    #expect(try taking.end() == ["written"])
    if isStopped {
      presenter.signal(SIGCONT)
      // It finds all requests of the meantime, and the change of the file.
      #expect(try presenter.hasReported("changed"))
    }
  }

  @Test("A presenter that is killed while it is asked keeps no access waiting")
  func presenterKilled() throws {
    let presenter = try TestProgram(["present \(note.path) silent", "wait \(go())"])
    #expect(try presenter.hasReported("presents"))
    let writer = try TestProgram(["write \(note.path) a map"])
    #expect(try presenter.hasReported("relinquish to writer"))
    presenter.kill()
    #expect(try writer.end() == ["written"])
    // Nothing of it is left.
    let next = try TestProgram(["write \(note.path) a map"])
    #expect(try next.end() == ["written"])
    let names = try FileManager.default.contentsOfDirectory(
      atPath: scratch["desk/.docversions/presenters"].path)
    #expect(!names.contains { $0.hasPrefix("\(presenter.identifier)-") })
  }

  /// The messages that a presenter answers, the accesses that cause them, and its reports.
  static let questions: [(manner: String, access: String, report: String)] = [
    ("silent", "read", "relinquish to reader"), ("silent", "write", "relinquish to writer"),
    ("silent-at-save", "read", "save"), ("silent-at-deletion", "delete", "make way"),
  ]

  @Test(
    "A presenter that is killed or stopped at any question is waited for no longer than the deadline",
    arguments: questions, [SIGKILL, SIGSTOP])
  func atEachQuestion(
    question: (manner: String, access: String, report: String), signal: Int32
  ) throws {
    let presenter = try TestProgram(["present \(note.path) \(question.manner)", "wait \(go())"])
    #expect(try presenter.hasReported("presents"))
    let rest = question.access == "write" ? " a map" : ""
    let patience = signal == SIGKILL ? 120_000 : 5_000
    let access = try TestProgram([
      "patience \(patience)", "\(question.access) \(note.path)\(rest)",
    ])
    #expect(try presenter.hasReported(question.report))
    if signal == SIGKILL { presenter.kill() } else { presenter.signal(signal) }
    let report = try #require(try access.end().first)
    if signal == SIGKILL {
      #expect(["read a tent", "written", "deleted"].contains(report), "\(report)")
    } else {
      #expect(report.hasPrefix("error: presenter-silent \(presenter.identifier) "), "\(report)")
      #expect(try scratch.read("desk/Note.md") == "a tent")
    }
    // The item is free afterwards.
    let next = try TestProgram(["takeover", "patience 300", "write \(note.path) a cup"])
    #expect(try next.end() == ["written"])
  }

  @Test(
    "An access whose program is killed at any question leaves the item free, and presenters go on",
    arguments: questions)
  func killedAtEachQuestion(
    question: (manner: String, access: String, report: String)
  ) throws {
    let presenter = try TestProgram(["present \(note.path) \(question.manner)", "wait \(go())"])
    #expect(try presenter.hasReported("presents"))
    let rest = question.access == "write" ? " a map" : ""
    let access = try TestProgram(["\(question.access) \(note.path)\(rest)"])
    #expect(try presenter.hasReported(question.report))
    access.kill()
    let next = try TestProgram(["takeover", "patience 300", "write \(note.path) a cup"])
    #expect(try next.end() == ["written"])
    #expect(try scratch.read("desk/Note.md") == "a cup")
  }

  @Test("When an access’ program is killed, presenters go on, and look at the item")
  func accessKilled() throws {
    let presenter = try TestProgram(["present \(note.path)", "wait \(go())"])
    #expect(try presenter.hasReported("presents"))
    let writer = try TestProgram(["hold write \(note.path) \(go("never"))"])
    #expect(try writer.hasReported("inside"))
    writer.kill()
    #expect(try presenter.hasReported("changed"))
    #expect(try presenter.reports.contains("reacquire"))
  }

  @Test("A presenter that can’t save fails the reader, which says so")
  func refusal() throws {
    let presenter = try TestProgram(["present \(note.path) refusing", "wait \(go())"])
    #expect(try presenter.hasReported("presents"))
    let reader = try TestProgram(["read \(note.path)"])
    let error = try #require(try reader.end().first)
    #expect(error.hasPrefix("error: presenter-refused \(presenter.identifier) "), "\(error)")
    #expect(try presenter.hasReported("reacquire"))
  }

  @Test(
    "A deletion asks presenters to make way, and one that refuses keeps the item",
    arguments: [false, true])
  func deletion(isRefused: Bool) throws {
    let presenter = try TestProgram([
      "present \(note.path) \(isRefused ? "refusing" : "")", "wait \(go())",
    ])
    let folder = try TestProgram(["present \(scratch["desk"].path)", "wait \(go())"])
    #expect(try presenter.hasReported("presents"))
    #expect(try folder.hasReported("presents"))
    let deletion = try TestProgram(["delete \(note.path)"])
    let report = try #require(try deletion.end().first)
    #expect(isRefused ? report.hasPrefix("error: presenter-refused") : report == "deleted")
    #expect(try presenter.hasReported("make way"))
    #expect(FileManager.default.fileExists(atPath: note.path) == isRefused)
    if !isRefused { #expect(try folder.hasReported("make way for Note.md")) }
  }

  @Test("A move is followed by presenters, also of what is inside, and by accesses that wait")
  func move() throws {
    let inside = try TestProgram(["present \(note.path)", "wait \(go())"])
    let above = try TestProgram(["present \(scratch.url.path)", "wait \(go())"])
    #expect(try inside.hasReported("presents"))
    #expect(try above.hasReported("presents"))
    let target = scratch["shelf"].path
    let mover = try TestProgram(["move \(scratch["desk"].path) \(target)"])
    #expect(try mover.end() == ["moved"])
    #expect(try inside.hasReported("moved to Note.md"))
    #expect(try above.hasReported("moved desk to shelf"))
    // At its new place it is still asked.
    let writer = try TestProgram(["write \(target)/Note.md a map"])
    #expect(try writer.end() == ["written"])
    #expect(try inside.hasReported("changed"))
  }

  @Test("A folder is not moved while something in it is read, and nothing in it is read meanwhile")
  func folderMove() throws {
    // One container around both.
    _ = try TestProgram(["write \(scratch["top.md"].path) x"]).end()
    let reader = try TestProgram(["hold read \(note.path) \(go())"])
    #expect(try reader.hasReported("inside"))
    let impatient = try TestProgram([
      "patience 200", "move \(scratch["desk"].path) \(scratch["shelf"].path)",
    ])
    #expect(try impatient.end().first?.hasPrefix("error: item-in-use") == true)
    // A plain write of the folder is independent of what is in it.
    let plain = try TestProgram(["hold write \(scratch["desk"].path) \(go("now"))"])
    #expect(try plain.hasReported("inside"))
    try scratch.write("", to: "now")
    try scratch.write("", to: "go")
    _ = try reader.end()
    _ = try plain.end()
    let mover = try TestProgram(["move \(scratch["desk"].path) \(scratch["shelf"].path)"])
    #expect(try mover.end() == ["moved"])
  }

  @Test(
    "Programs with one purpose do not wait for each other, and keep others out to the end of the last"
  )
  func purposes() throws {
    let first = try TestProgram(["purpose backup", "hold write \(note.path) \(go("first"))"])
    #expect(try first.hasReported("inside"))
    let second = try TestProgram(["purpose backup", "hold write \(note.path) \(go("second"))"])
    #expect(try second.hasReported("inside"))
    func other() throws -> String? {
      try TestProgram(["patience 200", "write \(note.path) a map"]).end().first
    }
    #expect(try other()?.hasPrefix("error: item-in-use") == true)
    try scratch.write("", to: "first")
    #expect(try first.end() == ["inside", "left"])
    #expect(try other()?.hasPrefix("error: item-in-use") == true)
    try scratch.write("", to: "second")
    #expect(try second.end() == ["inside", "left"])
    #expect(try other() == "written")
  }

  @Test(
    "A write that waits while its item is moved is to the new place, also where nothing is presented",
    arguments: 0..<6)
  func followsMove(number: Int) throws {
    let holder = try TestProgram(["hold write \(note.path) \(go())"])
    #expect(try holder.hasReported("inside"))
    let target = scratch["desk/Moved.md"].path
    let mover = try TestProgram(["move \(note.path) \(target)"])
    let writer = try TestProgram(["write \(note.path) a map"])
    letPass(.milliseconds(300), because: "waiting gives no sign")
    try scratch.write("", to: "go")
    #expect(try mover.end() == ["moved"])
    #expect(try writer.end() == ["written"])
    // Whichever came first.
    #expect(try scratch.read("desk/Moved.md") == "a map")
    #expect(!FileManager.default.fileExists(atPath: note.path))
  }

  @Test("Many processes change one file, and no change is lost")
  func stress() throws {
    let (programs, operations) = (8, TestMode.pick(short: 40, full: 1_250))
    try Data("0".utf8).write(to: note)
    let running = try (0..<programs).map { _ in
      try TestProgram(["patience 60000", "count \(note.path) \(operations)"])
    }
    for program in running {
      let reports = try program.end()
      #expect(reports.first?.hasPrefix("counted") == true, "\(reports)")
      if TestMode.isFull { print(reports) }
    }
    #expect(try scratch.read("desk/Note.md") == "\(programs * operations)")
  }
}

/// A presenter that writes its file when another program may have changed it.
private actor RewritingPresenter: FilePresenter {
  let url: URL
  private(set) var isOver = false
  private(set) var failure: String?

  init(_ url: URL) { self.url = url }

  var presentedItemURL: URL? { url }

  func relinquishPresentedItem(toWriter writer: FileAccess) async -> Reacquirer? { {} }

  func presentedItemDidChange() async {
    guard !isOver else { return }
    defer { isOver = true }
    do {
      try await FileCoordinator(filePresenter: self, patience: .seconds(3))
        .coordinate(writingItemAt: url) { try Data("typed".utf8).write(to: $0) }
    } catch {
      failure = "\(error)"
    }
  }
}
