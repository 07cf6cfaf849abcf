import DocumentTestSupport
import Foundation
import Testing

@testable import DocumentMerge

@Suite("Merging databases")
struct DatabaseMergeTests {
  @Test("Databases are merged as their fixture says", arguments: DatabaseFixture.all)
  func fixture(_ fixture: DatabaseFixture) throws {
    let outcome = try TestDatabase.merge(fixture.sides)
    let clashes = outcome.decisions.filter { $0.kind == .clash }.map(\.place.description)
    let questions = try fixture.questions
    #expect(clashes == questions)
    let contents = try TestDatabase.contents(of: outcome.bytes)
    if let expected = try fixture.expected { #expect(contents == expected) }
  }

  @Test("Swapped sides leave as many questions", arguments: DatabaseFixture.all)
  func swapped(_ fixture: DatabaseFixture) throws {
    let sides = try fixture.sides
    let outcome = try TestDatabase.merge(sides.swapped)
    #expect(try outcome.isComplete == fixture.questions.isEmpty)
    _ = try TestDatabase.contents(of: outcome.bytes)
  }

  @Test("The fixtures are of both sorts")
  func sorts() throws {
    let asking = try DatabaseFixture.all.count { try !$0.questions.isEmpty }
    #expect(asking > 10 && DatabaseFixture.all.count - asking > 12)
  }

  static let notes = """
    CREATE TABLE notes (id INTEGER PRIMARY KEY, title TEXT, stars INTEGER);
    INSERT INTO notes VALUES (1, 'Trip', 3), (2, 'Food', 2);

    """

  static func sides(_ ours: String, _ theirs: String) throws -> MergeSides<[UInt8]> {
    MergeSides(
      base: try TestDatabase.bytes(notes), ours: try TestDatabase.bytes(notes, ours),
      theirs: try TestDatabase.bytes(notes, theirs))
  }

  @Test("A decision about a row says what each side has there")
  func rowsOfDecisions() throws {
    let sides = try Self.sides(
      "UPDATE notes SET title = 'Voyage' WHERE id = 1;\nINSERT INTO notes VALUES (5, 'New', 1);\n",
      "UPDATE notes SET stars = 4 WHERE id = 1;\nDELETE FROM notes WHERE id = 2;\n")
    let decisions = try TestDatabase.merge(sides).decisions
    let rows = decisions.map { decision in
      [decision.base, decision.ours, decision.theirs].map { $0 ?? "nothing" }
    }
    #expect(
      rows == [
        ["nothing", "id=5, title='New', stars=1", "nothing"],
        ["id=2, title='Food', stars=2", "id=2, title='Food', stars=2", "nothing"],
        [
          "id=1, title='Trip', stars=3", "id=1, title='Voyage', stars=3",
          "id=1, title='Trip', stars=4",
        ],
      ])
  }

  // MARK: Answers

  static let answers: [(MergeAnswer, String)] = [
    (.ours, "1|'Voyage'|3"), (.theirs, "1|'Journey'|3"), (.base, "1|'Trip'|3"),
    (.text(Array("Tour".utf8)), "1|'Tour'|3"),
  ]

  @Test("An answer decides about a value", arguments: answers)
  func answer(_ answer: MergeAnswer, row: String) throws {
    let sides = try Self.sides(
      "UPDATE notes SET title = 'Voyage' WHERE id = 1",
      "UPDATE notes SET title = 'Journey' WHERE id = 1")
    let open = try MergeEngines().engine(forFileName: "x").openMerge(
      of: sides, options: MergeOptions())
    #expect(open.clashes.count == 1)
    let outcome = try open.outcome(answers: [0: answer])
    #expect(outcome.isComplete)
    #expect(try TestDatabase.contents(of: outcome.bytes).rows["notes"]?.first == row)
  }

  @Test("A typed number is a number")
  func typedNumber() throws {
    let sides = try Self.sides("UPDATE notes SET stars = 4", "UPDATE notes SET stars = 5")
    let open = try MergeEngines().engine(forFileName: "x").openMerge(
      of: sides, options: MergeOptions())
    let answers = [0: MergeAnswer.text(Array("1".utf8)), 1: .theirs]
    let rows = try TestDatabase.contents(of: open.outcome(answers: answers).bytes).rows["notes"]
    #expect(rows == ["1|'Trip'|1", "2|'Food'|5"])
  }

