internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// The hints that commands print in many situations, each of which must work when it is pasted into a shell.
@Suite(.blocks)
struct HintTests {
  /// A situation, as a script whose output is searched for hints.
  struct Situation: CustomTestStringConvertible, Sendable {
    let title: String
    let script: String
    var testDescription: String { title }

    init(_ title: String, _ script: String) {
      self.title = title
      self.script = script
    }
  }

  /// Two devices with one document, and a program that keeps the devices' folders whenever it prints a hint.
  private static let devices = """
    docversions() {
      "\(Program.path)" "$@" >../out 2>&1; local code=$?
      cat ../out
      if grep -q ':  docversions ' ../out; then
        local place; place=../../kept/$(ls ../../kept | wc -l)
        mkdir "$place"; cp -a .. "$place/devices"; basename "$PWD" >"$place/where"
      fi
      return "$code"
    }
    mkdir kept devices; cd devices
    export TZ=UTC DOCVERSIONS_AUTHOR=Mira DOCVERSIONS_DEVICE=mira-laptop
    mkdir -p mira tom
    tom() { (cd ../tom && DOCVERSIONS_AUTHOR=Tom DOCVERSIONS_DEVICE=toms-phone docversions "$@"); }
    cd mira
    printf 'tent 120\\nrope 20\\n' > a.md
    docversions save a.md -m first >/dev/null
    conflict() {
      docversions exchange ../cloud; tom exchange ../cloud
      sed -i "$1" a.md; docversions save a.md; sed -i "$2" ../tom/a.md; tom save a.md
      docversions exchange ../cloud; tom exchange ../cloud; docversions exchange ../cloud
    }
    question() { conflict s/120/95/ s/120/130/; }
    clean() { conflict s/120/95/ s/rope/line/; }

    """

  static let situations = [
    Situation(
      "status of documents that were edited, deleted, moved and put aside",
      """
      for file in b c d 'e f' g; do echo "$file" > "$file.md"; docversions save "$file.md"; done
      echo more >> b.md; docversions delete c.md; rm d.md; mkdir sub; mv 'e f.md' 'sub/it is.md'
      rm g.md; mkdir g.md; echo 1 > g.md/1; docversions status
      """),
    Situation("status in a conflict", "clean; docversions status"),
    Situation(
      "a conflict that merges, exchanged, listed and resolved",
      "clean; docversions conflicts; docversions log a.md; docversions resolve --merge a.md"),
    Situation(
      "an undone resolution",
      "clean; docversions resolve --merge a.md; docversions undo a.md"),
    Situation(
      "a conflict with a question",
      "question; docversions conflicts; docversions resolve --merge a.md"),
    Situation(
      "an edit of what arrived meanwhile",
      """
      docversions exchange ../cloud; tom exchange ../cloud; cp a.md old.md
      sed -i s/rope/line/ ../tom/a.md; tom save a.md; tom exchange ../cloud
      docversions exchange ../cloud; cp old.md a.md; echo more >> a.md; docversions save a.md
      """),
    Situation(
      "restoring and undoing twice",
      """
      echo more >> a.md; docversions save a.md; docversions restore a.md '~1'
      docversions undo a.md; docversions undo a.md; docversions undo a.md
      """),
    Situation("deleting", "docversions delete a.md; docversions log a.md; docversions status"),
    Situation(
      "renaming over a deleted name",
      "echo b > b.md; docversions save b.md; docversions delete b.md; docversions rename a.md b.md"),
    Situation(
      "removed versions",
      """
      echo more >> a.md; docversions save a.md; docversions remove a.md --others
      docversions undelete a.md; docversions undelete a.md 0000; docversions show a.md '~1'
      """),
    Situation(
      "removing what is pinned, current or in a conflict",
      """
      clean; docversions pin a.md '~1'; docversions remove a.md '~1'
      docversions remove a.md current; docversions remove a.md conflict/1
      docversions thin a.md; docversions thin --keep-last 0 a.md
      """),
    Situation(
      "names of nothing",
      """
      echo b > b.md; docversions log b.md; docversions show a.md 99999; docversions show a.md '~9'
      docversions show a.md '@{2001-01-01}'; docversions mark-resolved a.md 99999
      docversions resolve --keep 99999 a.md; docversions resolv a.md; docversions undelete b.md
      """),
    Situation(
      "packages and folders",
      """
      mkdir -p 't t.imagenotes/pages' plain; echo 1 > 't t.imagenotes/pages/1.txt'; echo 2 > plain/b.md
      docversions save 't t.imagenotes' plain/b.md; docversions save 't t.imagenotes/pages/1.txt'
      docversions log 't t.imagenotes/pages/1.txt'; docversions show 't t.imagenotes' current:none
      docversions save plain; docversions log plain; docversions save --package plain
      mkdir folder; echo 3 > folder/3; docversions save folder
      """),
    Situation("types", "docversions types; docversions types a.md"),
    Situation(
      "damage",
      """
      pack=$(find .docversions -name '*.pack' | head -n 1); chmod u+w "$pack"
      printf '\\377\\377' | dd of="$pack" bs=1 seek=60 conv=notrunc status=none
      docversions verify; docversions doctor; docversions log a.md; docversions show a.md
      """),
    Situation(
      "a lost reference",
      """
      echo more >> a.md; docversions save a.md; rm -r .docversions/documents/a.md.git/refs/heads/*
      docversions verify; docversions doctor; docversions save a.md
      """),
    Situation(
      "copies beside the document",
      "cp a.md copy.md; echo more >> copy.md; docversions import-copies a.md copy.md; docversions import-copies b.md copy.md"
    ),
    Situation(
      "scenarios and the tour",
      """
      mkdir s; echo 'mira save' > s/scenario; docversions replay s; docversions replay a.md
      docversions tour --in . ; docversions exchange git@host:notes
      """),
  ]

