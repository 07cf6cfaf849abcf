import DocumentVersions
import Foundation
import Git2

extension Line {
  /// Merges of texts, in process beside libgit2's and as a command beside git's.
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
    ) { bench in
      let sides = sides(lines: 100_000, edits: 50)
      for (name, text) in [
        ("base", sides.base ?? []), ("ours", sides.ours), ("theirs", sides.theirs),
      ] {
        try bench.write(Data(text), to: name)
      }
      return (
        { _ in
          try bench.docversions("merge", "base", "ours", "theirs", "--type", "lines", "-o", "out")
        },
        { _ in try bench.git("merge-file", "-p", "ours", "base", "theirs") }
      )
    },
  ]

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
