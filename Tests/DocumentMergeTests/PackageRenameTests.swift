import DocumentMerge
import Testing

@Suite("Renamed members of packages")
struct PackageRenameTests {
  private static let text = (1...8).map { "line \($0)\n" }.joined()
  private let known = file(text)

  /// The text with other lines, from 1.
  private func edited(_ lines: [Int: String]) -> PackageMember {
    file((1...8).map { "\(lines[$0] ?? "line \($0)")\n" }.joined())
  }

  @Test("A member that one side renamed and the other changed is at its new path, changed")
  func renamedAndChanged() throws {
    for path in ["b.txt", "d/e/a.txt"] {
      let outcome = try mergePackages(
        ["a.txt": known], [path: known], ["a.txt": edited([2: "two"])])
      #expect(outcome.isComplete)
      #expect(try outcome.contents == [path: edited([2: "two"]).content])
      #expect(outcome.kinds == [path: [.ours, .theirs]])
      #expect(outcome.decisions.first?.explanation == "Only ours renamed a.txt to \(path).")
      let swapped = try mergePackages(
        ["a.txt": known], ["a.txt": edited([2: "two"])], [path: known])
      #expect(try swapped.contents == outcome.contents)
    }
  }

  @Test("A member that one side renamed and changed is merged with the changes of the other")
  func renamedAndBothChanged() throws {
    let outcome = try mergePackages(
      ["a.txt": known], ["b.txt": edited([1: "one"])], ["a.txt": edited([8: "eight"])])
    #expect(outcome.isComplete)
    #expect(try outcome.contents == ["b.txt": edited([1: "one", 8: "eight"]).content])
    let clash = try mergePackages(
      ["a.txt": known], ["b.txt": edited([1: "one"])], ["a.txt": edited([1: "eins"])])
    #expect(clash.kinds == ["b.txt": [.ours, .clash]])
  }

  @Test("What has less than half in common is another member")
  func dissimilar() throws {
    let ours = file("else 1\nelse 2\nelse 3\nelse 4\nelse 5\nline 6\nline 7\nline 8\n")
    let outcome = try mergePackages(
      ["a.txt": known], ["b.txt": ours], ["a.txt": edited([8: "eight"])])
    #expect(outcome.kinds == ["a.txt": [.clash], "b.txt": [.ours]])
  }

  @Test("Executable bit and path are merged apart, and links are renamed as well")
  func modesAndLinks() throws {
    let outcome = try mergePackages(
      ["a": known, "l": link("a")], ["b": known, "m": link("a")],
      ["a": file(Self.text, isExecutable: true), "l": link("a"), "n": file("n")])
    #expect(outcome.isComplete)
    #expect(try outcome.contents == ["b": "*" + Self.text, "m": "->a", "n": "n"])
    let retargeted = try mergePackages(["l": link("a")], ["m": link("a")], ["l": link("b")])
    #expect(try retargeted.contents == ["m": "->b"])
  }

  @Test("Both renamed it alike: it stands once")
  func renamedAlike() throws {
    let outcome = try mergePackages(
      ["a": known], ["b": edited([1: "one"])], ["b": edited([8: "eight"])])
    #expect(outcome.isComplete)
    #expect(try outcome.contents == ["b": edited([1: "one", 8: "eight"]).content])
    #expect(outcome.decisions.first?.explanation == "Both sides renamed a to b.")
  }

  @Test("Both renamed it differently: somebody chooses the name, and both changes are there")
  func renamedDifferently() throws {
    let open = try openMerge(["a": known], ["b": edited([1: "one"])], ["c": edited([8: "eight"])])
    let both = edited([1: "one", 8: "eight"]).content
    #expect(open.clashes.map(\.decision.explanation) == ["ours renamed a to b, and theirs to c."])
    #expect(try open.outcome().contents == ["b": both])
    #expect(try open.outcome(answers: [0: .theirs]).contents == ["c": both])
    #expect(try open.outcome(answers: [0: .ours]).contents == ["b": both])
    #expect(throws: MergeError.self) { try open.outcome(answers: [0: .base]) }
    // Something else has the other name by now.
    let occupied = try openMerge(
      ["a": known], ["b": known, "c": file("c")], ["c": known, "d": file("d")])
    let answers = Dictionary(
      uniqueKeysWithValues: occupied.clashes.indices.map { ($0, MergeAnswer.theirs) })
    let contents = try occupied.outcome(answers: answers).contents
    #expect(contents.values.sorted() == ["c", "d", Self.text])
  }

