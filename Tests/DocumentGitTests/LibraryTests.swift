import DocumentFiles
import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentGit

@Suite("libgit2")
struct LibraryTests {
  #if os(Linux)
  @Test("A library that is missing is the system's failure, and is named")
  func missingLibrary() {
    let error = #expect(throws: GitError.self) { _ = try GitLibrary.load(from: "libnone.so.7") }
    #expect(error?.code == .unavailable)
    #expect(error?.isFromSystem == true)
    #expect(error?.operation == "load libgit2")
    #expect(error?.message.contains("libnone.so.7") == true, "\(error.debugDescription)")
  }

  @Test("A library that lacks a function is the system's failure, and the function is named")
  func missingFunction() {
    let error = #expect(throws: GitError.self) { _ = try GitLibrary.load(from: "libc.so.6") }
    #expect(error?.code == .unavailable)
    #expect(error?.isFromSystem == true)
    #expect(error?.message.contains("git_error_clear") == true, "\(error.debugDescription)")
  }
  #endif

  @Test("It is loaded once, whatever number of threads ask for it first")
  func threads() async {
    // In a process of its own, in which nothing has loaded it yet.
    await #expect(processExitsWith: .success) {
      DispatchQueue.concurrentPerform(iterations: 16) { number in
        do {
          let bytes = [UInt8(number)]
          let id = try ObjectID(refusingForgeryOf: .blob, bytes)
          if id != ObjectID(of: .blob, bytes) { exit(1) }
        } catch { exit(2) }
      }
    }
  }

  @Test("It says its version, and what it thinks of a repository")
  func opinion() throws {
    #expect(try GitLibrary.version().split(separator: ".").count == 3)
    let store = try Store()
    try GitLibrary.check(repository: store.url.filePath)
    try Data("[core\n".utf8).write(to: store["config"])
    let error = #expect(throws: GitError.self) {
      try GitLibrary.check(repository: store.url.filePath)
    }
    #expect(error?.isFromSystem == false)
    #expect(error?.operation == "open repository")
    guard case .library = error?.code else {
      Issue.record("\(error.debugDescription)")
      return
    }
  }

  @Test("Every kind of object is hashed as we hash it", arguments: ["", "a", "tree 0\0"])
  func hashes(text: String) throws {
    for kind in [ObjectKind.commit, .tree, .blob] {
      let bytes = Array(text.utf8)
      #expect(try ObjectID(refusingForgeryOf: kind, bytes) == ObjectID(of: kind, bytes))
    }
  }
}
