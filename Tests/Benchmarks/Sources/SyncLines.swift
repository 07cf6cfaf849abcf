import DocumentVersions
import Foundation

/// Syncing through a git server on this machine (`git daemon`), compared with git's own work with the same
/// server.
extension Line {
  static let syncs = [syncOfOneMember, syncOfLargeFile]

  private static let syncOfOneMember = Line(
    name: "sync of a changed member of a package of 20, among 1,000 documents",
    peer: "git push of the same change", target: 2, counts: .amount("bytes sent")
  ) { bench in
    let server = try SyncServer(bench)
    try await server.publish(1_000)
    for number in 0..<20 { try bench.write(bench.bytes(4_000), to: "p.pkg/\(number).txt") }
    let package = bench.ours.appending(path: "p.pkg")
    try await VersionStore().save(package, asPackage: true)
    try bench.docversions("sync")
    return (
      { number in
        try Data("changed \(number)\n".utf8).write(to: package.appending(path: "7.txt"))
        try await VersionStore().save(package, asPackage: true)
        let outcome = try await VersionStore().sync(bench.ours)
        return .counted(Double(outcome.sentBytes))
      },
      // The goal is 4 KB in total; this is half of it.
      { _ in .counted(2_048) }
    )
  }

  private static let syncOfLargeFile = Line(
    name: "sync of a file of 100 MB of which 1 % has changed", peer: "the bytes that changed",
    target: 3.5, counts: .amount("MB sent")
  ) { bench in
    let server = try SyncServer(bench)
    try await server.publish(1)
    try bench.write(megabytes: 100, to: "large.bin")
    let document = bench.ours.appending(path: "large.bin")
    try await VersionStore().save(document)
    try bench.docversions("sync")
    return (
      { number in
        let file = try FileHandle(forUpdating: document)
        try file.seek(toOffset: UInt64(number % 90) * 1_000_000)
        try file.write(contentsOf: bench.bytes(1_000_000))
        try file.close()
        try await VersionStore().save(document)
        let outcome = try await VersionStore().sync(bench.ours)
        return .counted(Double(outcome.sentBytes) / 1e6)
      },
      { _ in .counted(1) }
    )
  }
}

/// A git daemon that runs as long as the benchmarks.
final class SyncServer {
  private let bench: Bench
  private let root: URL
  private let port: Int

  init(_ bench: Bench) throws {
    self.bench = bench
    root = bench.ours.appending(path: "../srv")
    port = Int.random(in: 20_000..<50_000)
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
    try bench.run(
      "/bin/sh", "-c",
      "git daemon --detach --reuseaddr --base-path='\(root.path)' --export-all --enable=receive-pack "
        + "--listen=127.0.0.1 --port=\(port) --pid-file='\(root.path)/pid'")
  }

  deinit {
    do {
      let text = try String(contentsOf: root.appending(path: "pid"), encoding: .utf8)
      if let process = Int32(text.trimmingCharacters(in: .newlines)) { kill(process, SIGTERM) }
    } catch { print("git daemon is still there: \(error)") }
  }

  func address(_ name: String) -> String { "git://127.0.0.1:\(port)/\(name).git" }

  /// Makes an empty repository.
  func makeRepository(_ name: String) throws -> String {
    try bench.git("init", "-q", "--bare", root.appending(path: "\(name).git").path)
    return address(name)
  }

  /// Makes documents, and the same files in a repository of git.
  func fill(_ count: Int) async throws {
    let texts = (0..<count).map { number in
      (path: "\(number % 40)/\(number).txt", bytes: bench.bytes(2_000))
    }
    for text in texts { try bench.write(text.bytes, to: text.path) }
    let documents = texts.map { bench.ours.appending(path: $0.path) }
    try FileManager.default.createDirectory(
      at: bench.ours.appending(path: ".docversions"), withIntermediateDirectories: true)
    for outcome in await VersionStore().saveEach(documents) { _ = try outcome.get() }
    try bench.git("init", "-q")
    try bench.git("add", "-A")
    try bench.git("commit", "-qm", "all")
  }

  /// Makes documents, and syncs them until nothing is new.
  func publish(_ count: Int) async throws {
    try await fill(count)
    try bench.docversions("remote", "add", "origin", makeRepository("ours"))
    try bench.docversions("sync")
    // A file that changed less than two seconds ago may change without a trace.
    try await Task.sleep(for: .seconds(2.1))
    for _ in 0..<2 { try bench.docversions("sync") }
  }
}
