import DocumentTestSupport
import DocumentVersions
import Foundation
import Synchronization
import Testing

/// A text whose bytes are reversed on disk; a picture makes it a package.
@MainActor
private final class Secret: Document {
  var text = ""
  var picture: Data?
  var permissions: Int?
  var isPlain = false
  let format = Backwards()

  override var fileFormat: (any DocumentFileFormat)? { isPlain ? nil : format }
  override var savingFileType: String { picture == nil ? fileType : "org.example.secret-package" }

  func set(_ text: String, picture: Data? = nil) {
    self.text = text
    self.picture = picture
    updateChangeCount(.done)
  }

  override func contents(forType type: String) throws -> DocumentContents {
    guard let picture else { return .data(Data(text.utf8)) }
    #expect(type == "org.example.secret-package")
    let members = [
      "text": DocumentWrapper(regularFileWithContents: Data(text.utf8)),
      "picture": DocumentWrapper(regularFileWithContents: picture),
    ]
    return .package(try DocumentWrapper(directoryWithFileWrappers: members).snapshot())
  }

  override func fileAttributes(for operation: SaveOperation) throws -> DocumentFileAttributes {
    DocumentFileAttributes(permissions: permissions)
  }

  override func load(
    _ contents: DocumentContents, ofType type: String, because reason: LoadReason
  ) throws {
    switch contents {
    case .data(let data): text = String(decoding: data, as: UTF8.self)
    case .package(let package):
      let members = try package.wrapper().fileWrappers
      text = String(decoding: try members["text"]?.regularFileContents ?? Data(), as: UTF8.self)
      picture = try members["picture"]?.regularFileContents
    }
  }
}

/// A format that reverses a file's bytes, and writes a package unchanged.
private final class Backwards: DocumentFileFormat, Sendable {
  /// The error that the next write throws after it has written a part.
  let failure = Mutex<CocoaError?>(nil)
  /// The permissions of the folder in which it last wrote.
  let room = Mutex<Int?>(nil)

  func read(
    from url: URL, ofType type: String, progress: OperationProgress
  ) throws -> DocumentContents {
    let contents = try DocumentContents(contentsOf: url)
    guard case .data(let data) = contents else { return contents }
    progress.completedUnitCount = progress.totalUnitCount
    return .data(Data(data.reversed()))
  }

  func write(
    _ contents: DocumentContents, to url: URL, ofType type: String, originalContentsURL: URL?,
    progress: OperationProgress
  ) throws {
    let attributes = try FileManager.default.attributesOfItem(
      atPath: url.deletingLastPathComponent().path)
    room.withLock { $0 = attributes[.posixPermissions] as? Int }
    guard case .data(let data) = contents else {
      return try contents.write(to: url, originalContentsURL: originalContentsURL)
    }
    try Data(data.reversed()).write(to: url)
    if let failure = failure.withLock({ $0 }) { throw failure }
  }
}

@Suite("Documents in a form of their own")
@MainActor
struct FormatTests {
  private func secret(_ desk: Desk) -> Secret {
    var environment = desk.environment
    environment.store.types.add(
      DocumentType(
        "org.example.secret-package", filenameExtensions: ["secrets"], isPackage: true))
    return Secret(fileURL: desk.url, environment: environment)
  }

