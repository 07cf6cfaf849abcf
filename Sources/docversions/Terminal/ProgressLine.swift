internal import DocumentVersions
internal import Foundation
internal import Synchronization

/// One line on standard error that shows the progress of a long operation.
///
/// It appears only on a terminal, and only after a second. A thread reads the operation's `OperationProgress`
/// and redraws the line; ``Console`` removes the line before it writes anything else.
enum ProgressLine {
  /// The line as it is now.
  private struct Line {
    let isAsking: Bool
    var isDrawn = false
    var isOver = false
    var speed = Speed()
    /// The direction of the transfer whose speed is measured; `nil` for the disk.
    var isSending: Bool?
  }

  private static let line = Mutex<Line?>(nil)

  /// Shows a line while an operation runs.
  ///
  /// - Parameters:
  ///   - title: the operation and its document, such as "Saving film.mov".
  ///   - progress: the progress in bytes.
  ///   - isAsking: whether questions may be asked at the terminal in the meantime; then there is no line
  ///     before work begins.
  static func begin(_ title: String, _ progress: OperationProgress, asking isAsking: Bool = false) {
    guard Console.isErrorTerminal, !Pager.isActive else { return }
    line.withLock { $0 = Line(isAsking: isAsking) }
    // If no thread can be created, there is no line.
    _ = Threads.detach {
      Threads.sleep(seconds: 1)
      while draw(title, progress) { Threads.sleep(seconds: 0.125) }
    }
  }

  /// Removes the line permanently.
  static func end() {
    clear()
    line.withLock { $0?.isOver = true }
  }

  /// Removes the line until it is drawn again.
  static func clear() {
    // A signal may be ending the program, and then an unclean line is better than waiting for a slow
    // terminal.
    _ = line.withLockIfAvailable { line in
      if line?.isDrawn == true { Console.draw("\r\u{1B}[K") }
      line?.isDrawn = false
    }
  }

  /// Draws the line; returns false once the operation is over.
  private static func draw(_ title: String, _ progress: OperationProgress) -> Bool {
    line.withLock { line in
      guard !Pager.isActive, var now = line, !now.isOver, !progress.isFinished || now.isDrawn else {
        return false
      }
      let transfer = progress.transfer
      if now.isAsking, transfer == nil, progress.completedUnitCount == 0 { return true }
      if transfer?.isSending != now.isSending { now.speed = Speed() }
      now.isSending = transfer?.isSending
      let done = progress.completedUnitCount
      now.speed.record(transfer?.bytes ?? done, at: .now)
      let speed = now.speed.bytesPerSecond
      let titled = title + counted(progress.documents)
      let text =
        if let transfer, !progress.isCancelled {
          text(titled, transfer, bytesPerSecond: speed)
        } else {
          text(
            titled, done: done, of: progress.totalUnitCount, bytesPerSecond: speed,
            isStopping: progress.isCancelled)
        }
      let total = transfer == nil ? progress.totalUnitCount : transfer?.totalBytes ?? 0
      let amount = transfer?.bytes ?? done
      let bar =
        progress.isCancelled
        ? "" : bar(done: amount, of: total, Console.errorWidth - 1 - text.columns)
      Console.draw("\r" + bar + text.cut(toColumns: Console.errorWidth - 1) + "\u{1B}[K")
      now.isDrawn = true
      line = now
      return true
    }
  }

  /// Returns a bar before the text, if there is room for one and the end is known.
  static func bar(done: Int64, of total: Int64, _ room: Int) -> String {
    let width = min(20, room - 3)
    guard total > 0, done >= 0, width >= 8 else { return "" }
    let full = Int(Double(width) * min(1, Double(done) / Double(total)))
    return "[\(String(repeating: "█", count: full))\(String(repeating: "░", count: width - full))] "
  }

  /// Returns " 3012 of 10000 documents", if there are several.
  static func counted(_ documents: OperationProgress.Documents) -> String {
    guard documents.total > 1 else { return "" }
    return "  \(documents.completed) of \(Wording.count(documents.total, "document"))"
  }

  /// Returns the known parts of "Saving film.mov 412 MB of 1.0 GB · 95 MB/s · 6 s left".
  static func text(
    _ title: String, done: Int64, of total: Int64, bytesPerSecond: Double, isStopping: Bool = false
  ) -> String {
    if isStopping { return "\(title)  stopping…" }
    guard done > 0 else { return "\(title)…" }
    return "\(title)  \(facts(done: done, of: total, bytesPerSecond).joined(separator: " · "))"
  }

