import DocumentTestSupport
import Foundation
import SystemPackage
import Testing

@testable import DocumentGit

@Suite("Objects")
struct ObjectTests {
  @Test(
    "Stock git reads what is written, under the same id",
    arguments: [
      "", "a", "a\nb\r\n", "\0\0", "tree 0\0", "naïve 日本語\n",
      String(repeating: "x", count: 300_000),
    ])
  func blobs(text: String) throws {
    let store = try Store()
    let id = try store.write(.blob, Array(text.utf8))
    #expect(try store.git(["hash-object", "--stdin"], input: text) == id.description)
    #expect((0...40).allSatisfy { id.digits($0) == id.description.prefix($0) })
    #expect(ObjectID(hexadecimal: id.description) == id)
    #expect(try store.git(["cat-file", "-t", id.description]) == "blob")
    #expect(try store.git(["cat-file", "-s", id.description]) == "\(text.utf8.count)")
    let repository = try store.open()
    #expect(try repository.read(id, as: .blob) == Array(text.utf8))
    #expect(try repository.size(of: id) == text.utf8.count)
    try store.expectSound()
  }

  @Test("Trees are in git's order, whatever the names", arguments: 0..<20)
  func treeOrder(seed: Int) throws {
    let store = try Store()
    var generator = SeededGenerator(seed: seed)
    let blob = try store.write(.blob, Array("x".utf8))
    let folder = try store.write(.tree, [])
    // Few characters, among them those around "/", so that names are prefixes of one another.
    let alphabet = Array("a.-/0bA é".unicodeScalars).filter { $0 != "/" }
    var names: Set<String> = []
    while names.count < 30 {
      let length = Int.random(in: 1...4, using: &generator)
      names.insert(
        String(
          String.UnicodeScalarView(
            (0..<length).map { _ in alphabet[Int.random(in: alphabet.indices, using: &generator)] })
        ))
    }
    let entries = names.filter { $0 != "." && $0 != ".." }.map { name -> Tree.Entry in
      let mode: Tree.Mode =
        [.file, .executable, .symbolicLink, .folder][Int.random(in: 0..<4, using: &generator)]
      return Tree.Entry(mode: mode, name: Array(name.utf8), id: mode == .folder ? folder : blob)
    }
    let object = Tree(entries).encoded()
    try store.open().write([object])
    let listing = entries.map {
      let kind = $0.mode == .folder ? "tree" : "blob"
      return "\($0.mode.rawValue) \(kind) \($0.id)\t\(String(decoding: $0.name, as: UTF8.self))\0"
    }
    #expect(try store.git(["mktree", "-z"], input: listing.joined()) == object.id.description)
    #expect(Set(try store.open().tree(object.id).entries.map(\.name)) == Set(entries.map(\.name)))
    #expect(try store.open().tree(object.id).encoded().id == object.id)
    try store.expectSound()
  }

  @Test("The empty tree is git's")
  func emptyTree() throws {
    #expect(Tree([]).encoded().id == .emptyTree)
    #expect(try Tree(decoding: []).entries.isEmpty)
  }

  @Test("A tree that git itself wrote for old files is understood")
  func oldMode() throws {
    let entry = Array("100664 a".utf8) + [0] + [UInt8](repeating: 7, count: 20)
    #expect(try Tree(decoding: entry).entries.first?.mode == .file)
  }

  @Test(
    "A tree that is none is an error",
    arguments: [
      "x", "100644 a", "100644 a\0short", "160000 a\0" + String(repeating: "x", count: 20), " a\0",
      "100644a\0",
    ])
  func malformedTrees(text: String) {
    #expect(throws: GitError.self) { _ = try Tree(decoding: Array(text.utf8)) }
  }

