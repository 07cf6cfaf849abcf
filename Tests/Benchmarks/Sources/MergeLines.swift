import DocumentVersions
import Foundation
import Git2

extension Line {
  /// Merges of texts, in process compared with libgit2, and as a command compared with git.
  static let merges = [
    Line(
      name: "merge of 1,000 lines, 10 edits a side, in process", peer: "git_merge_file of libgit2",
      target: 1.2
    ) { _ in try inProcess(lines: 1_000, edits: 10, rounds: 100) },
    Line(
      name: "merge of 100,000 lines, 50 edits a side, in process",
      peer: "git_merge_file of libgit2", target: 1.2
    ) { _ in try inProcess(lines: 100_000, edits: 50, rounds: 1) },
    Line(
      name: "merge of 100,000 lines, 50 edits a side", peer: "git merge-file", target: 0.6
    ) { bench in try asCommand(sides(lines: 100_000, edits: 50), type: "lines", bench) },
    Line(
      name: "merge of 1 MB of Markdown, 2 edits a side", peer: "git merge-file", target: 8
    ) { bench in
      let paragraphs = (0..<9_000).map { number in
        number % 12 == 0
          ? "## Part \(number)\n\n"
          : "\(sentence(number)) \(sentence(number * 7))\n\n"
      }
      return try asCommand(
        edited(paragraphs, by: "A new paragraph of the new side.\n\n"), type: "markdown", bench)
    },
    Line(name: "merge of 1 MB of JSON, 2 edits a side", peer: "git merge-file", target: 20) {
      bench in
      let records = (0..<6_000).map { number in
        """
          {
            "id": "r\(number)",
            "name": "\(sentence(number))",
            "size": \(number * 37 % 1_000),
            "tags": ["\(number % 7)", "\(number % 11)"]
          },

        """
      }
      let new = "  {\"id\": \"new\", \"name\": \"a new one\"},\n"
      return try asCommand(
        edited(records, by: new, in: ("[\n", "  {}\n]\n")), type: "json", bench)
    },
  ]

  private static func asCommand(
    _ sides: MergeSides<[UInt8]>, type: String, _ bench: Bench
  ) throws -> (ours: Timed, peer: Timed) {
    for (name, text) in [
      ("base", sides.base ?? []), ("ours", sides.ours), ("theirs", sides.theirs),
    ] {
      try bench.write(Data(text), to: name)
    }
    return (
      { _ in
        try bench.docversions("merge", "base", "ours", "theirs", "--type", type, "-o", "out")
      },
      { _ in try bench.git("merge-file", "-p", "ours", "base", "theirs") }
    )
  }

  private static func sentence(_ number: Int) -> String {
    let words = ["water", "stove", "map", "rope", "tent", "lamp", "boots", "bread", "salt", "tea"]
    return "Take " + (0..<8).map { words[(number * 13 + $0 * $0 * 7) % 10] }.joined(separator: " ")
      + " for day \(number)."
  }

  /// Parts of a text, to which each side added one in two places.
  private static func edited(
    _ parts: [String], by new: String, in frame: (start: String, end: String) = ("", "")
  ) -> MergeSides<[UInt8]> {
    func text(_ places: [Int], _ name: String) -> [UInt8] {
      var parts = parts
      for place in places.reversed() {
        parts.insert(new.replacing("new", with: "\(name)\(place)"), at: place)
      }
      return Array((frame.start + parts.joined() + frame.end).utf8)
    }
    let (half, count) = (parts.count / 2, parts.count)
    return MergeSides(
      base: text([], ""), ours: text([count / 5, half], "ours"),
      theirs: text([count / 3, count - 9], "theirs"))
  }

  private static func inProcess(
    lines: Int, edits: Int, rounds: Int
  ) throws -> (ours: Timed, peer: Timed) {
    let sides = sides(lines: lines, edits: edits)
    let engine = MergeEngines().engine(for: .lines)
    git_libgit2_init()
    return (
      { _ in
        try await Timing.of {
          for _ in 0..<rounds { _ = try engine.merge(sides, options: MergeOptions()) }
        }
      },
      { _ in
        try await Timing.of { for _ in 0..<rounds { try mergeWithLibgit2(sides) } }
      }
    )
  }

  /// A text, and two sides with edits in different places.
  private static func sides(lines: Int, edits: Int) -> MergeSides<[UInt8]> {
    func text(_ side: Int?) -> [UInt8] {
      let step = lines / edits
      return (0..<lines).flatMap { number in
        let isEdited = side.map { number % step == $0 * step / 3 } ?? false
        return Array("line \(number) of a text\(isEdited ? ", edited" : "")\n".utf8)
      }
    }
    return MergeSides(base: text(nil), ours: text(1), theirs: text(2))
  }

  private static func mergeWithLibgit2(_ sides: MergeSides<[UInt8]>) throws {
    func input(_ bytes: UnsafeBufferPointer<UInt8>) -> git_merge_file_input {
      var input = git_merge_file_input()
      git_merge_file_input_init(&input, UInt32(GIT_MERGE_FILE_INPUT_VERSION))
      input.size = bytes.count
      bytes.withMemoryRebound(to: CChar.self) { input.ptr = $0.baseAddress }
      return input
    }
    try (sides.base ?? []).withUnsafeBufferPointer { base in
      try sides.ours.withUnsafeBufferPointer { ours in
        try sides.theirs.withUnsafeBufferPointer { theirs in
          var inputs = (input(base), input(ours), input(theirs))
          var result = git_merge_file_result()
          guard git_merge_file(&result, &inputs.0, &inputs.1, &inputs.2, nil) == 0,
            result.automergeable == 1
          else { throw BenchError("libgit2 does not merge") }
          git_merge_file_result_free(&result)
        }
      }
    }
  }
}
