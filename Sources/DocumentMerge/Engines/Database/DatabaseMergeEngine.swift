/// Merges SQLite databases: tables by their names, rows by their primary keys, values by columns.
///
/// What both sides changed differently is a question, and so is what would break a rule of the database: a foreign key, a
/// unique index, a check. Indexes for searching text are built anew. The work is done in memory, and nothing that
/// a database brings runs. A database that can't be read, or is larger than ``MergeOptions/sizeLimit``, clashes as a whole.
struct DatabaseMergeEngine: OpenMergeEngine {
  var name: String { "database" }

  func openMerge(of sides: MergeSides<[UInt8]>, options: MergeOptions) throws -> OpenMerge {
    if let kind = sides.settled {
      return OpenMerge(SettledMerge(sides: sides, kind: kind, labels: options.labels))
    }
    guard sides.all.allSatisfy({ $0.count <= options.sizeLimit }) else {
      throw MergeError(
        .tooLarge, "A side has more than \(options.sizeLimit) bytes, too many to merge.")
    }
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
      return OpenMerge(WholeClash(sides: sides, reason: undecided.reason))
    }
  }
}
