internal import DocumentGit

/// The moves of references that make some records the heads, and the references that are then no longer
/// needed.
struct HeadMoves {
  /// A moving reference, and the version that it then represents.
  private struct Move {
    let name: String
    let record: ObjectID
    let target: ObjectID
    let old: ObjectID?
  }

  private var moves: [Move] = []
  /// The heads whose references are removed, because the new heads descend from them.
  private(set) var settled: [Head] = []

  /// - Parameters:
  ///   - records: the new heads, the most important one first.
  ///   - targets: the target of each record's reference.
  init(
    to records: [ObjectID], targets: [ObjectID: ObjectID], from heads: Heads,
    in objects: VersionObjects
  ) throws {
    var references = try heads.all().sorted { $0.name == HeadName.main && $1.name != HeadName.main }
    let isFirst = references.isEmpty
    for record in records {
      guard let target = targets[record] else { continue }
      let reusable = try Self.reusable(references, for: record, among: records, in: objects)
      if let reusable {
        let reference = references.remove(at: reusable)
        moves.append(
          Move(name: reference.name, record: record, target: target, old: reference.target))
      } else {
        let name = isFirst && moves.isEmpty ? HeadName.main : "\(HeadName.prefix)\(record)"
        moves.append(Move(name: name, record: record, target: target, old: nil))
      }
    }
    settled = references
  }

  /// Returns the reference that a new head takes over: its own, or one of its ancestors'.
  private static func reusable(
    _ references: [Head], for record: ObjectID, among records: [ObjectID],
    in objects: VersionObjects
  ) throws -> Int? {
    if let own = references.firstIndex(where: { $0.record.id == record }) { return own }
    return try references.firstIndex { reference in
      try !records.contains(reference.record.id)
        && objects.isAncestor(reference.record.id, of: record)
    }
  }

  /// The compare-and-swap moves, without references that stay where they are.
  var transactionMoves: [Transaction.Move] {
    moves.filter { $0.target != $0.old }
      .map { Transaction.Move($0.name, to: $0.target, expecting: $0.old) }
  }

  /// Returns the record that the main reference represents afterward.
  ///
  /// - Parameter base: the record that it represents before.
  func mainAfterwards(from base: ObjectID?) -> ObjectID? {
    if let move = moves.first(where: { $0.name == HeadName.main }) { return move.record }
    return settled.contains { $0.name == HeadName.main } ? nil : base
  }
}
