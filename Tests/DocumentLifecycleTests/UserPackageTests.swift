import DocumentTestSupport
import Foundation
import Testing

/// A separate package that uses the library as a user's package does.
///
/// Building the library for it takes minutes, so it is one of the tests that `DOCVERSIONS_FAULTS=full` runs.
@Suite(
  "A user’s package",
  .enabled(if: TestMode.isFull))
struct UserPackageTests {
  @Test("The ten-line document class builds and runs with what is public")
  func notes() throws {
    let scratch = try ScratchFolder()
    let package = URL(filePath: #filePath)
      .deletingLastPathComponent().deletingLastPathComponent().appending(path: "NotesApp")
    try FileManager.default.createDirectory(
      at: scratch["notes"], withIntermediateDirectories: true)
    // The compiler needs a home, and the package manager the packages that it has there.
    let environment = ProcessInfo.processInfo.environment
    let run = try Command.run(
      "swift",
      [
        "run", "--package-path", package.path, "--scratch-path", scratch["build"].path, "notes",
        scratch["notes"].path,
      ],
      environment: [
        "HOME": environment["HOME"] ?? "/root", "PATH": environment["PATH"] ?? "/usr/bin:/bin",
        "DOCVERSIONS_AUTHOR": "Mira", "DOCVERSIONS_DEVICE": "mira-laptop",
      ])
    #expect(run.exitCode == 0, "\(run.errorOutput) \(run.output)")
    #expect(
      run.output.hasSuffix(
        """
        Note 1 11 true
        - 11
        first list 5
        - 0

        """), "\(run.output)")
    #expect(try scratch.read("notes/Note 1.md") == "Tent\nStove\n")
  }
}
