import DocumentMerge
import DocumentTestSupport
import DocumentVersions
import DocumentWorld
import Foundation
import Testing

@Suite("Programs that merge")
struct ProgramMergeTests {
  private let folder: ScratchFolder

  init() throws { folder = try ScratchFolder() }

  private let sides = MergeSides(
    base: Array("b\n".utf8), ours: Array("o\n".utf8), theirs: Array("t\n".utf8))

  private func merge(
    _ script: String, limit: Duration = .seconds(20), memory: Int? = nil,
    _ sides: MergeSides<[UInt8]>? = nil
  ) throws -> MergeOutcome {
    try ProgramMergeEngine(
      ["/bin/sh", "-c", script, "%O", "%A", "%B", "%P", "%X %Y %%A %Q"],
      fileName: "notes/trip plan.drawio", temporaryFolder: folder[""], timeLimit: limit,
      memoryLimit: memory, environment: ["PATH": "/usr/bin:/bin"]
    ).merge(sides ?? self.sides, options: MergeOptions())
  }

  private func expectNothingLeft() throws {
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder[""].path).isEmpty)
  }

  @Test(
    "The program gets the three files, the name and the labels, and leaves the result in ours’ file"
  )
  func merged() throws {
    let outcome = try merge(
      #"cat "$0" "$1" "$2" > x-$$; echo "$3|$4" >> x-$$; cat x-$$ > "$1"; rm x-$$"#)
    #expect(
      String(decoding: outcome.bytes, as: UTF8.self)
        == "b\no\nt\nnotes/trip plan.drawio|ours theirs %A %Q\n")
    #expect(outcome.isComplete)
    try expectNothingLeft()
  }

  @Test("What it could not decide is a clash of the whole, which can be answered")
  func clash() throws {
    let engine = ProgramMergeEngine(
      ["/bin/sh", "-c", "echo half > \"$1\"; exit 1", "%O", "%A", "%B"], fileName: "a.x",
      temporaryFolder: folder[""])
    let open = try engine.openMerge(of: sides, options: MergeOptions())
    #expect(try open.outcome().bytes == Array("half\n".utf8))
    #expect(open.clashes.count == 1)
    #expect(try open.outcome(answers: [0: .theirs]).bytes == sides.theirs)
    #expect(try open.outcome(answers: [0: .theirs]).isComplete)
  }

  @Test("A document with the longest name is merged, under names that end with the same suffix")
  func longName() throws {
    let name = String(repeating: "é", count: 122) + ".drawio"
    let engine = ProgramMergeEngine(
      ["/bin/sh", "-c", "for file; do echo \"$file\"; done > \"$1\"", "sh", "%A", "%O", "%B"],
      fileName: "notes/\(name)", temporaryFolder: folder[""])
    let outcome = try engine.merge(sides, options: MergeOptions())
    let names = String(decoding: outcome.bytes, as: UTF8.self).split(separator: "\n")
      .map { URL(filePath: String($0)).lastPathComponent }
    #expect(Set(names).count == 3)
    #expect(names.allSatisfy { $0.utf8.count <= 255 && $0.hasSuffix("é.drawio") })
    try expectNothingLeft()
  }

  @Test("Both sides added the document: base is an empty file")
  func noBase() throws {
    let outcome = try merge(
      #"test -f "$0" && test ! -s "$0" && echo yes > "$1""#, limit: .generous, memory: nil,
      MergeSides(base: nil, ours: [1], theirs: [2]))
    #expect(outcome.bytes == Array("yes\n".utf8))
  }

  @Test(
    "A program that fails is an error that says what it said",
    arguments: [
      ("echo 'no license' >&2; exit 200", "exit code 200. It says: no license"),
      ("kill -9 $$", "signal 9"), ("rm \"$1\"", "Can’t find"),
    ])
  func failure(_ script: String, _ words: String) throws {
    do {
      _ = try merge(script)
      Issue.record("it merged")
    } catch {
      #expect("\(error)".contains(words))
    }
    try expectNothingLeft()
  }

  @Test("A program that is not there, takes too long or too much memory is ended")
  func limits() throws {
    let missing = ProgramMergeEngine(
      ["docversions-no-such-program"], fileName: "a", temporaryFolder: folder[""])
    #expect(throws: MergeError.self) { try missing.merge(sides, options: MergeOptions()) }
    let start = ContinuousClock.now
    // Its own child processes are ended too, without waiting for them.
    #expect(throws: MergeError.self) {
      try merge("sleep 600 & sleep 600", limit: .milliseconds(300))
    }
    #expect(ContinuousClock.now - start < .generous)
    #if os(Linux)
    #expect(throws: MergeError.self) {
      try merge(
        "x=$(head -c 300000000 /dev/zero | tr '\\0' a); echo $x > \"$1\" || exit 200",
        memory: 64 << 20)
    }
    #endif
    try expectNothingLeft()
  }

  @Test("A program ends with the task that waits for its merge")
  func cancelled() async throws {
    let world = try World()
    try world.disagree(about: "a.zz", base: "1\n", mira: "2\n", tom: "3\n")
    let started = folder["started"]
    var engines = MergeEngines()
    engines.use(for: "*.zz") { [folder] in
      ProgramMergeEngine(
        ["/bin/sh", "-c", "echo $$ > \"$0.new\"; mv \"$0.new\" \"$0\"; sleep 3600", started.path],
        fileName: $0, temporaryFolder: folder[""], timeLimit: .seconds(3_600),
        environment: ["PATH": "/usr/bin:/bin"])
    }
    var resolver = world.resolver(.merge, on: "mira")
    resolver.engines = engines
    let document = world.url("mira", "a.zz")
    let task = Task { [resolver] in try await resolver.resolve(document) }
    // Other tests may keep all threads of tasks busy for minutes.
    let hasStarted = await eventually(within: .seconds(1_800)) {
      FileManager.default.fileExists(atPath: started.path)
    }
    #expect(hasStarted)
    task.cancel()
    // Or else after its hour.
    await #expect(throws: CancellationError.self) { try await task.value }
    let shell = try #require(
      Int32(String(contentsOf: started, encoding: .utf8).trimmingCharacters(in: .newlines)))
    #expect(kill(shell, 0) != 0)
    try FileManager.default.removeItem(at: started)
    try expectNothingLeft()
  }

  @Test("A resolver uses the engines it is given, and types that are declared for the folder")
  func resolver() async throws {
    let world = try World()
    try world.disagree(about: "a.zz", base: "1\n", mira: "2\n", tom: "3\n")
    var engines = MergeEngines()
    engines.use(for: "*.zz") { [folder] in
      ProgramMergeEngine(
        ["/bin/sh", "-c", "sort \"$0\" \"$1\" > \"$0.new\"; cat \"$0.new\" > \"$0\"", "%A", "%B"],
        fileName: $0, temporaryFolder: folder[""], environment: ["PATH": "/usr/bin:/bin"])
    }
    var resolver = world.resolver(.merge, on: "mira")
    resolver.engines = engines
    guard case .resolved = try await resolver.resolve(world.url("mira", "a.zz")) else {
      Issue.record("not resolved")
      return
    }
    #expect(try world.read("a.zz", on: "mira") == "2\n3\n")
  }

  @Test("A declared kind of JSON is merged as JSON")
  func declaredType() async throws {
    let world = try World()
    try world.disagree(
      about: "a.trip", base: "x: 1\n", mira: "x: 2\n", tom: "x: 1\ny: 1\n")
    let declarations = folder["Info.plist"]
    try Data(
      """
      <?xml version="1.0"?><plist version="1.0"><dict><key>UTExportedTypeDeclarations</key><array><dict>
      <key>UTTypeIdentifier</key><string>com.example.trip</string>
      <key>UTTypeConformsTo</key><array><string>public.yaml</string></array>
      <key>UTTypeTagSpecification</key><dict><key>public.filename-extension</key><array><string>trip</string></array></dict>
      </dict></array></dict></plist>
      """.utf8
    ).write(to: declarations)
    _ = try world.store("mira").declareTypes(from: declarations, in: world.url("mira", ""))
    let outcome = try await world.resolver(.merge, on: "mira").resolve(
      world.url("mira", "a.trip"))
    guard case .resolved(let resolution) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(resolution.decisions.contains { $0.place.path == "/y" })
  }
}
