import DocumentTestSupport
import Testing

@testable import DocumentMerge

/// Rows of values in SQL.
struct SQLSubject: FileSubject {
  var testDescription: String { "SQL" }
  var engine: any MergeEngine { MergeEngines().engine(for: .sql) }

  func count(of law: MergeLaw) -> Int { law == .coverage || law == .own ? 0 : caseCount(400) }

  func sides(seed: Int) -> MergeSides<[UInt8]>? {
    var generator = SeededGenerator(seed: seed)
    let base = generator.rows()
    let isList = Bool.random(using: &generator)
    let sides = MergeSides(
      base: base, ours: generator.edited(base, "o"), theirs: generator.edited(base, "t"))
    return sides.map { Self.text($0, isList: isList) }
  }

  private static func text(_ rows: [[String]], isList: Bool) -> [UInt8] {
    let lines = rows.map { "(\($0.joined(separator: ", ")))" }
    let text =
      isList
      ? "INSERT INTO boats (id, name, size) VALUES\n" + lines.joined(separator: ",\n") + ";\n"
      : lines.map { "INSERT INTO boats VALUES \($0);\n" }.joined()
    return Array("BEGIN;\n\(text)COMMIT;\n".utf8)
  }

  func checkSwapped(
    _ outcome: MergeOutcome, _ swapped: MergeOutcome, of merge: LawMerge<Self>
  ) {
    checkSameCharacters(outcome, swapped, of: merge)
  }

  /// A complete result has rows of the same number of values and no key twice, and loses no new value.
  func checkSound(_ outcome: MergeOutcome, of merge: LawMerge<Self>) throws {
    guard outcome.isComplete else { return }
    let found = SQLRows.all(in: TextLines(outcome.bytes))
    let rows = try #require(found.first, merge.comment).rows
    #expect(found.count == 1, merge.comment)
    #expect(rows.allSatisfy { $0.values.count == 3 }, merge.comment)
    #expect(Set(rows.map { $0.values[0] }).count == rows.count, merge.comment)
    func values(_ text: [UInt8]) -> Set<[UInt8]> {
      Set(SQLRows.all(in: TextLines(text)).flatMap { $0.rows.flatMap(\.values) })
    }
    let sides = merge.sides.map(values)
    let new = sides.ours.union(sides.theirs).subtracting(sides.base ?? [])
    #expect(new.isSubset(of: values(outcome.bytes)), merge.comment)
  }

  func mayDiffer(
    _ outcome: MergeOutcome, from side: [UInt8], of merge: LawMerge<Self>
  ) throws -> Bool { try addsAgainByLines(outcome, side, of: merge) }
}

extension SeededGenerator {
  fileprivate mutating func rows() -> [[String]] {
    let names = ["'Anna'", "'Mira''s, old'", "NULL", "now()", "'(x)'", "'a;b'"]
    return (1...Int.random(in: 1...6, using: &self)).map { ["\($0)", pick(names), "\($0)0"] }
  }

  /// The rows after a few edits, whose values have a mark.
  fileprivate mutating func edited(_ rows: [[String]], _ mark: String) -> [[String]] {
    var rows = rows
    for number in 0..<Int.random(in: 0...3, using: &self) {
      let place = Int.random(in: rows.indices, using: &self)
      switch Int.random(in: 0..<4, using: &self) {
      case 0: rows[place][1] = "'\(mark)\(number)'"
      case 1: rows[place][2] = "\(mark == "o" ? 7 : 8)\(number)"
      case 2 where rows.count > 1: rows.remove(at: place)
      default:
        let key = mark == "o" ? 100 + number : 200 + number
        rows.insert(["\(key)", "'\(mark)\(number)'", "1"], at: pick([place, rows.count]))
      }
    }
    return rows
  }
}
