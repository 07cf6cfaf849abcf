import DocumentTestSupport
import Foundation
import Testing

/// Large documents need no more memory than small ones.
@Suite("Memory", .serialized, .blocks)
struct MemoryTests {
  /// The maximum memory of a process, in bytes.
  private static let limit = 100 << 20

  /// Writes a document of 200 MB that doesn't repeat.
  ///
  /// Mostly spaces, so that packing it does not take long.
  private func writeDocument(_ program: Program, to name: String) throws {
    var generator = SeededGenerator(seed: 1)
    var piece = [UInt8](repeating: UInt8(ascii: " "), count: 1 << 20)
    try program.folder.write("", to: name)
    let file = try FileHandle(forWritingTo: program.folder[name])
    for _ in 0..<200 {
      for index in stride(from: 0, to: piece.count, by: 64) {
        withUnsafeBytes(of: generator.next()) {
          piece.replaceSubrange(index..<index + 8, with: $0)
        }
      }
      try file.write(contentsOf: Data(piece))
    }
    try file.close()
  }

  /// Runs the program, and returns its peak memory in bytes.
  private func peak(_ program: Program, _ arguments: String...) throws -> Int {
    let script = """
      import os, resource, subprocess, sys
      code = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL).returncode
      print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      sys.exit(code)
      """
    let result = try Command.run(
      "python3", ["-c", script, Program.path] + arguments, in: program.folder["."],
      environment: ["DOCVERSIONS_AUTHOR": "Mira", "DOCVERSIONS_DEVICE": "mira-laptop"])
    try #require(result.exitCode == 0, "\(result.errorOutput)")
    let number = try #require(Int(result.output.trimmingCharacters(in: .whitespacesAndNewlines)))
    #if canImport(Darwin)
    return number
    #else
    return number << 10
    #endif
  }

  @Test("A document of 200 MB is saved, compared, shown, exported and restored in less than 100 MB")
  func large() throws {
    let program = try Program(isInMemory: false)
    try writeDocument(program, to: "a.bin")
    #expect(try peak(program, "save", "a.bin") < Self.limit, "save")
    #expect(try peak(program, "status", "a.bin") < Self.limit, "status")
    #expect(try peak(program, "show", "a.bin") < Self.limit, "show")
    #expect(
      try peak(program, "restore", "a.bin", "current", "--to", "b.bin") < Self.limit, "export")
    try FileManager.default.removeItem(at: program.folder["a.bin"])
    #expect(try peak(program, "restore", "a.bin", "current") < Self.limit, "restore")
    #expect(
      FileManager.default.contentsEqual(
        atPath: program.folder["a.bin"].path, andPath: program.folder["b.bin"].path))
  }

  @Test(
    "A package with a member of 200 MB is compared and put back member by member in less than 100 MB"
  )
  func largeMember() throws {
    let program = try Program(isInMemory: false)
    for page in 0..<2_000 { try program.write("page \(page)\n", to: "a.pkg/pages/\(page).txt") }
    try writeDocument(program, to: "a.pkg/film.bin")
    try #require(try program.run("save", "a.pkg").exitCode == 0)
    try FileManager.default.moveItem(
      at: program.folder["a.pkg/film.bin"], to: program.folder["a.pkg/cut.bin"])
    let film = try FileHandle(forWritingTo: program.folder["a.pkg/cut.bin"])
    try film.seekToEnd()
    try film.write(contentsOf: Data("more".utf8))
    try film.close()
    #expect(try peak(program, "diff", "a.pkg") < Self.limit, "diff")
    #expect(try program.run("diff", "--stat", "a.pkg").output.hasPrefix("→ film.bin → cut.bin  "))
    #expect(
      try peak(program, "restore", "a.pkg", "current:film.bin") < Self.limit, "restore a member")
    #expect(try peak(program, "diff", "--stat", "a.pkg", "~2") < Self.limit, "diff --stat")
    #expect(try peak(program, "log", "--stat", "a.pkg") < Self.limit, "log --stat")
    #expect(try peak(program, "show", "a.pkg", ":film.bin") < Self.limit, "show")
    #expect(try program.run("diff", "--stat", "a.pkg", "~2").output.hasPrefix("+ cut.bin"))
  }
}
