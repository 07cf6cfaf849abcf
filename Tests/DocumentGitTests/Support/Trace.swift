import DocumentTestSupport
import Foundation

/// System calls that create names and wait for the disk, as reported by strace.
enum Trace {
  struct Call: CustomStringConvertible {
    let description: String

    /// The path that the call made.
    var newPath: String? {
      guard ["mkdir", "rename", "link("].contains(where: description.contains),
        description.hasSuffix("= 0")
      else { return nil }
      return description.split(separator: "\"").dropLast().last.map(String.init)
    }

    /// The path that the call waited for.
    var syncedPath: String? {
      guard description.contains("sync("), description.hasSuffix("= 0"),
        let start = description.firstIndex(of: "<"), let end = description.lastIndex(of: ">")
      else { return nil }
      return String(description[description.index(after: start)..<end])
    }
  }

  static let isPossible: Bool = {
    do {
      return try Command.run("strace", ["-o", "/dev/null", "true"]).exitCode == 0
    } catch {
      return false
    }
  }()

  /// Returns the calls that this process makes below a folder while it runs a closure.
  static func calls(below folder: String, _ body: () throws -> Void) throws -> [Call] {
    let scratch = try ScratchFolder()
    let tracer = Process()
    tracer.executableURL = URL(filePath: "/usr/bin/env")
    tracer.arguments = [
      "timeout", "60", "strace", "-f", "-y", "-s", "4096", "-o", scratch["trace"].path,
      "-e", "trace=fsync,fdatasync,mkdir,mkdirat,rename,renameat,renameat2,link", "-p",
      "\(getpid())",
    ]
    LeakCheck.doNow()
    try tracer.run()
    guard try eventually(isTraced) else { throw POSIXError(.ETIMEDOUT) }
    try body()
    // The tracer writes each call at once, so the calls of the body are written before this one. It may
    // outlive its signal, which threads of a pool block and programs inherit; it ends with this process at
    // the latest.
    let end = scratch["end"]
    try FileManager.default.createDirectory(at: end, withIntermediateDirectories: false)
    let isWritten = try eventually {
      try scratch.read("trace").contains(end.path)
    }
    kill(tracer.processIdentifier, SIGINT)
    guard isWritten else { throw POSIXError(.ETIMEDOUT) }
    return try scratch.read("trace").split(separator: "\n").map { Call(description: String($0)) }
      .filter { $0.description.contains(folder) }
  }

  /// Returns whether a tracer is attached to each thread of this process.
  private static func isTraced() throws -> Bool {
    try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").allSatisfy { thread in
      // A thread that has ended in the meantime makes no calls.
      guard let status = FileManager.default.contents(atPath: "/proc/self/task/\(thread)/status")
      else { return true }
      return !String(decoding: status, as: UTF8.self).contains("\nTracerPid:\t0\n")
    }
  }
}
