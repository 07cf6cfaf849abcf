import DocumentMerge
import Testing

@Suite("Packages merged by member")
struct PackageMergeTests {
  @Test("Each member is merged on its own")
  func members() throws {
    let base = ["a": file("1\n"), "b": file("1\n"), "kept": file("k")]
    let outcome = try mergePackages(
      base, ["a": file("2\n"), "b": file("1\n"), "kept": file("k")],
      ["a": file("1\n"), "b": file("3\n"), "kept": file("k"), "sub/c": file("new")])
    #expect(try outcome.contents == ["a": "2\n", "b": "3\n", "kept": "k", "sub/c": "new"])
    #expect(outcome.kinds == ["a": [.ours], "b": [.theirs], "sub/c": [.theirs]])
    #expect(outcome.isComplete)
  }

  @Test("A file that both sides changed is merged by its engine, and the place says where")
  func bothChanged() throws {
    let outcome = try mergePackages(
      ["x/t": file("a\nb\nc\n")], ["x/t": file("A\nb\nc\n")], ["x/t": file("a\nb\nC\n")])
    #expect(try outcome.contents == ["x/t": "A\nb\nC\n"])
    #expect(outcome.kinds == ["x/t": [.ours, .theirs]])
    #expect(outcome.decisions.first?.place.lines?.ours == 0..<1)
  }

  @Test("A clash in one member leaves the others merged")
  func clashInOne() throws {
    let outcome = try mergePackages(
      ["a": file("1\n"), "b": file("1\n")], ["a": file("2\n"), "b": file("1\n")],
      ["a": file("3\n"), "b": file("9\n")])
    #expect(outcome.kinds == ["a": [.clash], "b": [.theirs]])
    #expect(try outcome.contents["b"] == "9\n")
  }

  @Test("Delete against change clashes, and the change stays")
  func deleteAgainstChange() throws {
    let outcome = try mergePackages(["d/a": file("1")], [:], ["d/a": file("2")])
    #expect(try outcome.contents == ["d/a": "2"])
    #expect(outcome.kinds == ["d/a": [.clash]])
    #expect(outcome.decisions.first?.explanation == "ours deleted d/a, and theirs changed it.")
    let swapped = try mergePackages(["d/a": file("1")], ["d/a": file("2")], [:])
    #expect(try swapped.contents == ["d/a": "2"])
    #expect(!swapped.isComplete)
  }

  @Test("A file that one or both sides deleted is gone, and leaves no folder behind")
  func deleted() throws {
    let base = ["d/a": file("1"), "d/b": file("1"), "e": file("1")]
    #expect(try mergePackages(base, ["e": file("1")], base).contents == ["e": "1"])
    let byHalves = try mergePackages(
      base, ["d/a": file("1"), "e": file("1")], ["d/b": file("1"), "e": file("1")])
    #expect(try byHalves.contents == ["e": "1"])
    #expect(try mergePackages(base, ["e": file("1")], ["e": file("1")]).contents == ["e": "1"])
  }

  @Test("The same member added by both stands once")
  func sameAdded() throws {
    let outcome = try mergePackages([:], ["a": file("x")], ["a": file("x")])
    #expect(try outcome.contents == ["a": "x"])
    #expect(outcome.kinds == ["a": [.same]])
  }

  @Test("Different texts added by both clash where they differ; binaries as a whole")
  func differentAdded() throws {
    let outcome = try mergePackages(
      [:], ["t": file("same\nx\n"), "b": file("1\0")], ["t": file("same\ny\n"), "b": file("2\0")])
    #expect(outcome.kinds == ["t": [.same, .clash], "b": [.clash]])
    #expect(try outcome.contents["t"]?.hasPrefix("same\n<<<<<<<") == true)
    #expect(try outcome.contents["b"] == "1\0")
  }

  @Test("The executable bit is merged on its own")
  func executable() throws {
    let outcome = try mergePackages(
      ["a": file("1"), "b": file("1\n2\n3\n")],
      ["a": file("1", isExecutable: true), "b": file("X\n2\n3\n", isExecutable: true)],
      ["a": file("2"), "b": file("1\n2\nY\n")])
    #expect(try outcome.contents == ["a": "*2", "b": "*X\n2\nY\n"])
    #expect(outcome.kinds == ["a": [.ours, .theirs], "b": [.ours, .ours, .theirs]])
    let added = try mergePackages(nil, ["a": file("1", isExecutable: true)], ["a": file("1")])
    #expect(try added.contents == ["a": "*1"])
    #expect(added.isComplete)
    let deleted = try mergePackages(["a": file("1")], [:], ["a": file("1", isExecutable: true)])
    #expect(deleted.clashes.count == 1)
  }

