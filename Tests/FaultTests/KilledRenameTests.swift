internal import DocumentTestSupport
internal import DocumentVersions
internal import DocumentWorld
internal import Foundation
internal import Testing

/// A program saves a document by replacing its file, right after a rename was killed.
@Suite("A rename that is interrupted", .enabled(if: FaultInjector.isAvailable), .blocks)
struct KilledRenameTests {
  private static let operations = Operation.all.filter {
    ["rename", "undo a rename"].contains($0.name)
  }

  @Test("The file is still the same document if a program replaces it", arguments: operations)
  func replacing(operation: Operation) async throws {
    let baseline = try await Baselines.shared.baseline(of: operation)
    // Those of files and stores; others rename files in the store.
    let calls = baseline.changes.filter { $0.name == "renameat2" }
    #expect(calls.count > 1)
    for call in calls {
      try await Workers.run {
        let bed = try FaultBed(copyOf: baseline.bed)
        _ = try bed.run(
          baseline.arguments, fault: Fault(action: .killBefore, call: call.number))
        let names = operation.documents.flatMap(\.names)
          .filter { FileManager.default.fileExists(atPath: bed[$0].path) }
        #expect(names.count == 1)
        try bed.write("a boat\n", to: names[0], minute: 40, replacing: true)
        try bed.expect(["save", "--all"], minute: 40)
        let stores = try FileManager.default.contentsOfDirectory(
          atPath: bed[".docversions/documents"].path)
        #expect(stores == [names[0] + ".git"], "killed before \(call)")
        let state = try FaultBedState(of: bed, operation.documents)
        #expect(state.identifiers.isSuperset(of: baseline.before.identifiers))
        #expect(try bed.device().history(names[0]).current?.contents() == Data("a boat\n".utf8))
      }
    }
  }
}