  @Test("A row that one side removed comes back by an answer, with the row that it refers to")
  func revivedParent() throws {
    let fixture = try #require(
      DatabaseFixture.all.first { $0.testDescription == "parent-removed" })
    let open = try MergeEngines().engine(forFileName: "x").openMerge(
      of: fixture.sides, options: MergeOptions())
    let outcome = try open.outcome(answers: [0: .theirs])
    #expect(outcome.isComplete)
    let rows = try TestDatabase.contents(of: outcome.bytes).rows
    #expect(rows["projects"] == ["1|'House'", "2|'Garden'"])
    #expect(rows["tasks"]?.contains("4|2|'Rake the leaves'|0") == true)
  }

  // MARK: What can't be merged inside

  @Test("Without what both were made from, databases clash as wholes")
  func withoutBase() throws {
    let sides = try Self.sides("DELETE FROM notes", "UPDATE notes SET stars = 1")
    let outcome = try TestDatabase.merge(
      MergeSides(base: nil, ours: sides.ours, theirs: sides.theirs))
    #expect(!outcome.isComplete && outcome.bytes == sides.ours)
  }

  @Test("A damaged database clashes as a whole, and ours stays", arguments: 0..<40)
  func damage(seed: Int) throws {
    var random = SeededGenerator(seed: seed)
    let sides = try Self.sides(
      "UPDATE notes SET stars = 9 WHERE id = 1", "DELETE FROM notes WHERE id = 2")
    var damaged = sides.theirs
    if seed.isMultiple(of: 4) {
      damaged.removeLast(Int.random(in: 1..<damaged.count - 16, using: &random))
    } else {
      for _ in 0..<8 {
        damaged[Int.random(in: 16..<damaged.count, using: &random)] = .random(
          in: 0...255, using: &random)
      }
    }
    let outcome = try TestDatabase.merge(
      MergeSides(base: sides.base, ours: sides.ours, theirs: damaged))
    if outcome.isComplete {
      _ = try TestDatabase.contents(of: outcome.bytes)
    } else {
      let stays = outcome.bytes == sides.ours
      #expect(stays || outcome.decisions.contains { $0.place.path != nil })
    }
  }

  @Test("An encrypted database clashes as a whole, and ours stays", arguments: [0, 1, 2])
  func encrypted(side: Int) throws {
    var random = SeededGenerator(seed: side)
    var sides = try Self.sides(
      "UPDATE notes SET stars = 9 WHERE id = 1", "DELETE FROM notes WHERE id = 2")
    let noise = sides.ours.map { _ in UInt8.random(in: 0...255, using: &random) }
    switch side {
    case 0: sides = MergeSides(base: noise, ours: sides.ours, theirs: sides.theirs)
    case 1: sides = MergeSides(base: sides.base, ours: noise, theirs: sides.theirs)
    default: sides = MergeSides(base: sides.base, ours: sides.ours, theirs: noise)
    }
    let outcome = try TestDatabase.merge(sides)
    #expect(!outcome.isComplete && outcome.bytes == sides.ours)
    #expect(outcome.decisions.allSatisfy { $0.place == .document })
  }

  @Test("The mark of a write-ahead log stays as ours has it")
  func writeAheadLog() throws {
    var sides = try Self.sides(
      "UPDATE notes SET stars = 9 WHERE id = 1", "UPDATE notes SET title = 'Meal' WHERE id = 2")
    var ours = sides.ours
    (ours[18], ours[19]) = (2, 2)
    sides = MergeSides(base: sides.base, ours: ours, theirs: sides.theirs)
    let outcome = try TestDatabase.merge(sides)
    #expect(outcome.isComplete)
    #expect(outcome.bytes[18...19] == [2, 2])
  }

  @Test("What programs keep in the head of a database follows the side that changed it")
  func settings() throws {
    let outcome = try TestDatabase.merge(
      Self.sides("UPDATE notes SET stars = 9", "PRAGMA user_version = 7"))
    let database = try #require(MemoryDatabase())
    try database.load(outcome.bytes, as: .main)
    #expect(try database.rows("PRAGMA user_version") == [[.integer(7)]])
  }

  @Test(
    "A definition that uses what the other side dropped or renamed is a question",
    arguments: [
      ("CREATE VIEW best AS SELECT title, stars FROM notes", "ALTER TABLE notes DROP COLUMN stars"),
      (
        "CREATE VIEW best AS SELECT title, stars FROM notes",
        "ALTER TABLE notes RENAME COLUMN stars TO points"
      ),
      (
        "CREATE TRIGGER t AFTER INSERT ON notes BEGIN INSERT INTO marks VALUES (new.id); END",
        "DROP TABLE marks"
      ),
      ("CREATE TABLE links (mark INTEGER REFERENCES marks (id))", "DROP TABLE marks"),
    ])
  func lostDefinitions(_ ours: String, _ theirs: String) throws {
    let base = Self.notes + "CREATE TABLE marks (id INTEGER PRIMARY KEY);\n"
    let sides = MergeSides(
      base: try TestDatabase.bytes(base), ours: try TestDatabase.bytes(base, ours),
      theirs: try TestDatabase.bytes(base, theirs))
    for sides in [sides, sides.swapped] {
      #expect(try !TestDatabase.merge(sides).isComplete)
    }
  }

  @Test("Triggers of a document do not run")
  func triggers() throws {
    let trigger = """
      CREATE TRIGGER emptied AFTER INSERT ON notes BEGIN DELETE FROM notes; END;

      """
    let base = try TestDatabase.bytes(Self.notes, trigger)
    let sides = MergeSides(
      base: base,
      ours: try TestDatabase.bytes(Self.notes, trigger, "UPDATE notes SET stars = 5 WHERE id = 1"),
      theirs: try TestDatabase.bytes(Self.notes, trigger, "INSERT INTO notes VALUES (3, 'New', 0)"))
    let rows = try TestDatabase.contents(of: TestDatabase.merge(sides).bytes).rows["notes"]
    #expect(rows == ["1|'Trip'|5", "2|'Food'|2", "3|'New'|0"])
  }

  // MARK: Random databases

  @Test(
    "Random edits of both sides keep the rules, and agree with SQLite’s changesets",
    arguments: 0..<200)
  func random(seed: Int) throws {
    let sides = try RandomDatabase.sides(seed: seed)
    let outcome = try TestDatabase.merge(sides)
    let swapped = try TestDatabase.merge(sides.swapped)
    #expect(outcome.isComplete == swapped.isComplete)
    let contents = try TestDatabase.contents(of: outcome.bytes)
    guard outcome.isComplete else { return }
    for side in [sides.ours, sides.theirs] {
      let again = try TestDatabase.merge(
        MergeSides(base: side, ours: outcome.bytes, theirs: side))
      #expect(again.bytes == outcome.bytes)
    }
    let isNumbered = outcome.decisions.contains { $0.explanation.contains("number") }
    guard !isNumbered,
      let expected = try SessionOracle.merged(sides, tables: ["people", "mails", "settings"])
    else { return }
    #expect(try TestDatabase.contents(of: expected) == contents)
  }

  @Test("The random databases are of all sorts")
  func coverage() throws {
    var (complete, numbered, agreed) = (0, 0, 0)
    for seed in 0..<200 {
      let sides = try RandomDatabase.sides(seed: seed)
      let outcome = try TestDatabase.merge(sides)
      guard outcome.isComplete else { continue }
      complete += 1
      if outcome.decisions.contains(where: { $0.explanation.contains("number") }) {
        numbered += 1
      } else if try SessionOracle.merged(sides, tables: ["people", "mails", "settings"]) != nil {
        agreed += 1
      }
    }
    #expect(complete > 60 && complete < 190 && numbered > 15 && agreed > 15)
  }
}