  @Test("Links that both sides changed clash, and a link clashes with a changed file")
  func links() throws {
    #expect(
      try mergePackages(["l": link("a")], ["l": link("b")], ["l": link("a")]).contents
        == ["l": "->b"])
    let changed = try mergePackages(["l": link("a")], ["l": link("b")], ["l": link("c")])
    #expect(try changed.contents == ["l": "->b"])
    #expect(changed.kinds == ["l": [.clash]])
    #expect(changed.decisions.first?.theirs == "link to c")
    let kinds = try mergePackages(["l": file("a")], ["l": link("b")], ["l": file("c")])
    #expect(try kinds.contents == ["l": "->b"])
    #expect(kinds.kinds == ["l": [.clash]])
    let files = try mergePackages(["l": link("a")], ["l": file("x\n")], ["l": file("y\n")])
    #expect(files.kinds == ["l": [.clash]])
  }

  @Test("A file against a folder clashes; ours stays, and they never stand side by side")
  func fileAgainstFolder() throws {
    let base = ["a/x": file("1"), "a/y": file("1"), "z": file("1")]
    let asFile = ["a": file("f"), "z": file("2")]
    let edited = ["a/x": file("2"), "a/y": file("1"), "z": file("1")]
    let ours = try mergePackages(base, asFile, edited)
    #expect(try ours.contents == ["a": "f", "z": "2"])
    #expect(ours.kinds == ["a": [.clash], "z": [.ours]])
    let theirs = try mergePackages(base, edited, asFile)
    #expect(try theirs.contents == ["a/x": "2", "a/y": "1", "z": "2"])
    #expect(theirs.kinds == ["a": [.clash], "z": [.theirs]])
    let added = try mergePackages(nil, ["a": link("b")], ["a/x": file("1")])
    #expect(try added.contents == ["a": "->b"])
    #expect(!added.isComplete)
  }

  @Test("A folder that became a file on one side alone is a file")
  func folderBecameFile() throws {
    let base = ["a/x": file("1"), "z": file("1")]
    let outcome = try mergePackages(base, ["a": file("f"), "z": file("1")], base)
    #expect(try outcome.contents == ["a": "f", "z": "1"])
    #expect(outcome.isComplete)
  }

  @Test("Empty folders are kept, removed, and give way to members")
  func emptyFolders() throws {
    let empty = ["d": PackageMember.folder]
    let filled = ["d/a": file("1")]
    #expect(try mergePackages([:], empty, [:]).contents == ["d": "folder"])
    #expect(try mergePackages([:], empty, [:]).kinds == ["d": [.ours]])
    #expect(try mergePackages(empty, [:], empty).contents == [:])
    #expect(try mergePackages(empty, [:], empty).kinds == ["d": [.ours]])
    #expect(try mergePackages(empty, empty, empty).kinds == [:])
    #expect(try mergePackages([:], empty, filled).contents == ["d/a": "1"])
    #expect(try mergePackages(empty, [:], filled).contents == ["d/a": "1"])
    #expect(try mergePackages(filled, empty, filled).contents == ["d": "folder"])
    #expect(try mergePackages(filled, empty, [:]).contents == [:])
    #expect(
      try mergePackages(nil, ["d": .folder, "d/a": file("1")], [:]).contents == ["d/a": "1"])
  }

  @Test("Only files that both sides changed are read")
  func lazyReading() throws {
    struct Unreadable: Error {}
    let unreadable = PackageMember.file(PackageFile(identity: "u") { throw Unreadable() })
    let members = ["u": unreadable, "a": file("1")]
    #expect(try mergePackages([:], members, [:]).members.count == 2)
    #expect(throws: Unreadable.self) { try mergePackages([:], members, ["u": file("x")]) }
  }

  @Test("A cancelled task stops before the next file is merged")
  func cancellation() async {
    let task = Task {
      withUnsafeCurrentTask { $0?.cancel() }
      return try mergePackages([:], ["a": file("1")], ["a": file("2")])
    }
    await #expect(throws: CancellationError.self) { try await task.value }
  }

  @Test("The engine is chosen by path")
  func engineByPath() throws {
    struct Fixed: MergeEngine {
      let name: String
      func merge(_ sides: MergeSides<[UInt8]>, options: MergeOptions) -> MergeOutcome {
        MergeOutcome(bytes: Array(name.utf8), decisions: [])
      }
    }
    let sides = try MergeSides(
      base: nil, ours: package(["a": file("1"), "b": file("1")]),
      theirs: package(["a": file("2"), "b": file("2")]))
    let packages = PackageMergeEngine { Fixed(name: "for \($0)") }
    let outcome = try packages.openMerge(of: sides, options: MergeOptions()).outcome()
    #expect(try outcome.contents == ["a": "for a", "b": "for b"])
  }

  @Test("A member below a file, or too deep, is an error")
  func invalidPackages() throws {
    let below = #expect(throws: MergeError.self) {
      try mergePackages(nil, ["a": file("1"), "a/b": file("1")], [:])
    }
    #expect(below?.code == .invalidPackage)
    let deep = #expect(throws: MergeError.self) {
      let path = Array(repeating: "a", count: 513).joined(separator: "/")
      return try mergePackages(nil, [path: file("1")], [:])
    }
    #expect(deep?.code == .tooDeep)
    let allowed = Array(repeating: "a", count: 512).joined(separator: "/")
    #expect(try mergePackages(nil, [allowed: file("1")], [:]).contents == [allowed: "1"])
  }
}