  @Test("Rename against delete clashes, and the member stays")
  func renamedAgainstDeleted() throws {
    let open = try openMerge(
      ["a": known, "z": file("z")], ["b": known, "z": file("z")], ["z": file("z")])
    #expect(
      open.clashes.map(\.decision.explanation) == ["theirs deleted a, and ours renamed it to b."])
    #expect(try open.outcome().contents == ["b": Self.text, "z": "z"])
    #expect(try open.outcome(answers: [0: .ours]).contents == ["b": Self.text, "z": "z"])
    #expect(try open.outcome(answers: [0: .theirs]).contents == ["z": "z"])
    let swapped = try mergePackages(["a": known], [:], ["b": known])
    #expect(try swapped.contents == ["b": Self.text])
    #expect(swapped.kinds == ["b": [.clash]])
  }

  @Test("What one side adds to a folder goes with it when the other renames it")
  func folders() throws {
    let base = ["d/x": known, "d/s/y": file("yyy\n"), "z": file("z")]
    let ours = ["e/x": known, "e/s/y": file("yyy\n"), "z": file("z")]
    var theirs = base
    theirs["d/new"] = file("n")
    theirs["d/s/new"] = file("m")
    theirs["d/empty"] = .folder
    theirs["d/x"] = edited([1: "one"])
    let outcome = try mergePackages(base, ours, theirs)
    #expect(outcome.isComplete)
    #expect(
      try outcome.contents == [
        "e/x": edited([1: "one"]).content, "e/s/y": "yyy\n", "e/new": "n", "e/s/new": "m",
        "e/empty": "folder", "z": "z",
      ])
    #expect(
      outcome.decisions.map(\.explanation).contains(
        "theirs added d/new, and ours renamed its folder: it is e/new."))
    #expect(try mergePackages(base, theirs, ours).contents == outcome.contents)
  }

  @Test("A folder whose members went to different places, or that is still there, was not renamed")
  func splitFolders() throws {
    let base = ["d/x": known, "d/y": file("yyy\n")]
    var theirs = base
    theirs["d/new"] = file("n")
    for ours in [
      ["e/x": known, "f/y": file("yyy\n")], ["e/x": known, "d/y": file("yyy\n")],
      ["x": known, "y": file("yyy\n")],
    ] {
      let outcome = try mergePackages(base, ours, theirs)
      #expect(outcome.isComplete)
      #expect(try outcome.contents["d/new"] == "n")
    }
  }

  @Test("What is moved into a folder that the other side renamed goes with it")
  func movedIntoRenamedFolder() throws {
    let base = ["d/x": known, "z": file("zzz\n")]
    let outcome = try mergePackages(
      base, ["e/x": known, "z": file("zzz\n")], ["d/x": known, "d/z": file("zzz\n")])
    #expect(outcome.isComplete)
    #expect(try outcome.contents == ["e/x": Self.text, "e/z": "zzz\n"])
    // Where it went already, nothing is left to decide.
    let again = try mergePackages(
      base, ["e/x": known, "e/z": file("zzz\n")], ["d/x": known, "d/z": file("zzz\n")])
    #expect(again.isComplete)
    #expect(try again.contents == outcome.contents)
  }

  @Test("Two members that come to one path are both kept, and somebody says who has the name")
  func meeting() throws {
    let open = try openMerge(
      ["a.txt": known], ["b.txt": known], ["a.txt": edited([1: "one"]), "b.txt": file("other\n")])
    #expect(open.clashes.map(\.decision.place.description) == ["b.txt"])
    let changed = edited([1: "one"]).content
    #expect(try open.outcome().contents == ["b.txt": changed, "b (theirs).txt": "other\n"])
    #expect(
      try open.outcome(answers: [0: .theirs]).contents
        == ["b (theirs).txt": changed, "b.txt": "other\n"])
    let renamed = try mergePackages(
      ["a": known, "c": file("ccc\n")], ["b": known, "c": file("ccc\n")],
      ["a": known, "b": file("ccc\n")])
    #expect(try renamed.contents == ["b": Self.text, "b (theirs)": "ccc\n"])
    #expect(renamed.clashes.count == 1)
    let carried = try mergePackages(
      ["d/x": known], ["e/x": known, "e/new": file("ours\n")],
      ["d/x": known, "d/new": file("theirs\n")])
    #expect(
      try carried.contents == [
        "e/x": Self.text, "e/new": "ours\n", "e/new (theirs)": "theirs\n",
      ])
    #expect(carried.clashes.count == 1)
  }

  @Test("Equal members that come to one path are one")
  func meetingEqual() throws {
    let outcome = try mergePackages(
      ["a": known], ["b": known], ["a": known, "b": known])
    #expect(outcome.isComplete)
    #expect(try outcome.contents == ["b": Self.text])
    let carried = try mergePackages(
      ["d/x": known], ["e/x": known, "e/new": file("n")], ["d/x": known, "d/new": file("n")])
    #expect(carried.isComplete)
    #expect(try carried.contents == ["e/x": Self.text, "e/new": "n"])
  }

  @Test("A free name is no name that anybody has, and no longer than names can be")
  func freeNames() throws {
    let taken = try mergePackages(
      ["a": known, "b (theirs)": file("1")], ["b": known, "b (theirs)": file("1")],
      ["a": known, "b": file("2"), "b (theirs)": file("1"), "b (theirs 2)": file("3")])
    #expect(
      try taken.contents
        == ["b": Self.text, "b (theirs)": "1", "b (theirs 2)": "3", "b (theirs 3)": "2"])
    let long = String(repeating: "ä", count: 125) + ".txt"
    let longer = try mergePackages(["a": known], [long: known], ["a": known, long: file("2")])
    #expect(longer.members.count == 2)
    #expect(
      longer.members.keys.allSatisfy {
        $0.bytes.count <= 255 && String(validating: $0.bytes, as: UTF8.self) != nil
      })
  }

  @Test("What is not clear is not taken as renamed")
  func ambiguous() throws {
    // Two equal members were removed, and one added.
    let equal = try mergePackages(
      ["a": known, "b": known], ["c": known], ["a": edited([1: "one"]), "b": known])
    #expect(equal.kinds == ["a": [.clash], "b": [.ours], "c": [.ours]])
    // The name tells which.
    let named = try mergePackages(
      ["a": known, "b": known], ["d/a": known], ["a": edited([1: "one"]), "b": known])
    #expect(try named.contents == ["d/a": edited([1: "one"]).content])
    // Two members that are as similar.
    let similar = try mergePackages(
      ["a": known], ["b": edited([1: "x"]), "c": edited([2: "x"])], ["a": edited([8: "eight"])])
    #expect(similar.kinds["a"] == [.clash])
    // An empty file looks like any other.
    let empty = try mergePackages(["a": file("")], ["b": file("")], ["a": file("text\n")])
    #expect(empty.kinds == ["a": [.clash], "b": [.ours]])
  }

  @Test(
    "A member that cannot be where it was moved, because a folder is there, is not taken as renamed"
  )
  func folderInTheWay() throws {
    let outcome = try mergePackages(
      ["a": known], ["b": known], ["a": edited([1: "one"]), "b/in": file("in")])
    #expect(outcome.kinds == ["a": [.clash], "b": [.clash]])
    #expect(try outcome.contents == ["a": edited([1: "one"]).content, "b": Self.text])
    let inside = try mergePackages(["a": known], ["a/a": known], ["a": edited([1: "one"])])
    #expect(inside.isComplete)
    #expect(try inside.contents == ["a/a": edited([1: "one"]).content])
  }

  @Test("Large files are not read to find renamed ones")
  func sizes() throws {
    struct Unreadable: Error {}
    func large(_ name: String) -> PackageMember {
      .file(PackageFile(identity: name, size: 17 << 20) { throw Unreadable() })
    }
    let outcome = try mergePackages(
      ["a": large("a"), "n": file("1")], ["b": large("b"), "n": file("1")],
      ["a": large("a"), "n": file("2")])
    #expect(outcome.kinds == ["a": [.ours], "b": [.ours], "n": [.theirs]])
    let equal = try mergePackages(
      ["a": large("a"), "n": file("1")], ["b": large("a"), "n": file("1")],
      ["a": large("a"), "n": file("2")])
    #expect(equal.kinds == ["b": [.ours], "n": [.theirs]])
  }
}

extension PackageMember {
  /// The content of a file whose identity is its content.
  fileprivate var content: String {
    if case .file(let file) = self { file.identity } else { "" }
  }
}
