import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

/// Apps find their containers by identifier.
struct UbiquityContainersTests {
  private let scratch: ScratchFolder
  private let containers: UbiquityContainers

  init() throws {
    scratch = try ScratchFolder()
    containers = UbiquityContainers(
      in: scratch["data/containers"], defaultIdentifier: "org.example.notes")
  }

  private func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

  @Test func `the first call creates the container, and the next one finds it`() async throws {
    #expect(try await containers.identifiers() == [])
    let first = try await containers.url(forUbiquityContainerIdentifier: "org.example.notes")
    #expect(first.lastPathComponent == "org.example.notes")
    #expect(exists(first.appending(path: "Documents")))
    try "kept".write(
      to: first.appending(path: "Documents/a.md"), atomically: true, encoding: .utf8)
    let again = try await containers.url()
    #expect(again.path == first.path)
    #expect(exists(again.appending(path: "Documents/a.md")))
    let other = try await containers.url(forUbiquityContainerIdentifier: "org.example.tasks_2")
    #expect(other.path != first.path)
    #expect(try await containers.identifiers() == ["org.example.notes", "org.example.tasks_2"])
  }

  @Test func `only their user can read containers`() async throws {
    let container = try await containers.url()
    for folder in [scratch["data/containers"], container] {
      let attributes = try FileManager.default.attributesOfItem(atPath: folder.path)
      #expect(try #require(attributes[.posixPermissions] as? Int) == 0o700)
    }
  }

  @Test func `documents and the data beside them have versions, in the container`() async throws {
    let container = try await containers.url()
    let store = VersionStore()
    for path in ["Documents/a.md", "index.json"] {
      let document = container.appending(path: path)
      try "text".write(to: document, atomically: true, encoding: .utf8)
      try await store.save(document)
    }
    #expect(exists(container.appending(path: ".docversions/documents/Documents/a.md.git")))
    #expect(exists(container.appending(path: ".docversions/documents/index.json.git")))
    #expect(!exists(container.appending(path: "Documents/.docversions")))
  }

