import DocumentFiles
import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentGit

@Suite("References")
struct ReferenceTests {
  private static let main = "refs/heads/main"

  @Test("A reference moves only from where it is expected", arguments: [false, true])
  func compareAndSwap(isPacked: Bool) throws {
    let store = try Store()
    let (one, two, three) = (try store.commit("1"), try store.commit("2"), try store.commit("3"))
    let repository = try store.open()
    try repository.setReference(Self.main, to: one, expecting: nil)
    if isPacked { try store.git(["pack-refs", "--all"]) }
    let error = #expect(throws: GitError.self) {
      try store.open().setReference(Self.main, to: three, expecting: two)
    }
    #expect(error?.isChangedMeanwhile == true)
    #expect(try repository.references.value(of: Self.main) == one)
    try repository.setReference(Self.main, to: two, expecting: one)
    #expect(try store.git(["rev-parse", Self.main]) == two.description)
    try store.expectSound()
  }

  @Test("A reference that is there is not made again", arguments: [false, true])
  func creating(isPacked: Bool) throws {
    let store = try Store()
    let (one, two) = (try store.commit("1"), try store.commit("2"))
    try store.open().setReference(Self.main, to: one, expecting: nil)
    if isPacked { try store.git(["pack-refs", "--all"]) }
    let error = #expect(throws: GitError.self) {
      try store.open().setReference(Self.main, to: two, expecting: nil)
    }
    #expect(error?.isChangedMeanwhile == true)
    #expect(try store.open().references.value(of: Self.main) == one)
    #expect(throws: GitError.self) {
      try store.open().setReference("refs/heads/none", to: one, expecting: two)
    }
    #expect(try store.open().references.value(of: "refs/heads/none") == nil)
  }

  @Test("Of many that make one reference at once, one succeeds")
  func race() async throws {
    let store = try Store()
    for round in 0..<10 {
      let commits = try (0..<4).map { try store.commit("\(round) \($0)") }
      let name = "refs/heads/\(round)"
      let winners = try await withThrowingTaskGroup(of: ObjectID?.self) { group in
        for commit in commits {
          group.addTask {
            do {
              let repository = try Repository(opening: store.url.filePath)
              try repository.setReference(name, to: commit, expecting: nil)
              return commit
            } catch let error as GitError {
              #expect(error.isChangedMeanwhile)
              return nil
            }
          }
        }
        return try await group.reduce(into: []) { $0 += [$1].compactMap { $0 } }
      }
      #expect(winners.count == 1)
      #expect(try store.open().references.value(of: name) == winners.first)
    }
  }

  @Test("A reference goes only from where it is expected", arguments: [false, true])
  func deleting(isPacked: Bool) throws {
    let store = try Store()
    let (one, two) = (try store.commit("1"), try store.commit("2"))
    let repository = try store.open()
    try repository.setReference(Self.main, to: one, expecting: nil)
    if isPacked { try store.git(["pack-refs", "--all"]) }
    let error = #expect(throws: GitError.self) {
      try store.open().references.delete(Self.main, expecting: two)
    }
    #expect(error?.isChangedMeanwhile == true)
    #expect(try repository.references.value(of: Self.main) == one)
    try repository.references.delete(Self.main, expecting: one)
    #expect(try repository.references.all(below: "refs/").isEmpty)
    let gone = #expect(throws: GitError.self) {
      try store.open().references.delete(Self.main, expecting: one)
    }
    #expect(gone?.isNotFound == true)
  }

  @Test("HEAD is what it is set to: at a reference, or at a commit")
  func head() throws {
    let store = try Store()
    let (one, two) = (try store.commit("1"), try store.commit("2"))
    let repository = try store.open()
    guard case .attached = try repository.references.head() else {
      throw GitError.malformed("detached")
    }
    let heads: [RepositoryHead] = [
      .detached(one), .attached("refs/heads/none"), .detached(two), .detached(two),
    ]
    for head in heads {
      try repository.references.setHead(head)
      #expect(try store.open().references.head() == head)
    }
    #expect(try String(contentsOf: store["HEAD"], encoding: .utf8) == "\(two)\n")
    #expect(try repository.references.all(below: "refs/").isEmpty)
    try store.expectSound()
  }

  @Test("References are listed by prefix, loose and packed")
  func listing() throws {
    let store = try Store()
    let (one, two) = (try store.commit("1"), try store.commit("2"))
    let repository = try store.open()
    try repository.setReference("refs/heads/a", to: one, expecting: nil)
    try repository.setReference("refs/docs/x/heads/y", to: one, expecting: nil)
    try store.git(["pack-refs", "--all"])
    try repository.setReference("refs/heads/b", to: two, expecting: nil)
    try repository.setReference("refs/heads/a", to: two, expecting: one)
    #expect(
      try repository.references.all(below: "refs/heads/") == [
        "refs/heads/a": two, "refs/heads/b": two,
      ])
    #expect(try repository.references.all(below: "refs/docs/") == ["refs/docs/x/heads/y": one])
    #expect(try repository.references.all(below: "refs/none/").isEmpty)
  }

  @Test("A damaged reference is an error", arguments: ["", "garbage", "ref: ", "0000"])
  func damaged(text: String) throws {
    let store = try Store()
    try Data(text.utf8).write(to: store[Self.main])
    #expect(throws: GitError.self) { _ = try store.open().references.value(of: Self.main) }
    try Data(text.utf8).write(to: store["HEAD"])
    #expect(throws: GitError.self) { _ = try store.open().references.head() }
  }

  @Test(
    "A reference to nothing, or with an impossible name, is refused",
    arguments: ["main", "refs/heads/a b", "refs/heads/x.lock", "refs/heads/é~"])
  func impossible(name: String) throws {
    let store = try Store()
    let one = try store.commit("1")
    #expect(throws: GitError.self) { try store.open().setReference(name, to: one, expecting: nil) }
    let nowhere = ObjectID(bytes: Array(repeating: 9, count: 20))
    #expect(throws: GitError.self) {
      try store.open().setReference(Self.main, to: nowhere, expecting: nil)
    }
    #expect(try store.open().references.all(below: "refs/").isEmpty)
  }

  @Test("A reference that another process has locked is reported as changing")
  func locked() throws {
    let store = try Store()
    let one = try store.commit("1")
    try Data().write(to: store["refs/heads/main.lock"])
    let error = #expect(throws: GitError.self) {
      try store.open().setReference(Self.main, to: one, expecting: nil)
    }
    #expect(error?.isChangedMeanwhile == true)
  }
}
