internal import DocumentTestSupport
internal import Foundation

/// The library that is preloaded into the program; `Injector/injector.h` describes its features.
enum FaultInjector {
  /// True if programs can be run with it here, which needs a preloading linker and a C compiler.
  static let isAvailable: Bool = {
    #if os(Linux)
    return compiler != nil
    #else
    return false
    #endif
  }()

  /// Returns the library, which is built once for all tests of a run.
  static func library() throws -> URL { try built.get() }

  private static let scratch = Result { try ScratchFolder() }

  private static let built = Result {
    let source = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .appending(path: "Injector")
    let files = try FileManager.default.contentsOfDirectory(
      at: source, includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "c" }
    let library = try scratch.get()["faults.so"]
    guard let compiler else { throw FaultError("there is no C compiler") }
    let options = ["-D_GNU_SOURCE", "-O1", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared"]
    let result = try Command.run(
      compiler, options + ["-o", library.path] + files.map(\.path) + ["-ldl", "-lpthread"])
    guard result.exitCode == 0 else { throw FaultError(result.errorOutput) }
    return library
  }

  /// The compiler that comes with Swift, or the system's.
  private static let compiler: String? = {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let candidates = ["clang", "cc"].flatMap { name in
      path.split(separator: ":").map { "\($0)/\(name)" }
    }
    return candidates.first(where: FileManager.default.isExecutableFile)
  }()
}

/// An error that prevents a test from running.
struct FaultError: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