  @Test(arguments: [
    "", ".", "..", "../a", "a/b", "/etc", "a\0b", "a..b", ".a", "a.", "-a", "a b", "a\nb", "~",
    "org.exämple", "a\\b", ".docversions", String(repeating: "a", count: 256),
  ])
  func `an identifier that is no plain name is refused, and nothing is made`(identifier: String)
    async throws
  {
    let error = await #expect(throws: VersionError.self) {
      try await containers.url(forUbiquityContainerIdentifier: identifier)
    }
    #expect(error?.code == .invalidArgument)
    #expect((error?.message.utf8.count ?? 0) < 300)
    #expect(!exists(scratch["data"]))
  }

  @Test func `without a default, an identifier has to be named`() async throws {
    let containers = UbiquityContainers(in: scratch["data"])
    let error = await #expect(throws: VersionError.self) { try await containers.url() }
    #expect(error?.code == .invalidArgument)
  }

  @Test func `identifiers that differ only in case can't both have a container`() async throws {
    _ = try await containers.url(forUbiquityContainerIdentifier: "org.example.notes")
    let error = await #expect(throws: FileError.self) {
      try await containers.url(forUbiquityContainerIdentifier: "org.Example.Notes")
    }
    #expect(error?.code == .exists)
    #expect(try await containers.identifiers() == ["org.example.notes"])
  }

  @Test func `a file in the container's place is an error, and stays`() async throws {
    try scratch.write("mine", to: "data/containers/org.example.notes")
    await #expect(throws: FileError.self) { try await containers.url() }
    #expect(try scratch.read("data/containers/org.example.notes") == "mine")
    #expect(try await containers.identifiers() == [])
  }

  @Test func `no container is made among the documents of another one`() async throws {
    let outer = try Device()
    try outer.save("text\n", as: "a.md")
    let inside = UbiquityContainers(in: outer["data"], defaultIdentifier: "org.example.notes")
    let error = await #expect(throws: VersionError.self) { try await inside.url() }
    #expect(error?.code == .invalidArgument)
    #expect(!exists(outer["data"]))
    // The data of apps is below the folder of the user, which may be a container itself.
    let hidden = UbiquityContainers(
      in: outer[".local/share/containers"], defaultIdentifier: "org.example.notes")
    let container = try await hidden.url()
    #expect(exists(container.appending(path: ".docversions")))
    // An incomplete container is completed, wherever it is.
    #expect(try await hidden.url().path == container.path)
  }

  @Test func `several programs may create it at the same time`() async throws {
    let containers = containers
    try await withThrowingTaskGroup(of: URL.self) { group in
      for _ in 0..<8 { group.addTask { try await containers.url() } }
      var paths: Set<String> = []
      for try await url in group { paths.insert(url.path) }
      #expect(paths.count == 1)
    }
    #expect(try await containers.identifiers() == ["org.example.notes"])
  }

  // MARK: The service

  @Test func `the token is that of the remote, and changes with it`() async throws {
    let container = try await containers.url()
    let store = VersionStore()
    var tokens = store.ubiquityIdentityTokens(of: container).makeAsyncIterator()
    var token = try await tokens.next()
    #expect(token == .some(nil))
    func add(_ name: String, _ address: String) async throws -> UbiquityIdentityToken? {
      try await store.addRemote(Remote(name: name, address: address), to: container)
      return try await store.ubiquityIdentityToken(of: container)
    }
    let first = try await add("origin", "file:///nowhere/one")
    #expect(first != nil)
    token = try await tokens.next()
    #expect(token == .some(first))
    // Another remote beside it is not the one of the container.
    #expect(try await add("backup", "file:///nowhere/two") == first)
    #expect(
      try await store.ubiquityIdentityToken(of: container, with: "backup") != first)
    try await store.removeRemote(named: "origin", from: container)
    let second = try await store.ubiquityIdentityToken(of: container)
    #expect(second != nil && second != first)
    token = try await tokens.next()
    #expect(token == .some(second))
    try await store.removeRemote(named: "backup", from: container)
    token = try await tokens.next()
    #expect(token == .some(nil))
    #expect(try await add("again", "file:///nowhere/one") == first)
    token = try await tokens.next()
    #expect(token == .some(first))
  }

  @Test func `a token is archived, and tells nothing about the address`() async throws {
    let container = try await containers.url()
    let store = VersionStore()
    try await store.addRemote(
      Remote(name: "origin", address: "ssh://mira@example.org/docs"), to: container)
    let token = try #require(try await store.ubiquityIdentityToken(of: container))
    let archived = try JSONEncoder().encode([token])
    #expect(try JSONDecoder().decode([UbiquityIdentityToken].self, from: archived) == [token])
    #expect(!String(decoding: archived, as: UTF8.self).contains("example"))
  }

  @Test func `a folder that is no container has no token, and becomes none`() async throws {
    try scratch.write("x", to: "plain/a.md")
    let store = VersionStore()
    #expect(try await store.ubiquityIdentityToken(of: scratch["plain"]) == nil)
    var tokens = store.ubiquityIdentityTokens(of: scratch["plain"]).makeAsyncIterator()
    await #expect(throws: VersionError.self) { _ = try await tokens.next() }
    #expect(!exists(scratch["plain/.docversions"]))
  }

  @Test
  func `without a service, and while it is away, work stays here, and a later sync takes it along`()
    async throws
  {
    let remote = try Remote(name: "origin", address: scratch["cloud"].absoluteString)
    var stores: [VersionStore] = []
    var notes: [URL] = []
    for name in ["mira", "tom"] {
      let containers = UbiquityContainers(
        in: scratch[name], defaultIdentifier: "org.example.notes")
      stores.append(VersionStore(identity: Identity(author: name, device: name)))
      notes.append(try await containers.url())
    }
    func document(_ person: Int) -> URL { notes[person].appending(path: "Documents/a.md") }
    func save(_ text: String, _ person: Int) async throws {
      try text.write(to: document(person), atomically: true, encoding: .utf8)
      try await stores[person].save(document(person))
    }
    // No service.
    try await save("one\n", 0)
    let none = await #expect(throws: VersionError.self) { try await stores[0].sync(notes[0]) }
    #expect(none?.code == .invalidArgument)
    // A service, on both devices.
    for person in [0, 1] { try await stores[person].addRemote(remote, to: notes[person]) }
    for person in [0, 1] { try await stores[person].sync(notes[person]) }
    #expect(try String(contentsOf: document(1), encoding: .utf8) == "one\n")
    // The service is gone: a folder without access is in its place.
    try FileManager.default.moveItem(at: scratch["cloud"], to: scratch["away"])
    try scratch.write("not a folder", to: "cloud")
    try await save("one\ntwo\n", 0)
    await #expect(throws: (any Error).self) { try await stores[0].sync(notes[0]) }
    #expect(try String(contentsOf: document(0), encoding: .utf8) == "one\ntwo\n")
    #expect(try await stores[0].ubiquityIdentityToken(of: notes[0]) != nil)
    // And back.
    try FileManager.default.removeItem(at: scratch["cloud"])
    try FileManager.default.moveItem(at: scratch["away"], to: scratch["cloud"])
    for person in [0, 1] { try await stores[person].sync(notes[person]) }
    #expect(try String(contentsOf: document(1), encoding: .utf8) == "one\ntwo\n")
    // The account is a different one, and the local versions are sent there, too.
    try await stores[0].removeRemote(named: "origin", from: notes[0])
    try await stores[0].addRemote(
      Remote(name: "origin", address: scratch["other"].absoluteString), to: notes[0])
    try await stores[0].sync(notes[0])
    #expect(exists(scratch["other"]))
  }
}
