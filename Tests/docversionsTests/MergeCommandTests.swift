internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// The pure file command, and git's use of it.
@Suite(.blocks)
struct MergeCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.write("1\n2\n3\n4\n5\n", to: "base")
    try program.write("one\n2\n3\n4\n5\n", to: "ours")
    try program.write("1\n2\n3\n4\nfive\n", to: "theirs")
  }

  @Test func `a complete merge replaces ours, which keeps its mode`() throws {
    try FileManager.default.setAttributes(
      [.posixPermissions: 0o750], ofItemAtPath: program.folder["ours"].path)
    let result = try program.run("merge", "base", "ours", "theirs")
    #expect(result.exitCode == 0)
    #expect(result.output.isEmpty && result.errorOutput.isEmpty)
    #expect(try program.read("ours") == "one\n2\n3\n4\nfive\n")
    let attributes = try FileManager.default.attributesOfItem(atPath: program.folder["ours"].path)
    #expect(attributes[.posixPermissions] as? Int == 0o750)
  }

  @Test func `clashes stand between markers, named as asked`() throws {
    try program.write("eins\n2\n3\n4\n5\n", to: "theirs")
    let result = try program.run(
      "merge", "base", "ours", "theirs", "--ours-name", "Mira", "--theirs-name", "Tom", "--style",
      "merge")
    #expect(result.exitCode == 1)
    #expect(
      try program.read("ours") == "<<<<<<< Mira\none\n=======\neins\n>>>>>>> Tom\n2\n3\n4\n5\n")
    #expect(result.errorOutput.contains("line 1: Both sides changed these lines, differently."))
  }

  @Test func `asked, each clash is answered, and what is skipped stays between markers`() throws {
    try program.write("eins\n2\n3\n4\nfive\n", to: "theirs")
    let answered = try program.run(
      "merge", "base", "ours", "theirs", "-o", "out", "--ask", input: "x\n2\n")
    #expect(answered.exitCode == 0)
    #expect(answered.output.contains("question 1 of 1"))
    #expect(try program.read("out") == "eins\n2\n3\n4\nfive\n")
    for input in ["", "s\n"] {
      let skipped = try program.run(
        "merge", "base", "ours", "theirs", "-o", "out", "--ask", input: input)
      #expect(skipped.exitCode == 1)
      #expect(try program.read("out").contains("<<<<<<< ours\none\n"))
    }
    #expect(try program.read("ours") == "one\n2\n3\n4\n5\n")
    #expect(try program.run("merge", "base", "ours", "theirs", "-o", "-", "--ask").exitCode == 2)
  }

  @Test func `the result can go elsewhere`() throws {
    let printed = try program.run("merge", "base", "ours", "theirs", "-o", "-", "--explain")
    #expect(printed.output == "one\n2\n3\n4\nfive\n")
    #expect(printed.errorOutput.contains("Only ours changed these lines."))
    #expect(
      try program.run("merge", "base", "ours", "theirs", "-o", "out", "--decisions", "d").exitCode
        == 0)
    #expect(try program.read("out") == "one\n2\n3\n4\nfive\n")
    #expect(try program.read("ours") == "one\n2\n3\n4\n5\n")
    let report = try Program.object(program.read("d"))
    #expect((report["decisions"] as? [Any])?.count == 2)
    #expect(report["complete"] as? Bool == true && report["schema"] as? Int == 1)
  }

  @Test func `what a killed process was building goes when the next one writes there`() throws {
    let (half, displaced) = (".docversions-wrapper-1-new.tmp", ".docversions-wrapper-2-old.tmp")
    func leave() throws {
      try program.write("half", to: "\(half)/member")
      try program.write("an edit", to: displaced)
    }
    try program.run("save", "ours")
    for arguments in [
      ["merge", "base", "ours", "theirs", "-o", "out"], ["merge", "base", "ours", "theirs"],
      ["restore", "ours", "current", "--to", "copy"],
    ] {
      try leave()
      #expect(try program.run(arguments).exitCode == 0)
      #expect(!program.exists(half))
      #expect(try program.read(displaced) == "an edit")
    }
  }

  @Test func `decisions are explained in sentences`() throws {
    try program.write(#"{"color": "red", "size": 1, "old": 1}"#, to: "b.json")
    try program.write(#"{"color": "blue", "size": 2, "old": 1}"#, to: "o.json")
    try program.write(#"{"color": "red", "size": 3}"#, to: "t.json")
    let result = try program.run("merge", "b.json", "o.json", "t.json", "-o", "-", "--explain")
    #expect(result.exitCode == 1)
    for line in [
      #"/color: Only ours changed “color”.  "red" → "blue""#,
      "/old: Only theirs changed “old”.  − 1",
      "/size: Both sides changed “size”, differently.", "  ours    2", "  theirs  3",
      "1 place left to decide.",
    ] {
      #expect(result.errorOutput.contains(line + "\n"))
    }
  }

  @Test func `a program of the user’s own merges what its settings say`() throws {
    let settings = ["XDG_CONFIG_HOME": program.folder["settings"].path]
    func merge(_ text: String) throws -> Command.Result {
      try program.write(text, to: "settings/docversions/merge.json")
      return try program.run(
        "merge", "base", "ours", "theirs", "--name", "a.zz", "-o", "-", environment: settings)
    }
    let merged = try merge(
      #"{"programs": [{"files": "*.zz", "run": ["/bin/sh", "-c", "echo own > $0", "%A"], "seconds": 9}]}"#
    )
    #expect(merged.output == "own\n" && merged.exitCode == 0)
    let failed = try merge(
      #"{"programs": [{"files": "*.zz", "run": ["docversions-no-such-program"]}]}"#)
    #expect(failed.exitCode > 1 && failed.errorOutput.contains("can’t be started"))
    let broken = try merge(#"{"programs": [{"files": "*.zz"}]}"#)
    #expect(broken.exitCode == 2 && broken.errorOutput.contains("merge.json can’t be read"))
  }

  @Test func `which fields programs write is a setting`() throws {
    func document(_ opened: Int, _ modified: Int) -> String {
      #"{"last_opened_at": \#(opened), "modified": \#(modified), "name": 1}"#
    }
    try program.write(document(1, 1), to: "b.json")
    try program.write(document(3, 2), to: "o.json")
    try program.write(document(2, 3), to: "t.json")
    func merge(_ text: String) throws -> Command.Result {
      try program.write(text, to: "settings/docversions/merge.json")
      return try program.run(
        "merge", "b.json", "o.json", "t.json", "-o", "-", "--explain",
        environment: ["XDG_CONFIG_HOME": program.folder["settings"].path])
    }
    let unknown = try merge(#"{"fields": []}"#)
    #expect(unknown.exitCode == 1)
    #expect(unknown.errorOutput.contains("/last_opened_at: Both sides changed"))
    let newer = try merge(#"{"fields": [{"files": "*.json", "newer": ["lastOpenedAt"]}]}"#)
    #expect(newer.exitCode == 0)
    #expect(newer.output == document(3, 3))
    let asked = try merge(
      #"{"fields": [{"files": "*", "newer": ["lastOpenedAt"], "asked": ["modified"]}]}"#)
    #expect(asked.exitCode == 1)
    #expect(asked.errorOutput.contains("/modified: Both sides changed"))
    let others = try merge(#"{"fields": [{"files": "*.yaml", "newer": ["lastOpenedAt"]}]}"#)
    #expect(others.exitCode == 1)
    #expect(try merge(#"{"fields": [{"files": "*.json"}]}"#).exitCode == 2)
  }

  @Test func `what is not text clashes, and ours stays`() throws {
    try program.write("ours\0", to: "ours")
    let result = try program.run("merge", "base", "ours", "theirs")
    #expect(result.exitCode == 1)
    #expect(try program.read("ours") == "ours\0")
  }

  @Test func `base may be empty`() throws {
    try program.write("", to: "base")
    try program.write("same\n", to: "ours")
    try program.write("same\n", to: "theirs")
    #expect(try program.run("merge", "base", "ours", "theirs").exitCode == 0)
  }

  @Test func `the name or the type sets how to merge`() throws {
    try program.write("a long line of text\n", to: "base")
    try program.write("a short line of text\n", to: "ours")
    try program.write("a long line of words\n", to: "theirs")
    #expect(try program.run("merge", "base", "ours", "theirs", "-o", "-").exitCode == 1)
    for (option, value) in [("--type", "plain"), ("--name", "a/b.md")] {
      let result = try program.run(
        "merge", "base", "ours", "theirs", "-o", "-", "--explain", option, value)
      #expect(result.exitCode == 0)
      #expect(result.output == "a short line of words\n")
      #expect(result.errorOutput.contains("line 1: Both changed different words of line 1."))
    }
  }

  @Test func `tables are merged by cells and stay tables`() throws {
    try program.write("id,a,b\n1,x,y\n2,x,y\n", to: "base")
    try program.write("id,a,b\n1,X,y\n2,o,y\n", to: "ours.csv")
    try program.write("id,a,b\n1,x,Y\n2,t,y\n", to: "theirs")
    let result = try program.run("merge", "base", "ours.csv", "theirs")
    #expect(result.exitCode == 1)
    #expect(try program.read("ours.csv") == "id,a,b\n1,X,Y\n2,o,y\n")
    #expect(result.errorOutput.contains("row 2, column a: Both sides changed the cell"))
  }

  @Test func `git merges with it`() throws {
    let script = """
      set -e
      export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=m GIT_AUTHOR_EMAIL=m@x GIT_COMMITTER_NAME=m \
        GIT_COMMITTER_EMAIL=m@x
      git init -q -b main repository; cd repository
      git config merge.docversions.driver '"\(Program.path)" merge %O %A %B --ours-name HEAD --theirs-name %P'
      echo '*.md merge=docversions' > .gitattributes
      cp ../base a.md; cp ../base b.md; git add .; git commit -qm base
      git checkout -qb side; cp ../theirs a.md; echo side > b.md; git commit -qam side
      git checkout -q main; cp ../ours a.md; echo main > b.md; git commit -qam main
      git merge -q side && exit 9
      git diff --name-only --diff-filter=U
      cat a.md b.md
      """
    let result = try Command.run("/bin/bash", ["-c", script], in: program.folder.url)
    #expect(result.exitCode == 0, "\(result.errorOutput)")
    #expect(result.output.contains("\nb.md\none\n2\n3\n4\nfive\n<<<<<<< HEAD\nmain\n|||||||"))
    #expect(!result.output.contains("\na.md\n"))
  }

  @Test func `nothing that git's driver leaves open is committed unseen`() throws {
    let program = try Program()
    func list(_ value: Int) -> String {
      "<plist version=\"1.0\">\n<dict>\n<key>a</key>\n<integer>\(value)</integer>\n</dict>\n</plist>\n"
    }
    for (name, value) in [("base", 1), ("ours", 2), ("theirs", 3)] {
      try program.write("{\n  \"a\": \(value),\n  \"b\": 1\n}\n", to: "\(name).json")
      try program.write(list(value), to: "\(name).plist")
      try program.write("# T\n\nvalue \(value)\n", to: "\(name).md")
    }
    let script = """
      set -e
      export GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=m GIT_AUTHOR_EMAIL=m@x GIT_COMMITTER_NAME=m \
        GIT_COMMITTER_EMAIL=m@x
      git init -q -b main repository; cd repository
      git config merge.docversions.driver '"\(Program.path)" merge %O %A %B --name %P --markers auto'
      printf '%s merge=docversions\n' '*.md' '*.json' '*.plist' > .gitattributes
      take() { for form in json plist md; do cp ../$1.$form a.$form; done; }
      take base; git add .; git commit -qm base
      git checkout -qb side; take theirs; git commit -qam side
      git checkout -q main; take ours; git commit -qam main
      git merge -q side && exit 9
      git diff --name-only --diff-filter=U
      git commit -qm unseen && exit 9
      grep -c '^<<<<<<<' a.json a.md a.plist || true
      """
    let result = try Command.run("/bin/bash", ["-c", script], in: program.folder.url)
    #expect(result.exitCode == 0, "\(result.errorOutput)")
    #expect(result.output.contains("a.json\na.md\na.plist\n"))
    #expect(result.output.hasSuffix("a.json:1\na.md:1\na.plist:0\n"))
    #expect(result.errorOutput.contains("a.plist: No markers show this"))
  }

  @Test func `git's driver and mergetool merge documents by their structure`() throws {
    let program = try Program()
    try program.write("{\n  \"a\": 1,\n  \"b\": 1\n}\n", to: "base")
    try program.write("{\n  \"a\": 2,\n  \"b\": 1,\n  \"c\": 3\n}\n", to: "ours")
    try program.write("{\n  \"a\": 1,\n  \"b\": 2,\n  \"d\": 4\n}\n", to: "theirs")
    let script = """
      set -e
      mkdir repo; cd repo; git init -q -b main
      git config user.name Mira; git config user.email mira@example.org
      git config merge.docversions.driver '"\(Program.path)" merge %O %A %B --name %P'
      git config mergetool.docversions.cmd \
        '"\(Program.path)" merge "$BASE" "$LOCAL" "$REMOTE" -o "$MERGED"'
      git config mergetool.docversions.trustExitCode true
      git config mergetool.keepBackup false
      echo 'driven.json merge=docversions' > .gitattributes
      cp ../base driven.json; cp ../base left.json; git add .; git commit -qm base
      git checkout -qb side; cp ../theirs driven.json; cp ../theirs left.json; git commit -qam side
      git checkout -q main; cp ../ours driven.json; cp ../ours left.json; git commit -qam main
      git merge -q side >/dev/null && exit 9
      git diff --name-only --diff-filter=U
      git mergetool --tool docversions -y >/dev/null
      git commit -qm merged
      cat driven.json; cmp driven.json left.json && echo alike
      """
    let result = try Command.run("/bin/bash", ["-c", script], in: program.folder.url)
    #expect(result.exitCode == 0, "\(result.errorOutput)")
    let merged = "{\n  \"a\": 2,\n  \"b\": 2,\n  \"c\": 3,\n  \"d\": 4\n}\n"
    #expect(result.output == "left.json\n\(merged)alike\n")
  }
}