/// Random edits of a database with people, their mails and settings.
enum RandomDatabase {
  private static let base = """
    CREATE TABLE people (id INTEGER PRIMARY KEY, name TEXT, city TEXT, age INTEGER, note TEXT);
    CREATE TABLE mails (id INTEGER PRIMARY KEY, person INTEGER REFERENCES people(id), subject TEXT);
    CREATE TABLE settings (key TEXT PRIMARY KEY, value) WITHOUT ROWID;
    INSERT INTO people VALUES (1, 'Mira', 'Oslo', 30, ''), (2, 'Tom', 'Bergen', 41, ''), (3, 'Ada', 'Bodø', 52, '');
    INSERT INTO mails VALUES (1, 1, 'Hello'), (2, 1, 'Offer'), (3, 3, 'Photos');
    INSERT INTO settings VALUES ('font', 'Serif'), ('size', 12);

    """

  static func sides(seed: Int) throws -> MergeSides<[UInt8]> {
    var random = SeededGenerator(seed: seed)
    func side(_ mark: String) throws -> [UInt8] {
      let edits = (0..<Int.random(in: 1...3, using: &random)).map { edit(mark, $0, &random) }
      return try TestDatabase.bytes(base, edits.joined())
    }
    return MergeSides(
      base: try TestDatabase.bytes(base), ours: try side("ours"), theirs: try side("theirs"))
  }

  private static func edit(
    _ mark: String, _ number: Int, _ random: inout SeededGenerator
  ) -> String {
    let person = Int.random(in: 1...3, using: &random)
    let column = ["name", "city", "note"].randomElement(using: &random) ?? "name"
    let new = 4 + number
    return switch Int.random(in: 0..<8, using: &random) {
    case 0, 1: "UPDATE people SET \(column) = '\(mark) \(number)' WHERE id = \(person);\n"
    case 2: "UPDATE people SET age = age + 1 WHERE id = \(person);\n"
    case 3:
      "INSERT INTO people VALUES (\(new), '\(mark)', 'Rome', \(number), '');\n"
        + "INSERT INTO mails VALUES (\(new), \(new), 'From \(mark)');\n"
    case 4:
      "INSERT INTO mails SELECT \(new + 10), id, 'To \(mark)' FROM people WHERE id = \(person);\n"
    case 5:
      "DELETE FROM mails WHERE person = \(person);\nDELETE FROM people WHERE id = \(person);\n"
    case 6: "UPDATE settings SET value = '\(mark)' WHERE key = 'font';\n"
    default: "INSERT INTO settings VALUES ('\(mark)\(number)', \(number));\n"
    }
  }
}
