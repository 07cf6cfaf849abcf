import DocumentMerge
import DocumentTestSupport
import Testing

@Suite("Clashes of structured documents, tables and packages answered one by one")
struct AnswerTests {
  private let engines = MergeEngines()

  private func open(
    _ name: String, _ base: String?, _ ours: String, _ theirs: String
  ) throws -> OpenMerge {
    try engines.engine(forFileName: name).openMerge(
      of: MergeSides(
        base: base.map { Array($0.utf8) }, ours: Array(ours.utf8), theirs: Array(theirs.utf8)),
      options: MergeOptions())
  }

  private func text(_ text: String) -> MergeAnswer { .text(Array(text.utf8)) }

  @Test(
    "A value is answered with a side, with base, or with another value, as a text or as it is written"
  )
  func values() throws {
    let merge = try open(
      "a.json", #"{"color": "red", "size": 1}"#, #"{"color": "blue", "size": 2}"#,
      #"{"color": "green", "size": 3}"#)
    #expect(merge.clashes.map(\.decision.place.path) == ["/color", "/size"])
    #expect(merge.clashes.map(\.theirs) == [Array(#""green""#.utf8), Array("3".utf8)])
    func outcome(_ color: MergeAnswer, _ size: MergeAnswer) throws -> MergeOutcome {
      try merge.outcome(answers: [0: color, 1: size])
    }
    #expect(try outcome(.theirs, .base).text == #"{"color": "green", "size": 1}"#)
    #expect(try outcome(.ours, text("4\n")).text == #"{"color": "blue", "size": 4}"#)
    #expect(try outcome(text("“grey”"), .ours).text == #"{"color": "“grey”", "size": 2}"#)
    #expect(try outcome(text(#""a\"b""#), .ours).text == #"{"color": "a\"b", "size": 2}"#)
    #expect(try outcome(text("[1, 2]"), .ours).text == #"{"color": [1, 2], "size": 2}"#)
    #expect(try outcome(.ours, .ours).isComplete)
    let refused = #expect(throws: MergeError.self) { try outcome(.ours, text("four")) }
    #expect(refused?.code == .invalidAnswer)
    #expect(throws: MergeError.self) { try outcome(.both, .ours) }
    #expect(try merge.outcome(answers: [1: .theirs]).decisions.map(\.kind) == [.clash, .theirs])
  }

  @Test("A member that one side removed and the other changed goes or stays")
  func presence() throws {
    let merge = try open(
      "a.json", #"{"a": 1, "b": {"c": 1}}"#, #"{"a": 1}"#, #"{"a": 2, "b": {"c": 2}}"#)
    #expect(merge.clashes.map(\.ours) == [nil])
    #expect(try merge.outcome(answers: [0: .ours]).text == #"{"a": 2}"#)
    #expect(try merge.outcome(answers: [0: .theirs]).text == #"{"a": 2, "b": {"c": 2}}"#)
    #expect(try merge.outcome(answers: [0: .base]).text == #"{"a": 2, "b": {"c": 1}}"#)
  }

  @Test("A place of a list that both sides changed can have both")
  func lists() throws {
    let merge = try open("a.json", "[1, 2, 3]", "[1, 20, 3]", "[1, 21, 3]")
    #expect(try merge.outcome(answers: [0: .both]).text == "[1, 20, 21, 3]")
    #expect(try merge.outcome(answers: [0: .base]).text == "[1, 2, 3]")
    #expect(try merge.outcome(answers: [0: .theirs]).text == "[1, 21, 3]")
  }

  @Test("A cell that is answered is quoted where it has to be")
  func cells() throws {
    let merge = try open(
      "a.csv", "id,name\n1,a\n2,b\n", "id,name\n1,x\n2,b\n", "id,name\n1,y\n2,c\n")
    #expect(
      try merge.outcome(answers: [0: text("x, \"y\"")]).text == "id,name\n1,\"x, \"\"y\"\"\"\n2,c\n"
    )
    #expect(try merge.outcome(answers: [0: .theirs]).text == "id,name\n1,y\n2,c\n")
    #expect(try merge.outcome(answers: [0: .base]).text == "id,name\n1,a\n2,c\n")
  }

  @Test("A package’s clashes are those of its members, and members as wholes")
  func packages() throws {
    let merge = try PackageMergeEngine(choosing: { engines.engine(forFileName: $0.description) })
      .openMerge(
        of: MergeSides(
          base: members(["a.json": #"{"k": 1}"#, "b.txt": "b\n", "c.txt": "c\n"]),
          ours: members(["a.json": #"{"k": 2}"#, "c.txt": "ours\n"]),
          theirs: members(["a.json": #"{"k": 3}"#, "b.txt": "changed\n", "c.txt": "theirs\n"])),
        options: MergeOptions())
    #expect(
      merge.clashes.map(\.decision.place.description)
        == ["a.json, /k", "b.txt", "c.txt, line 1"])
    let outcome = try merge.outcome(answers: [0: .theirs, 1: .ours, 2: .both])
    #expect(outcome.isComplete)
    #expect(try outcome.contents == ["a.json": #"{"k": 3}"#, "c.txt": "ours\ntheirs\n"])
    let other = try merge.outcome(answers: [1: .base])
    #expect(other.decisions.count { $0.kind == .clash } == 2)
    #expect(try other.contents["b.txt"] == "b\n")
    #expect(throws: MergeError.self) { try merge.outcome(answers: [1: .both]) }
    #expect(throws: MergeError.self) { try merge.outcome(answers: [3: .ours]) }
  }

  private func members(_ files: [String: String]) throws -> [PackagePath: PackageMember] {
    var members: [PackagePath: PackageMember] = [:]
    for (path, text) in files { members[try PackagePath(Array(path.utf8))] = file(text) }
    return members
  }

  @Test("Random clashes can be answered, each on its own", arguments: MergeCases.batches)
  func random(seeds: Range<Int>) throws {
    for seed in seeds {
      var generator = SeededGenerator(seed: seed)
      let documents = [
        ("a.json", generator.jsonSides()), ("a.toml", generator.tomlSides()),
        ("a.md", generator.proseSides()), ("a.csv", generator.tableSides().map { $0.written() }),
      ]
      for (name, sides) in documents {
        try checkAnswers(
          engines.engine(forFileName: name), sides, "\(name), seed \(seed)\n\(sides.told)")
      }
    }
  }
}