  @Test("Random bytes are a tree or an error, never a trap", arguments: 0..<4)
  func randomTrees(seed: Int) throws {
    var generator = SeededGenerator(seed: seed)
    let sound = try Tree(
      (0..<5).map {
        Tree.Entry(mode: $0 == 2 ? .folder : .file, name: Array("name \($0)".utf8), id: .emptyTree)
      }
    ).encoded().bytes()
    for number in 0..<3_000 {
      let bytes = number % 3 == 0 ? generator.bytes(0..<100) : generator.damaged(sound)
      do throws(GitError) {
        let tree = try Tree(decoding: bytes)
        #expect(tree.entries.allSatisfy { !$0.name.contains(0) }, "seed \(seed), number \(number)")
      } catch {
        #expect(error.operation == "read", "seed \(seed), number \(number)")
      }
    }
  }

  @Test("An identifier is 40 hexadecimal digits and nothing else")
  func identifiers() {
    let digits = "0123456789abcdef0123456789ABCDEF01234567"
    #expect(ObjectID(hexadecimal: digits)?.description == digits.lowercased())
    for text in [
      "", "0", String(digits.dropLast()), digits + "0", digits.dropLast() + "g",
      digits.dropLast() + "é",
    ] {
      #expect(ObjectID(hexadecimal: String(text)) == nil)
    }
    #expect(ObjectID(raw: [1, 2, 3]) == nil)
  }

  @Test("An object that is missing is not found, and another kind is refused")
  func missing() throws {
    let store = try Store()
    let blob = try store.write(.blob, [1])
    let nowhere = ObjectID(bytes: Array(repeating: 9, count: 20))
    let isThere = try store.open().contains(nowhere)
    #expect(!isThere)
    let error = #expect(throws: GitError.self) { _ = try store.open().read(nowhere) }
    #expect(error?.isNotFound == true)
    #expect(throws: GitError.self) { _ = try store.open().read(blob, as: .tree) }
    #expect(throws: GitError.self) { _ = try store.open().commit(blob) }
    #expect(throws: GitError.self) { _ = try store.open().size(of: nowhere) }
  }

  @Test(
    "A damaged object is an error, never other bytes", arguments: Damage.allCases, [false, true])
  func damaged(damage: Damage, isPacked: Bool) throws {
    let store = try Store()
    let text = Array("some text that is long enough to be damaged in the middle\n".utf8)
    let id: ObjectID
    if isPacked {
      let objects = (0..<20).map { GitObject(.blob, text + Array("\($0)".utf8)) }
      try store.open().write(objects)
      id = objects[19].id
      for name in try FileManager.default.contentsOfDirectory(atPath: store["objects/pack"].path)
      where name.hasSuffix(".pack") {
        try damage.make(to: store["objects/pack/" + name], otherObject: nil)
      }
    } else {
      id = try store.writeLoose(text)
      let other = try store.writeLoose([1, 2, 3])
      try damage.make(to: store.looseFile(id), otherObject: store.looseFile(other))
    }
    #expect(throws: GitError.self) { _ = try store.open().read(id) }
  }

  /// The damages of a file on a bad disk.
  enum Damage: CaseIterable {
    case truncated, emptied, zeroed, overwritten, removed, swapped

    func make(to file: URL, otherObject: URL?) throws {
      let bytes = try Data(contentsOf: file)
      let damaged: Data
      switch self {
      case .truncated: damaged = bytes.prefix(bytes.count / 2)
      case .emptied: damaged = Data()
      case .zeroed: damaged = Data(count: bytes.count)
      case .overwritten: damaged = bytes.prefix(20) + Data(bytes.dropFirst(20).map { $0 ^ 0x55 })
      case .removed: return try FileManager.default.removeItem(at: file)
      case .swapped: damaged = try otherObject.map { try Data(contentsOf: $0) } ?? Data("PACK".utf8)
      }
      try FileManager.default.removeItem(at: file)
      try damaged.write(to: file)
    }
  }
}

