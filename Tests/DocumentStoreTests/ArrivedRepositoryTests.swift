import DocumentSync
import DocumentTestSupport
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

/// Repositories of git and similar tools in packages from other devices, whose settings programs follow.
@Suite("Repositories that arrive")
struct ArrivedRepositoryTests {
  private let scratch: ScratchFolder
  private let mira: Device
  private var tom: Device

  init() throws {
    scratch = try ScratchFolder()
    (mira, tom) = try Device.pair(in: scratch)
  }

  private func exchange(_ device: Device) throws -> [DocumentExchange] {
    mira.clock.advance(bySeconds: 60)
    return try device.store.exchange(device.container, through: scratch["x"]).documents
  }

  private func save(_ text: String) throws {
    mira.clock.advance(bySeconds: 60)
    try mira.write(text, to: "p.imagenotes/text.txt")
    try mira.store.save(mira["p.imagenotes"], asPackage: true)
  }

  private func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: tom["p.imagenotes/\(path)"].path)
  }

  @Test(
    "They are taken in only where the person says so, and then their later states, too",
    arguments: [
      [".git/config"], [".hg/hgrc"], ["in/.jj/repo"], [".svn/entries"], [".GIT/config"],
      [".git"], [".g\u{200C}it/config"], ["bare/HEAD", "bare/objects/x", "bare/refs/x"],
    ])
  mutating func arrival(files: [String]) throws {
    for file in files { try mira.write("evil\n", to: "p.imagenotes/\(file)") }
    try save("one\n")
    _ = try exchange(mira)
    let refused = try exchange(tom)
    let error = try #require(refused.first?.failure as? VersionError)
    #expect(error.code == .bringsRepository)
    #expect(error.message.contains("Mira"))
    #expect(!exists("text.txt"))
    tom.store.takesRepositories = true
    #expect(try exchange(tom).allSatisfy { $0.failure == nil })
    #expect(exists(files[0]))
    tom.store.takesRepositories = false
    try mira.write("worse\n", to: "p.imagenotes/\(files[0])")
    try save("two\n")
    _ = try exchange(mira)
    #expect(try exchange(tom).allSatisfy { $0.failure == nil })
    #expect(try tom.read("p.imagenotes/text.txt") == "two\n")
  }

  @Test("One that is added later is left out, and what came before stays")
  func later() throws {
    try save("one\n")
    _ = try exchange(mira)
    #expect(try exchange(tom).allSatisfy { $0.failure == nil })
    try mira.write("evil\n", to: "p.imagenotes/.git/config")
    try save("two\n")
    _ = try exchange(mira)
    #expect((try exchange(tom).first?.failure as? VersionError)?.code == .bringsRepository)
    #expect(!exists(".git"))
    #expect(try tom.read("p.imagenotes/text.txt") == "one\n")
    // Once it is gone, the document continues.
    try FileManager.default.removeItem(at: mira["p.imagenotes/.git"])
    try save("three\n")
    _ = try exchange(mira)
    _ = try exchange(tom)
    #expect(try tom.read("p.imagenotes/text.txt") == "three\n")
    #expect(!exists(".git"))
  }

  @Test(
    "Names that only look alike are members like others",
    arguments: ["a.git", ".gitignore", "git", ".hgignore"])
  func alike(name: String) throws {
    try mira.write("text\n", to: "p.imagenotes/\(name)")
    try save("one\n")
    _ = try exchange(mira)
    #expect(try exchange(tom).allSatisfy { $0.failure == nil })
    #expect(exists(name))
  }
}
