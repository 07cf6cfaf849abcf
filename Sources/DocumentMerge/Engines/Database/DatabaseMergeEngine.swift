/// Merges SQLite databases: tables by their names, rows by their primary keys, values by columns.
///
/// What both sides changed differently is a question, and so is what would break a rule of the database: a foreign key, a
/// unique index, a check. Indexes for searching text are built anew. The work is done in memory, and nothing that
/// a database brings runs. A database that can't be read, or is larger than ``MergeOptions/sizeLimit``, clashes as a whole.
struct DatabaseMergeEngine: OpenMergeEngine {
  var name: String { "database" }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    if let settled = OpenMerge(settled: sides, options.labels) { return settled }
    try sides.checkSize(options)
    do {
      let merge = try DatabaseMerge(sides, labels: options.labels)
      let outcome = try merge.run()
      guard !outcome.isComplete else { return OpenMerge(CompleteMerge(outcome: outcome)) }
      return OpenMerge(
        RepeatableMerge(outcome, merge.log) { answers in
          do {
            return try DatabaseMerge(sides, labels: options.labels, answers: answers).run()
          } catch let undecided as DatabaseMerge.Undecided {
            throw MergeError(.invalidAnswer, undecided.reason)
          }
        })
    } catch let undecided as DatabaseMerge.Undecided {
      return OpenMerge(asking: undecided.reason, about: sides)
    }
  }
}
