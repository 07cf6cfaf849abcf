internal import DocumentTestSupport
internal import Foundation
internal import SystemPackage
internal import Testing

/// A program opens a document in the moment before it is replaced or removed, and writes it in place later.
@Suite(
  "A document that is opened while it is replaced", .enabled(if: FaultInjector.isAvailable), .blocks
)
struct OpenedFileTests {
  @Test(
    "What the program writes is not lost, and no command waits for it",
    arguments: Operation.tried.filter { !$0.isRepair })
  func writing(operation: Operation) async throws {
    let baseline = try await Baselines.shared.baseline(of: operation)
    let calls = baseline.changes.filter { $0.displaced != nil }
    for call in TestMode.some(of: calls, atMost: 1, row: operation.name) {
      try await Workers.run { try expectWriting(after: call, baseline) }
    }
  }

  private func expectWriting(after call: Call, _ baseline: Baseline) throws {
    let bed = try FaultBed(copyOf: baseline.bed)
    let displaced = bed.root.appending(path: try #require(call.displaced))
    let stop = Fault(action: FaultAction(text: "stop"), call: call.number)
    let program = try bed.start(baseline.arguments, fault: stop)
    try program.waitUntilStopped()
    let files = try Self.files(of: displaced)
    let open = try files.map {
      try FileDescriptor.open(FilePath($0.path), .readWrite, options: .closeOnExec)
    }
    program.signal(SIGCONT)
    let outcome = try program.wait(atMost: .generous)
    func save(minute: Int) throws {
      let names = baseline.operation.documents.flatMap(\.names)
        .filter { FileManager.default.fileExists(atPath: bed[$0].path) }
      guard !names.isEmpty else { return }
      let run = try bed.run(["save"] + names, minute: minute)
      #expect(run.exitCode == 0, "\(call): \(run.errorOutput)")
    }
    try save(minute: 40)
    for (index, file) in open.enumerated() {
      try file.writeAll(toAbsoluteOffset: 0, Self.edit(index).utf8)
      try file.close()
    }
    try save(minute: 41)
    let state = try FaultBedState(of: bed, baseline.operation.documents)
    let found =
      try [Snapshot(of: displaced)]
      + state.documents.flatMap { $0.items + Array($0.contents.values) }
    for index in open.indices {
      #expect(
        found.contains { $0.contains(Self.edit(index)) },
        "\(files[index].lastPathComponent), \(call): \(outcome.output) \(outcome.errorOutput)")
    }
    let left = try FileManager.default.contentsOfDirectory(atPath: bed.home.path)
      .filter { $0.hasPrefix(".docversions-") }
    #expect(left.isEmpty)
  }

  private static func edit(_ index: Int) -> String { "written in place, \(index)\n" }

  /// Returns a file, or the files in a folder.
  private static func files(of item: URL) throws -> [URL] {
    guard item.isFolder else { return [item] }
    let paths = try FileManager.default.subpathsOfDirectory(atPath: item.path).sorted()
    return paths.map { item.appending(path: $0) }.filter { !$0.isFolder }
  }
}

extension URL {
  fileprivate var isFolder: Bool {
    var isFolder: ObjCBool = false
    let isThere = FileManager.default.fileExists(atPath: path, isDirectory: &isFolder)
    return isThere && isFolder.boolValue
  }
}

extension Call {
  /// The path in the bed of the item that the call replaces or removes; nil for any other call.
  fileprivate var displaced: String? {
    let paths = path.components(separatedBy: " -> ")
    guard name == "renameat2", paths.count == 2,
      let temporary = paths.firstIndex(where: { $0.hasSuffix("-old.tmp") })
    else { return nil }
    let item = paths[1 - temporary]
    guard !item.hasSuffix(".tmp") else { return nil }
    return item.range(of: "/bed/").map { String(item[$0.upperBound...]) }
  }
}
