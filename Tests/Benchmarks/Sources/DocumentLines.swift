import DocumentVersions
import Foundation
import Synchronization

/// Documents that an app has open.
extension Line {
  static let documents = [
    openAndClose, saveThroughDocument, typing(.time), typing(.writes), openDocuments(.memory),
    openDocuments(.descriptors), openDocuments(.noticing),
  ]

  /// Opening and closing, compared with its minimum: reading the file and the newest version.
  private static let openAndClose = Line(
    name: "open and close of a document of 10 KB", peer: "its bytes and its newest version, read",
    target: 4.5
  ) { bench in
    let url = bench.ours.appending(path: "a.txt")
    try bench.editText(url)
    let store = VersionStore(identity: .mira)
    try await store.save(url)
    return (
      { _ in
        try await Timing.of {
          let document = await BenchDocument(fileURL: url)
          try await document.open()
          try await document.close()
        }
      },
      { _ in
        try await Timing.of {
          _ = try Data(contentsOf: url)
          _ = try await store.history(of: url, newest: 1)
        }
      }
    )
  }

  /// A save through a document also writes the file durably; the store's save finds it written.
  private static let saveThroughDocument = Line(
    name: "save of 10 KB as a version through a document", peer: "the store’s save of the same",
    target: 1.3
  ) { bench in
    let (ours, other) = (bench.ours.appending(path: "a.txt"), bench.git.appending(path: "a.txt"))
    try bench.editText()
    let store = VersionStore(identity: .mira)
    for url in [ours, other] { try await store.save(url) }
    let environment = DocumentEnvironment(store: store)
    let document = await BenchDocument(fileURL: ours, environment: environment)
    try await document.open()
    return (
      { _ in
        let text = try bench.editText(other)
        try await store.save(other)
        await document.type(text)
        return try await Timing.of { try await document.save() }
      },
      { _ in
        try bench.editText(other)
        return try await Timing.of { try await store.save(other) }
      }
    )
  }

  private enum Typing { case time, writes }

  /// A minute of 60 changes per second, on a clock that the benchmark moves.
  private static func typing(_ what: Typing) -> Line {
    let (name, unit, limit) =
      switch what {
      case .time: ("main actor for each of 60 changes a second", "µs", 50.0)
      case .writes: ("writes in a minute of typing", "writes", 5.0)
      }
    return Line(name: name, peer: "the budget", target: 1, counts: .amount(unit)) { bench in
      let url = bench.ours.appending(path: "a.txt")
      try bench.editText(url)
      try await VersionStore(identity: .mira).save(url)
      return (
        { _ in
          let (time, writes) = try await typeForAMinute(url)
          return .counted(what == .time ? time : Double(writes))
        }, { _ in .counted(limit) }
      )
    }
  }

  @MainActor
  private static func typeForAMinute(_ url: URL) async throws -> (microseconds: Double, writes: Int)
  {
    let clock = BenchClock()
    let document = BenchDocument(
      fileURL: url,
      environment: DocumentEnvironment(store: VersionStore(identity: .mira), clock: clock.clock))
    try await document.open()
    var text = document.text
    var time = Duration.zero
    for number in 0..<3_600 {
      text[number % text.count] = UInt8(ascii: "a") + UInt8(number % 26)
      let start = ContinuousClock.now
      document.type(text)
      time += ContinuousClock.now - start
      clock.advance(.seconds(1) / 60)
      await Task.yield()
      // A person doesn't wait for a running save, but here, a minute is over at once.
      if document.state.contains(.progressAvailable) {
        while document.state.contains(.progressAvailable) { await Task.yield() }
      }
    }
    let writes = document.writes
    try await document.close()
    return (time / .microseconds(1) / 3_600, writes)
  }

  private enum Open { case memory, descriptors, noticing }

  /// A thousand documents that are open at once.
  private static func openDocuments(_ what: Open) -> Line {
    let (name, unit, limit) =
      switch what {
      case .memory: ("1,000 open documents: memory", "MB", 60.0)
      case .descriptors: ("1,000 open documents: descriptors", "descriptors", 20.0)
      case .noticing: ("1,000 open documents: a change of one is noticed", "ms", 100.0)
      }
    return Line(name: name, peer: "the budget", target: 1, counts: .amount(unit)) { bench in
      let folder = bench.ours
      let store = VersionStore(identity: .mira)
      let urls = (1...1_000).map { folder.appending(path: "\($0).txt") }
      for url in urls {
        try Data("a text of document \(url.lastPathComponent)\n".utf8).write(to: url)
      }
      for url in urls { try await store.save(url) }
      let before = (memory: residentMemory(), descriptors: descriptors())
      var documents: [BenchDocument] = []
      for url in urls {
        let document = await BenchDocument(
          fileURL: url, environment: DocumentEnvironment(store: store))
        try await document.open()
        documents.append(document)
      }
      let after = (memory: residentMemory(), descriptors: descriptors())
      return (
        { [documents] number in
          switch what {
          case .memory: return .counted(after.memory - before.memory)
          case .descriptors: return .counted(after.descriptors - before.descriptors)
          case .noticing:
            let index = number * 37 % documents.count
            let document = documents[index]
            let text = Data("change \(number)\n".utf8)
            let start = ContinuousClock.now
            try text.write(to: urls[index], options: .atomic)
            while await document.text != text { try await Task.sleep(for: .microseconds(200)) }
            return .counted((ContinuousClock.now - start) / .milliseconds(1))
          }
        }, { _ in .counted(limit) }
      )
    }
  }

  /// Returns the resident memory in MB.
  private static func residentMemory() -> Double {
    let statistics = FileManager.default.contents(atPath: "/proc/self/statm") ?? Data()
    let words = String(decoding: statistics, as: UTF8.self).split(separator: " ")
    return words.count > 1
      ? (Double(words[1]) ?? 0) * Double(sysconf(Int32(_SC_PAGESIZE))) / 1e6 : 0
  }

  private static func descriptors() -> Double {
    do {
      return Double(try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
    } catch {
      return 0
    }
  }
}

extension Identity {
  fileprivate static let mira = Identity(author: "Mira", device: "mira-laptop")
}

/// A document of bytes.
private final class BenchDocument: Document {
  private(set) var text = Data()
  private(set) var writes = 0

  func type(_ new: Data) {
    text = new
    updateChangeCount(.done)
  }

  override func contents(forType type: String) throws -> DocumentContents {
    writes += 1
    return .data(text)
  }

  override func load(
    _ contents: DocumentContents, ofType type: String, because reason: LoadReason
  ) throws {
    if case .data(let data) = contents { text = data }
  }
}

/// A clock that the benchmark moves.
private final class BenchClock: Sendable {
  private let state = Mutex(
    (now: Duration.zero, waits: [(due: Duration, wake: CheckedContinuation<Void, Never>)]()))

  var clock: DocumentClock {
    DocumentClock(now: { self.state.withLock { $0.now } }) { moment in
      await withCheckedContinuation { wake in
        let isOver = self.state.withLock { state in
          guard moment > state.now else { return true }
          state.waits.append((moment, wake))
          return false
        }
        if isOver { wake.resume() }
      }
      try Task.checkCancellation()
    }
  }

  func advance(_ duration: Duration) {
    let woken = state.withLock { state in
      state.now += duration
      let now = state.now
      let woken = state.waits.filter { $0.due <= now }
      state.waits.removeAll { $0.due <= now }
      return woken
    }
    for wait in woken { wait.wake.resume() }
  }
}