@Suite("Writing objects")
struct WritingTests {
  @Test(
    "Objects become one pack, however many they are, and stock git finds it sound",
    arguments: [1, 2, 300, 2_000])
  func manyObjects(count: Int) throws {
    let store = try Store()
    let objects = (0..<count).map { GitObject(.blob, Array("text \($0)\n".utf8)) }
    try store.open().write(objects)
    // The same objects make the same pack.
    try store.open().write(objects)
    let packs = try FileManager.default.contentsOfDirectory(atPath: store["objects/pack"].path)
      .filter { $0.hasSuffix(".idx") }
    #expect(packs.count == 1)
    for pack in packs { try store.git(["verify-pack", store["objects/pack/" + pack].path]) }
    let repository = try store.open()
    for object in objects { #expect(try repository.read(object.id, as: .blob) == object.bytes()) }
    #expect(
      try store.git(["count-objects", "-v"]).contains("in-pack: \(count)"))
    try store.expectSound()
  }

  @Test("Objects are copied from one repository to another, and missing ones are reported")
  func copying() throws {
    let (source, target) = (try Store(), try Store())
    let commit = try source.commit("Hello")
    let blob = try source.write(.blob, [0, 1, 2])
    try source.open().copy([commit, blob, .emptyTree], intoPacksOf: target.open())
    try source.open().copy([], intoPacksOf: target.open())
    #expect(try target.open().commit(commit).message == "Hello")
    #expect(try target.open().read(blob, as: .blob) == [0, 1, 2])
    try target.expectSound()
    #expect(throws: GitError.self) {
      try source.open().copy(
        [ObjectID(bytes: Array(repeating: 9, count: 20))], intoPacksOf: target.open())
    }
  }

  @Test("An object is seen that another process packed meanwhile")
  func packedMeanwhile() throws {
    let store = try Store()
    let commit = try store.commit("Hello")
    try store.open().setReference("refs/heads/main", to: commit, expecting: nil)
    let repository = try store.open()
    _ = try repository.read(commit)
    try store.git(["gc", "--quiet", "--prune=now"])
    let isThere = try repository.contains(commit)
    #expect(isThere)
    #expect(try repository.commit(commit).message == "Hello")
    #expect(try repository.references.all(below: "refs/heads/") == ["refs/heads/main": commit])
  }

  @Test(
    "Everything on the way to an object and a reference is waited for",
    .enabled(if: Trace.isPossible, "needs strace, and leave to use it"))
  func durable() async throws {
    let store = try Store()
    let path = store.url.path
    // In a process of its own, because all of it is traced.
    await #expect(processExitsWith: .success) { [path = path as String] in
      let repository = try Repository(opening: FilePath(path))
      let calls = try Trace.calls(below: path) {
        let object = GitObject(.blob, Array("durable".utf8))
        try repository.write([object])
        try repository.setReference("refs/docs/abc/heads/x", to: object.id, expecting: nil)
      }
      let names = calls.indices.filter { calls[$0].newPath != nil }
      #expect(names.count == 6, "\(calls)")
      for index in names {
        let parent = calls[index].newPath.map { URL(filePath: $0).deletingLastPathComponent().path }
        #expect(
          calls[index...].contains { $0.syncedPath == parent }, "not waited for: \(calls[index])")
      }
    }
  }

  @Test(
    "A repository of another user is refused",
    .enabled(if: geteuid() == 0, "only root can give folders away"))
  func foreign() throws {
    let store = try Store()
    try #require(chown(store.url.path, 12_345, 12_345) == 0)
    let error = #expect(throws: GitError.self) { _ = try store.open() }
    #expect(error?.isForeign == true, "\(error.debugDescription)")
  }

  @Test(
    "A folder that is no repository is refused",
    arguments: ["", "HEAD", "objects", "refs", "config"])
  func noRepository(missing: String) throws {
    let store = try Store()
    try FileManager.default.removeItem(at: missing.isEmpty ? store.url : store[missing])
    // Without a config, git uses its defaults; the layer above requires one.
    guard missing != "config" else { return }
    #expect(throws: GitError.self) { _ = try store.open() }
  }
}
