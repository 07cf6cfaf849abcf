import Testing

@testable import DocumentMerge

/// Texts in markup languages: text is merged by words, everything else by lines.
@Suite("Text in markup languages")
struct MarkupTests {
  /// A text in which each line begins with a letter for its kind, and a tab.
  struct Sample: Sendable, CustomTestStringConvertible {
    let style: TextStyle
    let lines: String

    var testDescription: String { style.rawValue }

    static let all = [
      Sample(
        style: .latex,
        lines: #"""
          c	\documentclass{article}
          c	\usepackage{graphicx}
          c	\begin{document}
          s	\section{The harbour}
          p	Two boats lie in the harbour, and \emph{one} of them
          p	leaves at 50\% of the tide.
          b
          p	\emph{No one} knows why.
          c	It sails. % not at noon
          c	\label{sec:harbour}
          c	\begin{itemize}
          s	\item The first boat.
          c	\end{itemize}
          c	\begin{tabular}{ll}
          c	name & place \\
          c	\end{tabular}
          c	\begin{align*}
          c	a = b
          c	\begin{cases}
          c	c
          c	\end{cases}
          c	\end{align*}
          p	A text again.
          c	\[
          c	a + b
          c	\]
          c	\[ a + b \]
          c	A line with $a$ or \verb|a b| in it is none.
          p	Five \% of it, and a line break \\
          c	and more \\% with a comment
          c	\newcommand{\boat}[1]{
          c	a boat of #1
          c	}
          c	\begin {equation}
          c	% \end{equation} is not here
          c	a
          c	\end {equation}
          c	$$
          c	a
          c	$$
          c	\end{document}
          """#),
      Sample(
        style: .restructuredText,
        lines: """
          c	The harbour
          c	===========
          b
          p	Two boats lie in the harbour, and
          p	one of them leaves.
          b
          l	- The first boat.
          l	- The second boat.
          b
          c	.. image:: tree.png
          c	   :width: 10
          b
          c	   The caption.
          b
          p	It goes like this::
          b
          c	   sail(boat)
          b
          c	   moor(boat)
          b
          p	A text again.
          b
          c	=====  =====
          c	name   place
          c	=====  =====
          c	boat   sea
          c	=====  =====
          b
          c	+------+-----+
          c	| boat | sea |
          c	+------+-----+
          b
          c	=====  =====
          c	a      b
          b
          c	c      d
          c	=====  =====
          b
          c	>>> sail(boat)
          c	1
          b
          p	Quoted::
          b
          c	> sail(boat)
          c	> moor(boat)
          b
          c	:author: Ida
          p	The end.
          """),
      Sample(
        style: .asciidoc,
        lines: """
          s	= The harbour
          c	:author: Ida
          b
          p	Two boats lie in the harbour, and
          p	one of them leaves.
          b
          l	* The first boat.
          s	** Its sail.
          s	.A title
          c	[source,c]
          c	----
          c	sail(boat);
          c	
          c	----
          c	|===
          c	|name |place
          c	|===
          c	image::tree.png[]
          c	// a comment
          p	See image:tree.png[] and http://example.com[there].
          c	====
          p	A text in an example.
          c	====
          c	 literal
          b
          c	[source,sh]
          c	sail boat
          b
          c	[source,java]
          c	--
          c	sail(boat);
          c	--
          c	[NOTE]
          p	A text.
          b
          c	Title
          c	-----
          p	A text again.
          """),
      Sample(
        style: .org,
        lines: #"""
          c	#+TITLE: The harbour
          s	* Boats
          c	:PROPERTIES:
          c	ID: 7
          c	:END:
          p	Two boats lie in the harbour, and
          p	one of them leaves.
          l	- The first boat.
          s	** TODO Sail
          c	SCHEDULED: <2026-05-01>
          c	#+BEGIN_SRC c
          c	sail(boat);
          c	#+END_SRC
          c	#+begin_quote
          p	A text in a quotation.
          c	#+end_quote
          c	| boat | sea |
          c	# a comment
          c	: fixed
          c	\begin{equation}
          c	a = b
          c	\end{equation}
          p	The end.
          """#),
    ]

    /// The text, and the letters of its lines.
    var parts: (text: TextLines, letters: String) {
      let lines = lines.split(separator: "\n", omittingEmptySubsequences: false)
      let texts = lines.map { $0.dropFirst(2) + "\n" }
      return (TextLines(Array(texts.joined().utf8)), String(lines.compactMap(\.first)))
    }
  }

  @Test("Each line is what the language says it is", arguments: Sample.all)
  func kinds(_ sample: Sample) {
    let (text, letters) = sample.parts
    let read = ProseLine.lines(of: text, style: sample.style).map { kind -> Character in
      switch kind {
      case .blank: "b"
      case .paragraph: "p"
      case .single: "s"
      case .listItem: "l"
      case .tableRow: "t"
      case .entry: "e"
      case .code: "c"
      }
    }
    #expect(String(read) == letters)
  }

  @Test(
    "Two edits of one line of text are merged, two of one line of code are asked about",
    arguments: ["tex", "rst", "adoc", "org"])
  func edits(_ suffix: String) throws {
    let engine = MergeEngines().engine(forFileName: "a." + suffix)
    let samples = ["tex": 0, "rst": 1, "adoc": 2, "org": 3]
    let sample = Sample.all[try #require(samples[suffix])]
    let lines = sample.lines.split(separator: "\n", omittingEmptySubsequences: false)
    func document(_ change: (Substring) -> Substring) -> [UInt8] {
      Array(lines.map { change($0.dropFirst(2)) + "\n" }.joined().utf8)
    }
    func merged(_ old: String, _ ours: String, _ theirs: String) throws -> MergeOutcome {
      try engine.merge(
        MergeSides(
          base: document { $0 },
          ours: document { $0.replacing(old, with: ours) },
          theirs: document { $0.replacing(old, with: theirs) }), options: MergeOptions())
    }
    let text = try merged(
      "Two boats lie in the harbour, and", "Three boats lie in the harbour, and",
      "Two boats lie in the bay, and")
    #expect(text.isComplete)
    #expect(text.text.contains("Three boats lie in the bay, and"))
    let (old, ours, theirs) =
      suffix == "tex"
      ? ("name & place", "names & place", "name & places")
      : suffix == "rst"
        ? ("boat   sea", "boats  sea", "boat   seas")
        : ("sail(boat)", "sails(boat)", "sail(boats)")
    #expect(try !merged(old, ours, theirs).isComplete)
  }
}

/// Markdown with settings before it.
@Suite("Settings before a text")
struct FrontMatterTests {
  private func merge(
    _ base: String, _ ours: String, _ theirs: String, answers: [Int: MergeAnswer] = [:]
  ) throws -> (clashes: [MergeClash], outcome: MergeOutcome) {
    let merge = try MergeEngines().engine(forFileName: "a.md").openMerge(
      of: MergeSides(base: base, ours: ours, theirs: theirs).map { Array($0.utf8) },
      options: MergeOptions())
    return (merge.clashes, try merge.outcome(answers: answers))
  }

  @Test("Keys are merged by their names, in YAML and in TOML", arguments: ["yaml", "toml"])
  func keys(_ format: String) throws {
    let (mark, sign) = format == "yaml" ? ("---", ":") : ("+++", " =")
    func text(_ lines: [String], _ body: String = "Text.") -> String {
      ([mark] + lines.map { $0.replacing(":", with: sign) } + [mark, "", body, ""])
        .joined(separator: "\n")
    }
    let outcome = try merge(
      text(["title: 1", "tags: [1]"], "The boat lies there."),
      text(["title: 2", "tags: [1]"], "The ship lies there."),
      text(["title: 1", "tags: [1, 2]"], "The boat lies here.")
    ).outcome
    #expect(outcome.isComplete)
    #expect(outcome.text == text(["title: 2", "tags: [1, 2]"], "The ship lies here."))
  }

  @Test("A clash in each part has its place in the whole, and an answer of its own")
  func places() throws {
    func text(_ title: String, _ word: String) -> String {
      "---\ntitle: \(title)\n---\n\nThe \(word) sails.\n"
    }
    let sides = (text("1", "boat"), text("2", "ship"), text("3", "yacht"))
    let (clashes, open) = try merge(sides.0, sides.1, sides.2)
    #expect(clashes.map(\.decision.place.path) == ["/title", nil])
    #expect(clashes.last?.decision.place.lines?.ours == 4..<5)
    #expect(!open.isComplete)
    let settings = "---\n<<<<<<< ours\ntitle: 2\n=======\ntitle: 3\n>>>>>>> theirs\n---\n\n<<<<<<<"
    #expect(open.text.hasPrefix(settings))
    let answered = try merge(sides.0, sides.1, sides.2, answers: [0: .theirs, 1: .ours]).outcome
    #expect(answered.text == text("3", "ship"))
    #expect(answered.isComplete)
  }

  @Test("An answer cannot end the settings before their end")
  func typedMark() throws {
    let text = { (title: String) in "---\ntitle: \(title)\n---\nText.\n" }
    #expect(throws: MergeError.self) {
      try merge(text("1"), text("2"), text("3"), answers: [0: .text(Array("1\n---\nx".utf8))])
    }
  }

  @Test("Line endings, a byte-order mark and a missing last line break stay as they are")
  func form() throws {
    let text = { (title: String, word: String) in
      "\u{FEFF}---\r\ntitle: \(title)\r\nsize: 1\r\n---\r\n\(word)"
    }
    let outcome = try merge(
      text("1", "Text"), text("2", "Text"), text("1", "A text")
    ).outcome
    #expect(outcome.isComplete)
    #expect(outcome.bytes == Array(text("2", "A text").utf8))
  }

  @Test(
    "Where not all sides have settings of one format, the whole is merged as text",
    arguments: ["Text.\n", "+++\ntitle = 1\n+++\nText.\n", "---\ntitle: 1\nText.\n"])
  func others(_ base: String) throws {
    let (ours, theirs) = ("---\ntitle: 2\n---\nText.\n", "---\ntitle: 3\n---\nText.\n")
    let outcome = try merge(base, ours, theirs).outcome
    #expect(!outcome.isComplete)
    #expect(outcome.text.contains("<<<<<<<"))
  }
}

/// Code in Markdown.
@Suite("Code in a text")
struct FencedCodeTests {
  private func merge(
    _ language: String, _ code: (base: String, ours: String, theirs: String),
    _ words: (String, String, String) = ("boat", "boat", "boat"), fence: String = "```"
  ) throws -> MergeOutcome {
    func text(_ code: String, _ word: String) -> [UInt8] {
      Array("# Boats\n\n\(fence)\(language)\n\(code)\n\(fence)\n\nThe \(word) sails.\n".utf8)
    }
    return try MergeEngines().engine(forFileName: "a.md").merge(
      MergeSides(
        base: text(code.base, words.0), ours: text(code.ours, words.1),
        theirs: text(code.theirs, words.2)), options: MergeOptions())
  }

  private let json = (
    base: #"{"a": 1, "b": 1}"#, ours: #"{"a": 2, "b": 1}"#, theirs: #"{"a": 1, "b": 2}"#
  )

  @Test("Code is merged by the engine of its language", arguments: ["```", "~~~~"])
  func merged(_ fence: String) throws {
    let outcome = try merge("json", json, fence: fence)
    #expect(outcome.isComplete)
    #expect(outcome.text.contains(#"{"a": 2, "b": 2}"#))
    let yaml = try merge("yaml title=x", ("a: [1, 2]", "a: [0, 1, 2]", "a: [1, 2]\nb: 1"))
    #expect(yaml.isComplete)
    #expect(yaml.text.contains("a: [0, 1, 2]\nb: 1\n```"))
  }

  @Test(
    "Code without a language, and in one that no engine knows, is merged by lines",
    arguments: ["", "text", "swift", "mermaid"])
  func lines(_ language: String) throws {
    #expect(try !merge(language, json).isComplete)
  }

  @Test("Places behind merged code are those of each side’s text")
  func places() throws {
    let code = (
      base: "{\n\"a\": 1\n}", ours: "{\n\"o\": 1,\n\"a\": 2\n}",
      theirs: "{\n\"a\": 1,\n\"t\": 1,\n\"u\": 1\n}"
    )
    let outcome = try merge("json", code, ("boat", "ship", "yacht"))
    let clash = try #require(outcome.decisions.first { $0.kind == .clash })
    let lines = try #require(clash.place.lines)
    #expect(lines.base == 8..<9)
    #expect(lines.ours == 9..<10)
    #expect(lines.theirs == 10..<11)
    let text = outcome.text.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(text[lines.result.lowerBound].hasPrefix("<<<<<<<"))
    #expect(text[lines.result.upperBound - 1].hasPrefix(">>>>>>>"))
  }

  @Test("What contradicts itself in code stands between markers, as lines")
  func clash() throws {
    let outcome = try merge(
      "json", (#"{"a": 1}"#, #"{"a": 2}"#, #"{"a": 3}"#))
    #expect(!outcome.isComplete)
    #expect(outcome.text.contains("=======\n{\"a\": 3}\n>>>>>>>"))
  }
}
