import DocumentFiles
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore
import DocumentSync

/// Operations of others while a document is renamed, and its store moves.
@Suite("Renamed meanwhile")
struct RenamedMeanwhileTests {
  @Test("A document that is renamed all the time is never taken for a damaged store")
  func commands() throws {
    let desk = try Device()
    try desk.save("steady", as: "a.md")
    try desk.save("restless", as: "b.md")
    let (store, folder) = (desk.store, desk.container)
    let renamer = Meanwhile { number in
      let (name, other) = number % 2 == 1 ? ("b.md", "c.md") : ("c.md", "b.md")
      do {
        _ = try store.rename(folder.appending(path: name), to: other)
      } catch let error as FileError where [.notFound, .exists, .changing].contains(error.code) {
        // An exchange gave it back the name that its versions say.
      }
    }
    var unexpected: [String] = []
    func attempt(_ what: String, _ body: () throws -> Void) {
      do { try body() } catch  where Self.tellsOfRename(error) {} catch {
        unexpected.append("\(what): \(error)")
      }
    }
    for _ in 0..<TestMode.pick(short: 25, full: 60) {
      for document in try store.documents(below: folder) ?? [] {
        attempt("state") { _ = try store.state(of: document) }
        attempt("history") { _ = try store.history(of: document) }
        attempt("verify") {
          let verification = try store.verify(document)
          #expect(verification.isWhole)
        }
        attempt("repair") {
          let steps = try store.repair(document).steps
          #expect(steps == [])
        }
        attempt("collect") { try store.collect(document) }
      }
      for result in try store.exchange(folder, through: desk.scratch["cloud"]).documents {
        attempt("exchange") { if let failure = result.failure { throw failure } }
      }
    }
    try renamer.stop()
    #expect(unexpected == [])
    // An exchange may have given it a number, where it met its name taken for a moment.
    let documents = try #require(try store.documents(below: folder)).map(\.lastPathComponent)
    try #require(documents.count == 2, "\(documents)")
    for name in documents { #expect(try store.state(of: desk[name]) == .unchanged, "\(name)") }
    try desk.expectSound()
  }

  private static func tellsOfRename(_ error: any Error) -> Bool {
    switch error {
    case let error as FileError: [.notFound, .changing].contains(error.code)
    case let error as VersionError: [.noVersions, .changedMeanwhile].contains(error.code)
    default: false
    }
  }
}

/// Restores and deletions that fail because the document is edited.
@Suite("Reported as failed")
struct ReportedFailureTests {
  @Test(
    "What fails because the document changes makes no version, and no conflict",
    arguments: ["restore", "delete", "undo"])
  func editsMeanwhile(_ operation: String) throws {
    let desk = try Device()
    let first = try desk.save("first", as: "a.md")
    try desk.save("second", as: "a.md")
    let document = desk["a.md"]
    let editor = Meanwhile { number in
      try Data("edit \(number)".utf8).write(to: document, options: .atomic)
    }
    var failures = 0
    for _ in 0..<300 where failures < 3 {
      var former = try desk.history("a.md").current?.id
      do {
        switch operation {
        case "restore": try desk.store.restore(first)
        case "delete": try desk.store.delete(document)
        default:
          try desk.store.restore(first)
          former = try desk.history("a.md").current?.id
          try desk.store.undo(document)
        }
      } catch let error as FileError where [.changing, .busy].contains(error.code) {
        failures += 1
        let history = try desk.history("a.md")
        #expect(history.unresolvedConflicts == [])
        // At most the edits that were kept first.
        let current = try #require(history.current)
        #expect(current.id == former || current.kind == .save)
      }
    }
    try editor.stop()
    #expect(failures > 0)
    try desk.store.save(document)
    #expect(try desk.history("a.md").unresolvedConflicts == [])
    try desk.expectSound()
  }

  @Test("A member that cannot be put back makes no version either")
  func memberEditedMeanwhile() throws {
    let desk = try Device()
    let member = desk["a.pkg/1.txt"]
    try desk.write("first", to: "a.pkg/1.txt")
    let first = try desk.store.save(desk["a.pkg"], asPackage: true).version
    try desk.write("second", to: "a.pkg/1.txt")
    try desk.store.save(desk["a.pkg"])
    let editor = Meanwhile { number in
      try Data("edit \(number)".utf8).write(to: member, options: .atomic)
    }
    var failures = 0
    for _ in 0..<300 where failures < 3 {
      do {
        try desk.store.restore(first, member: "1.txt")
      } catch let error as FileError where [.changing, .busy].contains(error.code) {
        failures += 1
        let history = try desk.history("a.pkg")
        #expect(history.unresolvedConflicts == [])
      }
    }
    try editor.stop()
    #expect(failures > 0)
    try desk.store.save(desk["a.pkg"])
    #expect(try desk.history("a.pkg").unresolvedConflicts == [])
    try desk.expectSound()
  }
}
