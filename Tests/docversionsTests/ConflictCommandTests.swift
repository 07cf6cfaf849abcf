internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// Conflicts between two devices: listing and resolving them.
@Suite(.blocks)
struct ConflictCommandTests {
  @Test func `conflicts says who, when, and what merging leaves`() throws {
    let program = try ConflictedDocument.withQuestion()
    let list = try program.run("conflicts")
    #expect(list.exitCode == 0)
    #expect(list.output.contains("trip.md  2 versions  1 question: line 1"))
    #expect(
      list.output.contains("Mira (mira-laptop, ") && list.output.contains("Tom (toms-phone, "))
    #expect(list.output.hasSuffix("docversions resolve --ask trip.md\n"))
    #expect(try program.run("conflicts", "--exit-code").exitCode == 1)
    #expect(try program.run("log", "trip.md").output.contains("conflict, unresolved"))
  }

  @Test func `one document that fails does not hide the conflicts of others`() throws {
    let program = try ConflictedDocument.withQuestion()
    try program.write("alone\n", to: "alone.md")
    try program.run("save", "alone.md")
    let list = try program.run("conflicts", "nothing.md", "trip.md", "alone.md", "neither.md")
    #expect(list.exitCode != 0)
    #expect(list.output.contains("trip.md  2 versions  1 question: line 1"))
    #expect(!list.output.contains("alone.md"))
    let first = try #require(list.errorOutput.range(of: "nothing.md"))
    let last = try #require(list.errorOutput.range(of: "neither.md"))
    #expect(first.lowerBound < last.lowerBound)
  }

  @Test func `what merges cleanly is merged`() throws {
    let program = try ConflictedDocument.withoutQuestions()
    #expect(try program.run("conflicts").output.contains("merges cleanly"))
    let resolved = try program.run("resolve", "--merge", "trip.md")
    #expect(resolved.exitCode == 0)
    #expect(resolved.output.contains("Both versions stay in its history"))
    #expect(try program.read("trip.md").contains("Mira’s\n"))
    #expect(try program.read("trip.md").contains("Tom’s\n"))
    #expect(try program.run("conflicts", "--exit-code").output == "No conflicts.\n")
  }

  @Test func `taking a deletion says that the document goes`() throws {
    let program = try Program()
    let result = try program.shell(
      """
      mira() { (cd mira && DOCVERSIONS_DEVICE=laptop docversions "$@") >&2; }
      tom() { (cd tom && DOCVERSIONS_DEVICE=phone docversions "$@") >&2; }
      mkdir mira tom && echo tent >mira/trip.md
      mira save trip.md && mira exchange ../shared && tom exchange ../shared && tom delete trip.md
      echo rope >>mira/trip.md && mira save trip.md && mira exchange ../shared
      tom exchange ../shared && mira exchange ../shared
      cd mira && docversions resolve --keep conflict/1 trip.md
      """)
    #expect(result.exitCode == 0, "\(result.errorOutput)")
    #expect(result.output.contains(": the deletion of "))
    #expect(result.output.contains("\nThe document is deleted.\n"))
    #expect(!program.exists("mira/trip.md"))
  }

  @Test(arguments: [false, true])
  func `a closed terminal ends the program, unless it shall go on`(isIgnored: Bool) throws {
    let program = try ConflictedDocument.withQuestion()
    // A program that continues must get its answer; one that ends needs none.
    let result = try program.shell(
      """
      mkfifo answers; exec 3<>answers; \(isIgnored ? "trap '' HUP;" : "")
      "\(Program.path)" resolve --ask trip.md <&3 >out & program=$!
      \(Program.question)
      kill -HUP $program; (sleep \(isIgnored ? "0.2" : "60"); echo 1 >&3) & answer=$!
      wait $program; code=$?; kill $answer; exit $code
      """)
    #expect(result.exitCode == (isIgnored ? 0 : 129))
    #expect(try program.run("conflicts", "--exit-code").exitCode == (isIgnored ? 0 : 1))
  }

  @Test func `a question is left as it is`() throws {
    let program = try ConflictedDocument.withQuestion()
    let before = try program.read("trip.md")
    let result = try program.run("resolve", "--merge", "trip.md")
    #expect(result.exitCode == 1)
    #expect(result.output.contains("1 question left; nothing was changed."))
    for text in ["tent 120", "tent 95", "tent 130", "docversions resolve --ask trip.md"] {
      #expect(result.output.contains(text))
    }
    #expect(try program.read("trip.md") == before)
  }

  @Test(arguments: [["--latest"], ["--merge", "--else", "latest"], ["--keep", "conflict/1"]])
  func `one version is taken whole`(_ how: [String]) throws {
    let program = try ConflictedDocument.withQuestion()
    let dry = try program.json(["resolve", "trip.md", "--dry-run"] + how)
    #expect(dry["outcome"] as? String == "resolved")
    #expect(try program.run("conflicts", "--exit-code").exitCode == 1)
    let result = try program.json(["resolve", "trip.md"] + how)
    #expect(result["chosen"] as? String == dry["chosen"] as? String)
    #expect((result["settled"] as? [String])?.count == 2)
    #expect(try program.run("conflicts", "--exit-code").exitCode == 0)
  }

  @Test(arguments: [
    ("1\n", "ours\nrope 20\n"), ("2\n", "theirs\nrope 20\n"), ("o\n", "tent 120\nrope 20\n"),
    ("b\n", "ours\ntheirs\nrope 20\n"), ("?\nnonsense\ne\ntent 100\n.\n", "tent 100\nrope 20\n"),
  ])
  func `answers are taken from standard input`(_ input: String, _ expected: String) throws {
    let program = try ConflictedDocument.withQuestion()
    // Which side is current is the same on every device, but not known beforehand.
    let current = try program.run("show", "trip.md", "current").output
    let other = try program.run("show", "trip.md", "conflict/1").output
    func line(_ text: String) -> String { text.split(separator: "\n").first.map(String.init) ?? "" }
    let result = try program.run("resolve", "--ask", "trip.md", input: input)
    #expect(result.exitCode == 0)
    #expect(result.output.contains("Tom (toms-phone, "))
    #expect(
      try program.read("trip.md")
        == expected.replacing("ours", with: line(current)).replacing("theirs", with: line(other)))
  }

  @Test func `structured documents are asked about key by key, tables cell by cell`() throws {
    let json = try ConflictedDocument.program(
      "a.json", base: #"{"color": "red", "size": 1}"#, mira: #"{"color": "red", "size": 2}"#,
      tom: #"{"color": "green", "size": 3}"#)
    let result = try json.run("resolve", "--ask", "a.json", input: "e\n}\n.\ne\n7\n.\n")
    #expect(result.exitCode == 0)
    for text in ["question 1 of 1", "/size", "would not be a valid document"] {
      #expect(result.output.contains(text))
    }
    #expect(try json.read("a.json") == #"{"color": "green", "size": 7}"#)
    let table = try ConflictedDocument.program(
      "a.csv", base: "id,name\n1,a\n2,b\n", mira: "id,name\n1,x\n2,b\n",
      tom: "id,name\n1,y\n2,c\n")
    #expect(try table.run("resolve", "--ask", "a.csv", input: "o\n").exitCode == 0)
    #expect(try table.read("a.csv") == "id,name\n1,a\n2,c\n")
  }

  @Test(arguments: [
    ("1a\n", ["Mira", "Mira", "Mira", "Mira"], "3 questions answered alike"),
    ("2f\n1f\n", ["Tom", "Mira", "Tom", "Mira"], "2 questions answered alike"),
    ("1\n2a\n", ["Mira", "Tom", "Tom", "Tom"], "2 questions answered alike"),
    ("2\n1f\n2\n", ["Tom", "Mira", "Tom", "Mira"], "1 question answered alike"),
  ])
  func `an answer may be for a field everywhere, or for all that is left`(
    _ input: String, _ expected: [String], _ message: String
  ) throws {
    func document(_ words: [String]) -> String {
      #"{"a": {"name": "\#(words[0])", "size": "\#(words[1])"}, "#
        + #""b": {"name": "\#(words[2])", "size": "\#(words[3])"}}"#
    }
    func side(_ word: String) -> String { document([String](repeating: word, count: 4)) }
    let program = try ConflictedDocument.program(
      "a.json", base: side("base"), mira: side("Mira"), tom: side("Tom"))
    // Which side is current is the same on every device, but not known beforehand.
    let isMira = try program.run("show", "a.json", "current").output.contains("Mira")
    let other = ["Mira": "Tom", "Tom": "Mira"]
    let result = try program.run("resolve", "--ask", "a.json", input: input)
    #expect(result.exitCode == 0)
    #expect(result.output.contains("for all that is left, 3 more"))
    #expect(result.output.contains(message))
    let words = isMira ? expected : expected.compactMap { other[$0] }
    #expect(try program.read("a.json") == document(words))
  }

  @Test func `a question that was answered is answered as before, unless it shall be asked`() throws
  {
    let program = try ConflictedDocument.withQuestion()
    #expect(try program.run("resolve", "--ask", "trip.md", input: "2\n").exitCode == 0)
    let answered = try program.read("trip.md")
    #expect(try program.run("undo", "trip.md").exitCode == 0)

    let asked = try program.run("resolve", "--merge", "--ask-again", "trip.md")
    #expect(asked.exitCode == 1)
    #expect(asked.output.contains("1 question left"))
    let dry = try program.run("resolve", "--merge", "--dry-run", "trip.md")
    #expect(dry.output.contains("1 question answered as before; --ask-again asks again:"))
    let result = try program.json(["resolve", "--merge", "trip.md"])
    #expect(result["outcome"] as? String == "resolved")
    #expect(result["reason"] as? String == "its questions were answered before")
    let remembered = try #require(result["remembered"] as? [[String: Any]])
    #expect(remembered.map { $0["answer"] as? String } == ["theirs"])
    #expect(try program.read("trip.md") == answered)

    // A person who wants to be asked decides whether to reuse the earlier answer.
    #expect(try program.run("undo", "trip.md").exitCode == 0)
    #expect(try program.run("resolve", "--ask", "trip.md", input: "").exitCode == 1)
    let before = try program.run("resolve", "--ask", "trip.md", input: "nonsense\ny\n")
    #expect(before.exitCode == 0)
    #expect(before.output.contains("as in "))
    #expect(try program.read("trip.md") == answered)
    #expect(try program.run("undo", "trip.md").exitCode == 0)
    let other = try program.run("resolve", "--ask", "trip.md", input: "a\n1\n")
    #expect(other.exitCode == 0)
    #expect(try program.read("trip.md") != answered)
    #expect(try program.run("undo", "trip.md").exitCode == 0)
    let again = try program.run("resolve", "--ask", "--ask-again", "trip.md", input: "1\n")
    #expect(again.exitCode == 0)
    #expect(try program.read("trip.md") != answered)
    #expect(try program.run("resolve", "--latest", "--ask-again", "trip.md").exitCode == 2)
  }

  @Test(arguments: ["", "s\n", "e\nhalf an answer\n", "nonsense\n"])
  func `without an answer nothing changes`(_ input: String) throws {
    let program = try ConflictedDocument.withQuestion()
    let before = try program.versions(of: "trip.md")
    #expect(try program.run("resolve", "--ask", "trip.md", input: input).exitCode == 1)
    #expect(try program.versions(of: "trip.md") == before)
  }

  @Test func `where lines cannot be asked for, a version is chosen`() throws {
    let program = try ConflictedDocument.program(
      "photo.bin", base: "a\0", mira: "mira\0", tom: "tom\0")
    let other = try program.run("show", "photo.bin", "conflict/1").output
    let result = try program.run("resolve", "--ask", "photo.bin", input: "d\nm\n2\n")
    #expect(result.exitCode == 0)
    #expect(try program.read("photo.bin") == other)
  }

  @Test func `devices exchange versions, conflicts and resolutions`() throws {
    var mira = try Program()
    mira.place = "mira"
    var tom = mira
    (tom.place, tom.author, tom.device) = ("tom", "Tom", "toms-phone")
    try FileManager.default.createDirectory(
      at: tom.folder["tom"], withIntermediateDirectories: true)
    try mira.write("a tent\n", to: "trip.md")
    try mira.run("save", "trip.md")
    #expect(
      try mira.run("exchange", "../sync").output
        .hasPrefix(
          "Made a new folder for exchange: ../sync\ntrip.md  0 received, 1 sent\nSent 1 version of 1 document ("
        ))
    #expect(
      try tom.run("exchange", "../sync").output
        .hasPrefix("trip.md  1 received, 0 sent\nReceived 1 version of 1 document ("))
    #expect(try tom.read("trip.md") == "a tent\n")

    try mira.write("a big tent\n", to: "trip.md")
    try tom.write("two tents\n", to: "trip.md")
    try mira.run("save", "trip.md")
    try tom.run("save", "trip.md")
    try mira.run("exchange", "../sync")
    let met = try tom.run("exchange", "../sync").output
    #expect(met.hasPrefix("trip.md  1 received, 1 sent  1 unresolved conflict\n"))
    #expect(met.hasSuffix("docversions conflicts trip.md\n"))

    try tom.run("resolve", "--latest", "trip.md")
    try tom.run("exchange", "../sync")
    try mira.run("exchange", "../sync")
    #expect(try mira.read("trip.md") == tom.read("trip.md"))
    #expect(try mira.run("conflicts", "--exit-code").exitCode == 0)
  }

  @Test func `documents with nothing new are not printed`() throws {
    var program = try Program()
    program.place = "mira"
    for number in 1...12 {
      try program.write("\(number)\n", to: "\(number).md")
      try program.run("save", "\(number).md")
    }
    try program.run("exchange", "../sync")
    #expect(try program.run("exchange", "../sync").output == "Nothing new to send or receive.\n")
    try program.write("more\n", to: "7.md")
    try program.run("save", "7.md")
    #expect(
      try program.run("exchange", "../sync").output
        .hasPrefix("7.md  0 received, 1 sent\nSent 1 version of 1 document ("))
  }

  @Test func `a folder below that keeps its own versions is named where nothing else is done`()
    throws
  {
    var program = try Program()
    program.place = "mira"
    try program.write("one\n", to: "Journal/d.md")
    program.place = "mira/Journal"
    try program.run("save", "d.md")
    program.place = "mira"
    let line = "“Journal” keeps its own versions:  docversions "
    #expect(try program.run("status").output.contains("\(line)status Journal\n"))
    #expect(
      try program.run("exchange", "../sync").output
        .contains("\(line)exchange ../sync-Journal Journal\n"))
    #expect(
      try program.run("exchange", "../sync-Journal", "Journal").output.contains("Sent 1 version"))
    #expect(try program.run("verify").output.contains("\(line)verify Journal\n"))
  }

  @Test func `marking as resolved keeps the current version`() throws {
    let program = try ConflictedDocument.withQuestion()
    let before = try program.read("trip.md")
    let removed = try program.run("remove", "trip.md", "conflict/1")
    #expect(removed.exitCode == 1)
    #expect(removed.errorOutput.contains("docversions conflicts trip.md"))
    #expect(
      try program.run("mark-resolved", "trip.md", "conflict/1", "--dry-run").exitCode == 0)
    #expect(try program.run("conflicts", "--exit-code").exitCode == 1)
    #expect(try program.run("mark-resolved", "trip.md", "conflict/1").exitCode == 0)
    #expect(try program.run("conflicts", "--exit-code").exitCode == 0)
    #expect(try program.read("trip.md") == before)
    #expect(try program.run("log", "trip.md").output.contains("conflict, resolved"))
  }

  @Test func `conflicted copies become conflict versions, once`() throws {
    let program = try Program()
    try program.write("one\n", to: "trip.md")
    try program.run("save", "trip.md")
    try program.write("two\n", to: "trip.md")
    try program.run("save", "trip.md")
    try program.write("three\n", to: "trip copy.md")
    let result = try program.run("import-copies", "trip.md", "trip copy.md", "--base", "~1")
    #expect(result.output.hasPrefix("Imported trip copy.md into trip.md · "))
    #expect(try program.run("conflicts", "--exit-code").exitCode == 1)
    #expect(
      try program.run("import-copies", "trip.md", "trip copy.md").output
        == "trip copy.md has nothing new.\n")
    #expect(try program.read("trip copy.md") == "three\n")
  }

  @Test func `copies without a base say how their changes are merged, and that works`() throws {
    let program = try Program()
    try program.write("1\n2\n3\n4\n5\n", to: "trip.md")
    try program.run("save", "trip.md")
    try program.write("one\n2\n3\n4\n5\n", to: "trip.md")
    try program.run("save", "trip.md")
    try program.write("1\n2\n3\n4\nfive\n", to: "trip copy.md")
    let dry = try program.run("import-copies", "--dry-run", "trip.md", "trip copy.md").output
    #expect(dry.hasSuffix("if you know it:  --base VERSION\n"))
    let result = try program.run("import-copies", "trip.md", "trip copy.md").output
    let commands = result.split(separator: "\n").filter { $0.hasPrefix("  docversions ") }
    #expect(commands.count == 3)
    for command in commands {
      let line = command.replacingOccurrences(of: "--base VERSION", with: "--base ~2")
      #expect(try program.shell(line).exitCode == 0, "\(line)")
    }
    #expect(try program.run("resolve", "--merge", "trip.md").exitCode == 0)
    #expect(try program.read("trip.md") == "one\n2\n3\n4\nfive\n")
  }

  @Test func `a resolution of nothing is no failure`() throws {
    let program = try Program()
    try program.write("one", to: "trip.md")
    try program.run("save", "trip.md")
    let result = try program.run("resolve", "--merge", "trip.md")
    #expect(result.exitCode == 0)
    #expect(result.output == "trip.md is in no conflict.\n")
  }
}
