/// Two builds of the program that do the same in turn, each with its own documents.
struct Programs {
  let new: Bench
  let old: Bench
  let runs: Int

  /// Prints a Markdown table with the time of each line, without the start of the program, and the ratio.
  ///
  /// Lines that start no program are left out, because they run the library that this program was built with.
  func compare(_ lines: [Line]) async throws {
    let starts = try await measure { bench in
      try bench.fresh("start")
      return { _ in try bench.docversions("--version") }
    }
    print("Start: new \(figures(starts.new)), old \(figures(starts.old)), not in what follows.")
    print(
      """

      | line | new ms (CPU) | old ms (CPU) | new/old clock | new/old CPU |
      | --- | --- | --- | --- | --- |
      """)
    var skipped: [String] = []
    // The start itself is listed above. Some lines have two peers.
    var done: Set<String> = ["start: --version"]
    for line in lines where done.insert(line.name).inserted {
      if line.name.contains("in process") {
        skipped.append(line.name)
        continue
      }
      let timings = try await measure { bench in
        try bench.fresh(line.name)
        return try await line.prepare(bench).ours
      }
      guard timings.new.starts > 0 else {
        skipped.append(line.name)
        continue
      }
      if case .amount(let unit) = line.counts {
        let (new, old) = (timings.new.amount, timings.old.amount)
        print(
          "| \(line.name) | \(Table.text(new)) \(unit) | \(Table.text(old)) \(unit) "
            + "| \(Table.text(new / old)) | |")
        continue
      }
      let (new, old) = (
        timings.new.net(ofStart: starts.new), timings.old.net(ofStart: starts.old)
      )
      print(
        "| \(line.name) | \(figures(new)) | \(figures(old)) "
          + "| \(Table.text(new.wall / old.wall)) | \(Table.text(new.processor / old.processor)) |")
    }
    if !skipped.isEmpty { print("\nNot of a program: \(skipped.joined(separator: "; ")).") }
  }

  /// Returns the medians of both builds for the same work, in turn.
  private func measure(
    _ prepare: (Bench) async throws -> Line.Timed
  ) async throws -> (new: Timing, old: Timing) {
    let (ours, others) = (try await prepare(new), try await prepare(old))
    var timings: (new: [Timing], old: [Timing]) = ([], [])
    for number in 0..<runs {
      // The first one has cold caches, so the order alternates, too.
      if number.isMultiple(of: 2) {
        timings.new.append(try await ours(number))
        timings.old.append(try await others(number))
      } else {
        timings.old.append(try await others(number))
        timings.new.append(try await ours(number))
      }
    }
    return (Timing.median(timings.new), Timing.median(timings.old))
  }

  private func figures(_ timing: Timing) -> String {
    "\(Table.text(timing.wall)) (\(Table.text(timing.processor)))"
  }
}
