internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// A rename that arrives while the receiving process is killed, and an edit right after that.
///
/// The rename is a version, and the edit is another one. Whichever of them the killed process had reached, no
/// device may lose either: the document has the new name and the edit, at once or once the conflict is
/// merged.
@Suite("A received rename that is interrupted", .enabled(if: FaultInjector.isAvailable), .blocks)
struct ReceivedRenameTests {
  @Test(
    "An edit after a killed exchange keeps the new name on both devices", arguments: [false, true])
  func editAfterKill(isReplacing: Bool) async throws {
    let prepared = try await Workers.run {
      let bed = try FaultBed()
      try bed.renameIsPublished()
      return bed
    }
    let calls = try await Workers.run {
      try FaultBed(copyOf: prepared).run(["exchange", "../cloud"], isLogged: true).calls
    }
    try #require(calls.count > 10)
    for call in TestMode.some(of: calls.map(\.number), atMost: 12, row: "received rename") {
      try await Workers.run {
        let bed = try FaultBed(copyOf: prepared)
        let fault = Fault(action: .killBefore, call: call)
        _ = try bed.run(["exchange", "../cloud"], fault: fault)
        let place = calls.first { $0.number == call }?.line ?? ""
        let outcome = try outcome(on: bed, replacing: isReplacing)
        #expect(outcome == Outcome.right, "killed before \(place)")
      }
    }
  }

  /// The documents of both devices in the end, by name.
  private struct Outcome: Equatable {
    let mira: [String: String]
    let tom: [String: String]

    private static let document = ["plan.md": "a tent\na map\na boat\n"]
    static let right = Outcome(mira: document, tom: document)
  }

  /// Edits the document at its present path, saves it, and lets both devices exchange and merge until they
  /// agree.
  ///
  /// - Parameter isReplacing: whether another file replaces the present one, as with many editors.
  private func outcome(on bed: FaultBed, replacing isReplacing: Bool) throws -> Outcome {
    let name = try documents(of: "mira", on: bed).keys.sorted().first ?? "none"
    try bed.write("a tent\na map\na boat\n", to: name, minute: 31, replacing: isReplacing)
    try bed.expect(["save", name], minute: 31)
    for (minute, person) in [(32, "mira"), (33, "tom"), (34, "mira")] {
      try bed.expect(["exchange", "../cloud"], minute: minute, as: person)
    }
    if let name = try documents(of: "mira", on: bed).keys.sorted().first {
      _ = try bed.run(["resolve", "--merge", name], minute: 35)
    }
    for (minute, person) in [(36, "mira"), (37, "tom"), (38, "mira")] {
      try bed.expect(["exchange", "../cloud"], minute: minute, as: person)
    }
    return Outcome(
      mira: try documents(of: "mira", on: bed), tom: try documents(of: "tom", on: bed))
  }

  private func documents(of person: String, on bed: FaultBed) throws -> [String: String] {
    let folder = bed.root.appending(path: person)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { !$0.hasPrefix(".") }
    return try Dictionary(
      uniqueKeysWithValues: names.map {
        ($0, try String(contentsOf: folder.appending(path: $0), encoding: .utf8))
      })
  }
}