  private func names(_ desk: Desk) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: desk.scratch["desk"].path)
      .filter { $0 != ".docversions" }.sorted()
  }

  @Test("The file has the format’s bytes, the document what it shows")
  func format() async throws {
    let desk = try Desk("321")
    let secret = secret(desk)
    try await secret.open()
    #expect(secret.text == "123")
    secret.set("abc")
    try await secret.save()
    #expect(try desk.text == "cba")
    #expect(try await desk.texts() == ["cba", "321"])
    let saved = try #require(try await desk.versions.first)
    #expect(secret.format.room.withLock { $0 } == 0o700)
    #expect(try names(desk) == ["Note.md"])
    try desk.write("zyx")
    #expect(try await comesTrue { secret.text == "xyz" })
    secret.set("typed")
    try await secret.revert()
    #expect(secret.text == "xyz")
    try await secret.revert(to: saved)
    #expect(secret.text == "abc")
    try await secret.close()
    try await secret.open()
    #expect(secret.text == "abc")
    #expect(try await secret.duplicate().lastPathComponent == "Note copy.md")
    #expect(try Data(contentsOf: desk.scratch["desk/Note copy.md"]) == Data("cba".utf8))
  }

  @Test("What others wrote meanwhile is kept beside it")
  func others() async throws {
    let desk = try Desk("3 enil\n2 enil\n1 enil\n")
    let secret = secret(desk)
    try await secret.open()
    try await secret.save()
    secret.set("mine\nline 2\nline 3\n")
    let mine = String("mine\nline 2\nline 3\n".reversed())
    try desk.write("theirs\n2 enil\n1 enil\n")
    try await secret.save()
    #expect(secret.state == .inConflict)
    #expect(try desk.text == mine)
    let texts = try await desk.texts()
    #expect(Set(texts) == [mine, "theirs\n2 enil\n1 enil\n", "3 enil\n2 enil\n1 enil\n"])
  }

  @Test("Where the format throws, the file stays as it is, and nothing is left beside it")
  func failing() async throws {
    let desk = try Desk("321")
    let secret = secret(desk)
    try await secret.open()
    secret.set("abc")
    secret.format.failure.withLock { $0 = CocoaError(.fileWriteOutOfSpace) }
    await #expect(throws: CocoaError.self) { try await secret.save() }
    #expect(secret.state == .savingError)
    #expect(secret.hasUnsavedChanges)
    #expect(try desk.text == "321")
    #expect(try names(desk) == ["Note.md"])
    secret.format.failure.withLock { $0 = nil }
    try await secret.save()
    #expect(try desk.text == "cba")
    #expect(secret.state == [])
  }

  @Test("A private file stays private, and attributes are set", arguments: [true, false])
  func attributes(isPlain: Bool) async throws {
    let desk = try Desk("321")
    let path = desk.url.path
    func permissions() throws -> Int? {
      try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }
    try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    let secret = secret(desk)
    secret.isPlain = isPlain
    try await secret.open()
    secret.set("abc")
    try await secret.save()
    #expect(try permissions() == 0o600)
    secret.permissions = 0o640
    secret.set("def")
    try await secret.save()
    #expect(try permissions() == 0o640)
  }

  @Test(
    "A document that is saved as another type is renamed, with its versions",
    arguments: [true, false])
  func otherType(isPlain: Bool) async throws {
    let desk = try Desk("321")
    let secret = secret(desk)
    secret.isPlain = isPlain
    try await secret.open()
    try await secret.save()
    secret.set("abc", picture: Data([1, 2, 3]))
    try await secret.save()
    #expect(secret.fileURL.lastPathComponent == "Note.secrets")
    #expect(try names(desk) == ["Note.secrets"])
    #expect(secret.fileType == "org.example.secret-package")
    #expect(try Data(contentsOf: secret.fileURL.appending(path: "picture")) == Data([1, 2, 3]))
    let versions = try await desk.store.history(of: secret.fileURL).versions
    #expect(versions.first?.isPackage == true)
    #expect(versions.last?.isPackage == false)
    secret.set("def", picture: Data([1, 2, 3]))
    try await secret.close()
    try await secret.open()
    #expect(secret.text == "def")
    try Data("theirs".utf8).write(to: secret.fileURL.appending(path: "text"))
    #expect(try await comesTrue { secret.text == "theirs" })
    try await secret.close()
  }

  @Test("The progress is there while the state says so, and reaches the end")
  func progress() async throws {
    let desk = try Desk()
    try Data(repeating: 7, count: 20 << 20).write(to: desk.url)
    let secret = secret(desk)
    secret.isPlain = true
    #expect(secret.progress == nil)
    let states = secret.states
    let opening = Task { @MainActor in try await secret.open() }
    var progress: OperationProgress?
    for await state in states where state.contains(.progressAvailable) {
      progress = secret.progress
      break
    }
    try await opening.value
    #expect(progress?.isFinished == true)
    #expect(progress?.totalUnitCount == 20 << 20)
    #expect(secret.progress == nil)
  }

  @Test("Reading ends where the progress is cancelled")
  func cancelling() async throws {
    let desk = try Desk()
    try Data(repeating: 7, count: 20 << 20).write(to: desk.url)
    let secret = secret(desk)
    secret.isPlain = true
    let states = secret.states
    let opening = Task { @MainActor in try await secret.open() }
    for await state in states where state.contains(.progressAvailable) {
      secret.progress?.cancel()
      break
    }
    await #expect(throws: CancellationError.self) { try await opening.value }
    #expect(secret.state == .closed)
  }

  @Test("Accesses of the app are in the order of the document’s own")
  func fileAccess() async throws {
    let desk = try Desk("321")
    let secret = secret(desk)
    try await secret.open()
    var found: [String] = []
    for number in 1...5 {
      secret.set("\(number)")
      let save = Task { @MainActor in _ = try await secret.save() }
      await Task.yield()
      found.append(
        try await secret.withFileAccess { try String(contentsOf: $0, encoding: .utf8) })
      try await save.value
    }
    #expect(found == ["1", "2", "3", "4", "5"])
    await #expect(throws: CocoaError.self) {
      try await secret.withFileAccess { _ in throw CocoaError(.fileReadUnknown) }
    }
  }

  @Test("A document can be saved as another one, which the object is from then on")
  func saveAs() async throws {
    let desk = try Desk("321")
    let secret = secret(desk)
    try await secret.open()
    secret.set("abc")
    await secret.autosave()
    secret.set("def")
    let other = desk.scratch["desk/Other.md"]
    try await secret.save(to: other, for: .creating)
    #expect(secret.fileURL == other)
    #expect(!secret.hasUnsavedChanges)
    #expect(try Data(contentsOf: other) == Data("fed".utf8))
    #expect(try desk.text == "cba")
    #expect(try await desk.texts() == ["cba", "321"])
    #expect(try await desk.store.history(of: other).versions.count == 1)
    // Never in the place of another document.
    await #expect(throws: FileError.self) {
      try await secret.save(to: desk.url, for: .creating)
    }
    #expect(secret.fileURL == other)
    secret.set("ghi")
    try await secret.close()
    #expect(try Data(contentsOf: other) == Data("ihg".utf8))
    #expect(try desk.text == "cba")
  }

  @Test("What the view remembers is no version, stays on the device, and follows a rename")
  func viewState() async throws {
    let desk = try Desk("321")
    let (secret, store) = (secret(desk), desk.store)
    try await secret.open()
    #expect(try await !secret.privateState.write(Data("line 7".utf8)))
    #expect(try await secret.privateState.read() == nil)
    try await secret.save()
    #expect(try await secret.privateState.write(Data("line 7".utf8)))
    #expect(!secret.hasUnsavedChanges)
    try await secret.move(to: desk.scratch["desk/Plan.md"])
    #expect(try await secret.privateState.read() == Data("line 7".utf8))
    let versions = try await store.history(of: secret.fileURL).versions.map(\.id)
    #expect(try await secret.privateState.write(Data("line 8".utf8)))
    #expect(try await store.history(of: secret.fileURL).versions.map(\.id) == versions)
    #expect(try await store.state(of: secret.fileURL) == .unchanged)
    try await secret.close()
    #expect(try await secret.privateState.read() == Data("line 8".utf8))
    await #expect(throws: FileError.self) {
      try await secret.privateState.write(Data(repeating: 1, count: 2 << 20))
    }
    #expect(try await secret.privateState.write(nil))
    #expect(try await secret.privateState.read() == nil)
    #expect(try store.synchronous.verify(secret.fileURL).findings.isEmpty)
  }
}
