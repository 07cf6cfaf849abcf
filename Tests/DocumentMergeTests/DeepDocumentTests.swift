@testable import DocumentMerge
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite("Deep documents")
struct DeepDocumentTests {
  /// A way to nest values in each other.
  struct Nesting: Sendable, CustomTestStringConvertible {
    let kind: MergeEngines.Kind
    /// The text before and after the members of a level, which counts from 0.
    let open: @Sendable (Int) -> String
    let close: String
    /// The number of levels of the tree per level of nesting.
    let height: Int
    /// Two values, on the innermost level.
    let values: @Sendable (Int, String, String) -> String
    /// The text around everything.
    let around: (start: String, end: String)

    var testDescription: String { "\(kind) in “\(open(0))”" }

    init(
      _ kind: MergeEngines.Kind, _ open: @escaping @autoclosure @Sendable () -> String,
      _ close: String, height: Int = 1, around: (String, String) = ("", ""),
      _ values: @escaping @Sendable (String, String) -> String
    ) {
      self.init(
        kind, open: { _ in open() }, close, height: height, around: around,
        values: { values($1, $2) })
    }

    init(
      _ kind: MergeEngines.Kind, open: @escaping @Sendable (Int) -> String, _ close: String = "",
      height: Int = 1, around: (String, String) = ("", ""),
      values: @escaping @Sendable (Int, String, String) -> String
    ) {
      (self.kind, self.open, self.close, self.height) = (kind, open, close, height)
      (self.around, self.values) = (around, values)
    }

    /// A document just below the limit.
    func document(_ first: String, _ second: String) -> [UInt8] {
      let levels = StructureTreeBuilder.depthLimit / height - 5
      let text =
        around.start + (0..<levels).map(open).joined() + values(levels, first, second)
        + String(repeating: close, count: levels) + around.end
      return Array(text.utf8)
    }
  }

  private static let nestings = [
    Nesting(.json, "{\"a\":", "}") { "{\"b\":\($0),\"c\":\($1)}" },
    Nesting(.json, "{\"a\":[{\"id\":1,\"b\":", "}]}", height: 3) { "\($0),\"c\":\($1)" },
    Nesting(.yaml, "{a: ", "}", around: ("", "\n")) { "{b: \($0), c: \($1)}" },
    Nesting(.yaml, open: { indent($0) + "a:\n" }) {
      "\(indent($0))b: \($1)\n\(indent($0))c: \($2)\n"
    },
    Nesting(.toml, "{a = ", "}", around: ("x = ", "\n")) { "{b = \($0), c = \($1)}" },
    Nesting(.xml, "<a>", "</a>", height: 2) { "<b>\($0)</b><c>\($1)</c>" },
    Nesting(.html, "<div>", "</div>", height: 2) { "<p>\($0)</p><p id=c>\($1)</p>" },
    Nesting(.plist, "<dict><key>a</key>", "</dict>", height: 2, around: ("<plist>", "</plist>")) {
      "<dict><key>b</key><integer>\($0)</integer><key>c</key><integer>\($1)</integer></dict>"
    },
    Nesting(.plist, "{a=", ";}") { "{b=\($0);c=\($1);}" },
  ]

  private static func indent(_ level: Int) -> String { String(repeating: " ", count: level) }

  private func merge(
    _ nesting: Nesting, _ ours: (String, String), _ theirs: (String, String)
  ) throws -> MergeOutcome {
    let sides = MergeSides(
      base: nesting.document("1", "1"), ours: nesting.document(ours.0, ours.1),
      theirs: nesting.document(theirs.0, theirs.1))
    return try SmallStack.run {
      try MergeEngines().engine(for: nesting.kind).merge(sides, options: MergeOptions())
    }
  }

  @Test("They are merged by their structure, also on a small stack", arguments: nestings)
  func clean(_ nesting: Nesting) throws {
    let outcome = try merge(nesting, ("2", "1"), ("1", "2"))
    #expect(outcome.isComplete)
    #expect(outcome.bytes == nesting.document("2", "2"))
  }

  @Test(
    "They are asked about where both sides changed a value, also on a small stack",
    arguments: nestings)
  func clash(_ nesting: Nesting) throws {
    let outcome = try merge(nesting, ("2", "1"), ("3", "4"))
    #expect(outcome.decisions.filter { $0.kind == .clash }.count == 1)
    #expect(outcome.bytes == nesting.document("2", "4"))
  }
}

/// Work on a thread with a smaller stack (384 KiB) than the threads of any pool have (512 KiB).
private enum SmallStack {
  static func run<Value: Sendable>(
    _ work: @escaping @Sendable () throws -> Value
  ) throws -> Value {
    let outcome = Outcome<Value>()
    let thread = Thread { outcome.set(Result { try work() }) }
    // Without optimization, a frame is several times as large.
    thread.stackSize = _isDebugAssertConfiguration() ? 8 << 20 : 384 << 10
    thread.start()
    return try #require(outcome.wait()).get()
  }

  private final class Outcome<Value: Sendable>: Sendable {
    private let result = Mutex<Result<Value, any Error>?>(nil)
    private let isDone = DispatchSemaphore(value: 0)

    func set(_ outcome: Result<Value, any Error>) {
      result.withLock { $0 = outcome }
      isDone.signal()
    }

    func wait() -> Result<Value, any Error>? {
      isDone.wait()
      return result.withLock { $0 }
    }
  }
}
