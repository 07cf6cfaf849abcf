/// Merges SQLite databases: tables by name, rows by primary key, values by column.
///
/// Different changes of both sides are questions, and so are changes that would break a rule of the database:
/// a foreign key, a unique index or a check. Full-text indexes are rebuilt. The merge works in memory, and
/// runs no code that a database contains. A database that can't be read, or is larger than
/// ``MergeOptions/sizeLimit``, clashes as a whole.
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