  /// "Syncing with origin  sending 3,012 objects · 4.2 MB of 12 MB · 1.1 MB/s · 7 s left".
  static func text(
    _ title: String, _ transfer: OperationProgress.Transfer, bytesPerSecond: Double
  ) -> String {
    let verb = transfer.isSending ? "sending" : "receiving"
    let start = transfer.objects.map { "\(verb) \(Wording.count($0, "object"))" } ?? verb
    let facts = facts(done: transfer.bytes, of: transfer.totalBytes ?? 0, bytesPerSecond)
    return "\(title)  \(([start] + facts).joined(separator: " · "))"
  }

  private static func facts(
    done: Int64, of total: Int64, _ bytesPerSecond: Double
  ) -> [String] {
    var facts = [amount(Double(done)) + (total > 0 ? " of \(amount(Double(total)))" : "")]
    guard bytesPerSecond >= 1 else { return facts }
    facts.append("\(amount(bytesPerSecond))/s")
    if total > done { facts.append("\(duration(Double(total - done) / bytesPerSecond)) left") }
    return facts
  }

  /// Returns "95 MB" or "1.0 GB", with few digits, because they change.
  private static func amount(_ bytes: Double) -> String {
    var amount = bytes
    var units = ["bytes", "kB", "MB", "GB", "TB"][...]
    while amount >= 999.5, units.count > 1 {
      amount /= 1_000
      units.removeFirst()
    }
    let isWhole = amount >= 9.95 || units.first == "bytes"
    return Wording.decimal(amount, isWhole: isWhole) + " " + (units.first ?? "")
  }

  /// "6 s", "4 min", "3 h".
  private static func duration(_ seconds: Double) -> String {
    switch seconds {
    case ..<99.5: "\(max(1, Int(seconds.rounded()))) s"
    case ..<5_970: "\(Int((seconds / 60).rounded())) min"
    case ..<3.6e8: "\(Int((seconds / 3_600).rounded())) h"
    default: "very long"
    }
  }
}

/// The speed of the last few seconds.
private struct Speed {
  private var samples: [(time: ContinuousClock.Instant, done: Int64)] = []

  /// Records the progress.
  mutating func record(_ done: Int64, at time: ContinuousClock.Instant) {
    samples.append((time, done))
    while samples.count > 2, samples[0].time.duration(to: time) > .seconds(4) {
      samples.removeFirst()
    }
  }

  /// The speed; 0 while it is unknown.
  var bytesPerSecond: Double {
    guard let first = samples.first, let last = samples.last else { return 0 }
    let seconds = first.time.duration(to: last.time) / .seconds(1)
    return seconds > 0.3 ? Double(last.done - first.done) / seconds : 0
  }
}

extension SynchronousStore {
  /// Runs long work with a line that shows its progress; a signal stops it between two pieces.
  ///
  /// - Parameters:
  ///   - verb: the operation, such as "Saving".
  ///   - document: the document's name for a person.
  ///   - isJSON: whether a program reads the answer; then there is no line.
  ///   - isAsking: whether questions may be asked at the terminal in the meantime.
  ///   - work: receives this store with a `progress`.
  func showingProgress<Result>(
    _ verb: String, _ document: String, isJSON: Bool = false, asking isAsking: Bool = false,
    _ work: (SynchronousStore) throws -> Result
  ) throws -> Result {
    let store = try beginning(verb, document, isJSON: isJSON, asking: isAsking)
    defer { Self.ending() }
    return try work(store)
  }

  /// Runs long asynchronous work, with a line that shows its progress.
  func showingProgress<Result>(
    _ verb: String, _ document: String, isJSON: Bool = false,
    _ work: (SynchronousStore) async throws -> Result
  ) async throws -> Result {
    let store = try beginning(verb, document, isJSON: isJSON)
    defer { Self.ending() }
    return try await work(store)
  }

  private func beginning(
    _ verb: String, _ document: String, isJSON: Bool, asking isAsking: Bool = false
  ) throws -> SynchronousStore {
    let progress = OperationProgress()
    try Signals.beginCancellable(progress)
    if !isJSON { ProgressLine.begin("\(verb) \(document)", progress, asking: isAsking) }
    var store = self
    store.progress = progress
    return store
  }

  private static func ending() {
    ProgressLine.end()
    Signals.endCancellable()
  }
}