  @Test(arguments: situations)
  func `every hint can be pasted and works`(_ situation: Situation) throws {
    let program = try Program()
    let printed = try program.shell("\(Self.devices)\n\(situation.script)")
    let kept = try FileManager.default.contentsOfDirectory(atPath: program.folder["kept"].path)
    #expect(!kept.isEmpty, "\(printed.output + printed.errorOutput)")
    for place in kept {
      for hint in Self.hints(in: try program.read("kept/\(place)/devices/out")) {
        try paste(hint, in: place, of: program)
      }
    }
  }

  /// Runs a hint in a copy of the folders in which it was printed.
  private func paste(_ hint: String, in place: String, of program: Program) throws {
    let pasted = try program.shell(
      """
      rm -rf copy; cp -a 'kept/\(place)/devices' copy; cd "copy/$(cat 'kept/\(place)/where')"
      export TZ=UTC DOCVERSIONS_AUTHOR=Mira DOCVERSIONS_DEVICE=mira-laptop
      yes s | head -n 9 | { \(hint); }
      """)
    // A check reports what it finds, and a skipped question stays one.
    let isCheck = ["verify", "doctor", "resolve --ask"].contains { hint.contains(" \($0)") }
    #expect(
      pasted.exitCode == 0 || isCheck && [1, 6].contains(pasted.exitCode),
      "\(hint)\n\(pasted.output)\(pasted.errorOutput)")
  }

  @Test func `a table in a pipe does not pad without limit`() throws {
    let program = try Program()
    let long = String(repeating: "long ", count: 20) + "name.md"
    for name in ["a.md", long] {
      try program.write("1", to: name)
      try program.run("save", name)
    }
    let lines = try program.run("status").output.components(separatedBy: "\n")
    let short = try #require(lines.first { $0.hasPrefix("a.md ") })
    #expect(short.count < 70)
    #expect(lines.contains { $0.hasPrefix(long + "  unchanged") })
  }

  @Test func `a hint names no more documents than a person reads`() throws {
    let program = try Program()
    let names = (10..<35).map { "\($0).md" }
    for name in names { try program.write("1", to: name) }
    try program.run(["save"] + names)
    for name in names { try program.write("2", to: name) }
    let status = try program.run("status").output
    #expect(status.contains("\n25 documents: 25 to save.\n"))
    let hint = try #require(Self.hints(in: status).first)
    #expect(hint == "docversions save --all .")
    #expect(try program.shell(hint).exitCode == 0)
    #expect(try program.run("status").output == "25 documents: nothing to do.\n")
  }

  @Test func `status sums up what there is to save, to resolve and to exchange`() throws {
    var program = try ConflictedDocument.withQuestion()
    try program.write("1", to: "a.md")
    try program.run("save", "a.md")
    #expect(
      try program.run("status").output.contains("\n2 documents: 1 to resolve.\n"))
    try program.run("exchange", "cloud")
    try program.write("2", to: "a.md")
    #expect(
      try program.run("status").output.contains("\n2 documents: 1 to save, 1 to resolve.\n"))
    program.author = "Mira"
    try program.run("save", "a.md")
    let status = try program.run("status").output
    #expect(status.contains("\n2 documents: 1 to resolve, 1 to exchange.\n"))
    #expect(status.hasPrefix("a.md     unchanged  2 versions"))
    #expect(status.contains("  not exchanged yet\n"))
    try program.run("resolve", "--latest", "trip.md")
    try program.run("exchange", "cloud")
    #expect(try program.run("status").output.hasSuffix("\n2 documents: nothing to do.\n"))
    let states = try program.json("status")["documents"] as? [[String: Any]]
    #expect(states?.map { $0["exchanged"] as? Bool } == [true, true])
  }

  /// Returns the commands after a colon and two blanks, each once; a word in capitals would stand for
  /// something that the reader knows.
  private static func hints(in output: String) -> [String] {
    var hints: [String] = []
    for line in output.components(separatedBy: "\n") {
      guard let colon = line.range(of: ":  ", options: .backwards) else { continue }
      let command = String(line[colon.upperBound...])
      guard command.hasPrefix("docversions "), !hints.contains(command) else { continue }
      hints.append(command)
    }
    return hints
  }
}
