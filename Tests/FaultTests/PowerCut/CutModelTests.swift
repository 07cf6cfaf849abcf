import DocumentTestSupport
import Foundation
import Testing

/// What the models keep and lose, shown by small traces.
@Suite("Models of power cuts", .enabled(if: FaultInjector.isAvailable), .blocks)
struct CutModelTests {
  /// A folder with the file `old`, and what a program does there; `create` and the like as in a trace.
  private func trace(_ lines: (_ folder: String, _ old: String) -> [String]) throws -> Trace {
    let scratch = try ScratchFolder(isInMemory: true)
    try scratch.write("old", to: "root/old")
    let image = try DiskImage(of: scratch["root"])
    let old = try #require(image[DiskImage.Place(folder: image.root, name: "old")])
    return try Trace(lines("\(image.root)", "\(old)"), from: image)
  }

  /// The names of files and their text after a cut at the end.
  private func files(_ model: CutModel, _ trace: Trace) throws -> [String: String] {
    let image = try #require(model.image(of: trace, cut: trace.changes.count))
    return image.tree.compactMapValues { node in
      guard case .file(let bytes, _) = node else { return nil }
      return String(decoding: bytes, as: UTF8.self)
    }
  }

  private func hex(_ text: String) -> String {
    text.utf8.map { String($0, radix: 16) }.joined()
  }

  @Test(
    "A file that was written and given a name, without synchronizing",
    arguments: [
      (CutModel.ordered, ["old": "old", "new": "text"]),
      (.namesThenZeros, ["old": "old", "new": "\0\0\0\0"]),
      (.namesOnly, ["old": "old", "new": ""]),
      (.journal, ["old": "old"]),
      (.strict, ["old": "old"]),
    ])
  func unsynchronized(model: CutModel, expected: [String: String]) throws {
    let trace = try trace { folder, _ in
      [
        "create \(folder) \(hex("tmp")) 7 420", "write 7 0 \(hex("text"))",
        "rename \(folder) \(hex("tmp")) \(folder) \(hex("new"))",
      ]
    }
    #expect(try files(model, trace) == expected)
  }

  @Test("What was synchronized in the right order survives everywhere", arguments: CutModel.all)
  func synchronized(model: CutModel) throws {
    let trace = try trace { folder, _ in
      [
        "create \(folder) \(hex("tmp")) 7 420", "write 7 0 \(hex("text"))", "fsync 7",
        "rename \(folder) \(hex("tmp")) \(folder) \(hex("old"))", "fsync \(folder)", "ack",
      ]
    }
    guard model != .torn else { return }
    #expect(try files(model, trace) == ["old": "text"])
  }

  @Test("The journal model goes back to the last synchronization of anything")
  func journal() throws {
    let trace = try trace { folder, old in
      [
        "create \(folder) \(hex("a")) 7 420", "fsync \(old)", "create \(folder) \(hex("b")) 8 420",
      ]
    }
    #expect(try files(.journal, trace) == ["old": "old", "a": ""])
    #expect(try files(.strict, trace) == ["old": "old"])
  }

  @Test("A synchronized name does not bring its bytes, nor bytes their name")
  func halves() throws {
    let name = try trace { folder, _ in
      ["create \(folder) \(hex("a")) 7 420", "write 7 0 \(hex("text"))", "fsync \(folder)"]
    }
    #expect(try files(.strict, name) == ["old": "old", "a": ""])
    let bytes = try trace { folder, _ in
      ["create \(folder) \(hex("a")) 7 420", "write 7 0 \(hex("text"))", "fsync 7"]
    }
    #expect(try files(.strict, bytes) == ["old": "old"])
  }

  @Test("The torn model keeps half of the last write")
  func torn() throws {
    let trace = try trace { _, old in ["write \(old) 0 \(hex("news"))"] }
    #expect(try files(.torn, trace) == ["old": "ned"])
  }

  @Test("An inode number that is used again is another file")
  func reused() throws {
    let trace = try trace { folder, old in
      [
        "remove \(folder) \(hex("old"))", "create \(folder) \(hex("new")) \(old) 420",
        "write \(old) 0 \(hex("text"))", "fsync \(old)",
      ]
    }
    #expect(try files(.ordered, trace) == ["new": "text"])
    #expect(try files(.strict, trace) == ["old": "old"])
  }

  @Test("Of a program that did not synchronize, the judge finds what is lost")
  func judge() throws {
    let recording = try CutRecording(CutOperation.short[0]).withoutSynchronizing()
    let cut = recording.trace.changes.count
    for (model, kind) in [(CutModel.strict, CutProblem.Kind.lost), (.namesOnly, .corrupt)] {
      let scratch = try ScratchFolder(isInMemory: true)
      try #require(model.image(of: recording.trace, cut: cut)).write(to: scratch["root"])
      let problems = try CutJudge(
        recording: recording, acknowledged: 1, root: scratch["root"]
      ).problems()
      #expect(problems.contains { $0.kind == kind }, "\(model): \(problems)")
    }
  }
}

extension CutRecording {
  /// Returns the recording of a program that never waits for the disk.
  fileprivate func withoutSynchronizing() -> CutRecording {
    var result = self
    result.trace.filterChanges { !$0.isSynchronization }
    return result
  }
}
