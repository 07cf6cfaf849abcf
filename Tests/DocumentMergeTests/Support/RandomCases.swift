import DocumentTestSupport
import Foundation

/// Returns the number of random merges: `DOCVERSIONS_MERGE_CASES`, or the usual number for everyday changes.
func caseCount(_ usual: Int) -> Int {
  ProcessInfo.processInfo.environment["DOCVERSIONS_MERGE_CASES"].flatMap(Int.init) ?? usual
}

/// The seeds of random merges in batches, so that a test run doesn't have too many test cases.
enum MergeCases {
  static let count = caseCount(400)
  static let batches = stride(from: 0, to: count, by: 100).map { $0..<min($0 + 100, count) }
}

/// The batches of cases that each take every twentieth seed.
let caseBatches = 0..<20

/// Runs a test on a batch of cases; a failure names its seed.
func forEachCase(
  of batch: Int, _ usual: Int, _ body: (_ seed: Int, inout SeededGenerator) throws -> Void
) rethrows {
  for seed in stride(from: batch, to: caseCount(usual), by: caseBatches.count) {
    var generator = SeededGenerator(seed: seed)
    try body(seed, &generator)
  }
}
