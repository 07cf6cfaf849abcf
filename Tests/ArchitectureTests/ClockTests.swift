import Foundation
import Testing

@Suite("Clocks")
struct ClockTests {
  @Test("Only the environment of a store asks for the file clock of the system")
  func fileClock() throws {
    for (file, target) in try Project.swiftFiles()
    where target == "DocumentStore" && file.lastPathComponent != "StoreEnvironment.swift" {
      let code = SourceText(try String(contentsOf: file, encoding: .utf8)).code
      #expect(!code.contains("FileClock.system"), "\(file.lastPathComponent)")
    }
  }

  @Test("Tests sleep in one place, which asks for a reason or a condition")
  func sleeps() throws {
    let tests = Project.root.appending(path: "Tests").resolvingSymlinksInPath()
    let files = try FileManager.default.subpathsOfDirectory(atPath: tests.path).filter {
      $0.hasSuffix(".swift") && !$0.hasPrefix("Benchmarks/") && !$0.hasSuffix("/Waiting.swift")
    }
    #expect(files.count > 100)
    for file in files {
      let text = try String(contentsOf: tests.appending(path: file), encoding: .utf8)
      let code = SourceText(text).code
      for call in ["usleep(", "Task.sleep(", "Thread.sleep(", "Threads.sleep("] {
        #expect(!code.contains(call), "\(file)")
      }
    }
  }
}
