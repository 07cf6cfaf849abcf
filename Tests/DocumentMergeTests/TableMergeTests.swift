@testable import DocumentMerge
import Testing

@Suite("Tables merged by rows and cells")
struct TableMergeTests {
  /// A merge of tables: its result, and the places of the questions.
  struct Example: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let sides: [String]
    let result: String
    var questions: [String] = []

    /// Checks the result, and that the merge with swapped sides needs a decision as well.
    func check() throws {
      let sides = MergeSides(
        base: Array(sides[0].utf8), ours: Array(sides[1].utf8), theirs: Array(sides[2].utf8))
      let outcome = try tableEngine.merge(sides, options: MergeOptions())
      #expect(outcome.text == result)
      let places = outcome.decisions.filter { $0.kind == .clash }.map { $0.place.path ?? "" }
      #expect(places == questions)
      let swapped = try tableEngine.merge(sides.swapped, options: MergeOptions())
      #expect(swapped.isComplete == outcome.isComplete)
      try checkAnswers(tableEngine, sides, "\(testDescription)")
    }
  }

  static let columns: [Example] = [
    Example(
      testDescription: "both add a column",
      sides: [
        "name,qty\nnut,1\nbolt,1\nnut,2\n",
        "name,qty,price\nnut,1,5\nbolt,1,6\nnut,2,7\n",
        "name,color,qty\nnut,red,1\nbolt,blue,1\nnut,red,2\n",
      ],
      result: "name,color,qty,price\nnut,red,1,5\nbolt,blue,1,6\nnut,red,2,7\n"),
    Example(
      testDescription: "a column beside a changed cell",
      sides: [
        "name,qty\nnut,1\nbolt,1\nnut,2\n",
        "name,qty,price\nnut,1,5\nbolt,1,6\nnut,2,7\n",
        "name,qty\nnut,1\nbolt,1\nnut,3\n",
      ],
      result: "name,qty,price\nnut,1,5\nbolt,1,6\nnut,3,7\n"),
    Example(
      testDescription: "a column beside a row",
      sides: [
        "name,qty\nnut,1\nbolt,1\nnut,2\n",
        "name,qty,price\nnut,1,5\nbolt,1,6\nnut,2,7\n",
        "name,qty\nnut,1\nbolt,1\nnut,2\nscrew,9\n",
      ],
      result: "name,qty,price\nnut,1,5\nbolt,1,6\nnut,2,7\nscrew,9,\n"),
    Example(
      testDescription: "a column for another one, beside rows that have it",
      sides: ["id,a\n1,x\n2,y\n3,\n", "id,a\n1,x\n2,y\n3,\n4,z\n", "id,b\n1,p\n2,q\n3,\n"],
      result: "id,b,a\n1,p,x\n2,q,y\n3,,\n4,,z\n", questions: ["column a"]),
  ]

  @Test("Rows are the same whatever columns a side added", arguments: columns)
  func addedColumns(_ example: Example) throws {
    try example.check()
  }

  static let keys: [Example] = [
    Example(
      testDescription: "one key, two new ones",
      sides: [
        "city,pop\nRom,1\nBern,2\n", "city,pop\nRoma,1\nBern,2\n", "city,pop\nRome,1\nBern,2\n",
      ],
      result: "city,pop\nRoma,1\nBern,2\n", questions: ["row Roma, column city"]),
    Example(
      testDescription: "a new key beside a changed cell of the row",
      sides: [
        "x,city,pop\na,Rom,1\na,Bern,2\na,Oslo,3\n", "x,city,pop\na,Roma,1\na,Bern,2\na,Oslo,3\n",
        "x,city,pop\na,Rom,9\na,Bern,2\na,Oslo,3\n",
      ],
      result: "x,city,pop\na,Roma,9\na,Bern,2\na,Oslo,3\n", questions: []),
    Example(
      testDescription: "a new key for a row that is removed",
      sides: [
        "x,city,pop\na,Rom,1\na,Bern,2\na,Oslo,3\n", "x,city,pop\na,Roma,1\na,Bern,2\na,Oslo,3\n",
        "x,city,pop\na,Bern,2\na,Oslo,4\n",
      ],
      result: "x,city,pop\na,Roma,1\na,Bern,2\na,Oslo,4\n", questions: ["row Roma"]),
    Example(
      testDescription: "the same new key on both sides",
      sides: [
        "city,pop\nRom,1\nBern,2\n", "city,pop\nRoma,1\nBern,2\n", "city,pop\nRoma,1\nBern,3\n",
      ],
      result: "city,pop\nRoma,1\nBern,3\n"),
    Example(
      testDescription: "one row, two others in its place",
      sides: [
        "city,pop\nRom,1\nBern,2\n", "city,pop\nParis,5\nBern,2\n", "city,pop\nWien,6\nBern,2\n",
      ],
      result: "city,pop\nParis,5\nBern,2\n",
      questions: ["row Paris, column city", "row Paris, column pop"]),
    Example(
      testDescription: "two rows that may have been made of one that was changed",
      sides: [
        "city,x,y\nRom,1,1\nBern,2,2\n", "city,x,y\nRoma,1,1\nRome,1,1\nBern,2,2\n",
        "city,x,y\nRom,1,9\nBern,2,2\n",
      ],
      result: "city,x,y\nRoma,1,1\nRome,1,1\nRom,1,9\nBern,2,2\n", questions: ["row Rom"]),
  ]

  @Test("A row whose key is another one is changed, not new", arguments: keys)
  func changedKeys(_ example: Example) throws {
    try example.check()
  }

  static let lineEnds: [Example] = [
    Example(
      testDescription: "a line break comes into a cell, a row with one goes",
      sides: [
        "id,note\r\n1,\"a\nb\"\r\n2,c\r\n3,d\r\n", "id,note\r\n1,\"a\nb\"\r\n2,\"c\nc\"\r\n3,d\r\n",
        "id,note\r\n2,c\r\n3,d\r\n",
      ],
      result: "id,note\r\n2,\"c\nc\"\r\n3,d\r\n"),
    Example(
      testDescription: "a column beside a row",
      sides: [
        "id,note\r\n1,\"a\nb\"\r\n2,c\r\n", "id,note,new\r\n1,\"a\nb\",x\r\n2,c,y\r\n",
        "id,note\r\n1,\"a\nb\"\r\n2,c\r\n3,d\r\n",
      ],
      result: "id,note,new\r\n1,\"a\nb\",x\r\n2,c,y\r\n3,d,\r\n"),
    Example(
      testDescription: "other line ends, beside a cell with a line break",
      sides: ["id,note\n1,a\n2,b\n", "id,note\r\n1,a\r\n2,b\r\n", "id,note\n1,\"a\na\"\n2,b\n"],
      result: "id,note\r\n1,\"a\na\"\r\n2,b\r\n"),
    Example(
      testDescription: "other line breaks in a cell that the other side changed",
      sides: [
        "id,note\n1,\"a\nb\"\n2,c\n", "id,note\r\n1,\"a\r\nb\"\r\n2,c\r\n",
        "id,note\n1,\"a\nB\"\n2,c\n",
      ],
      result: "id,note\r\n1,\"a\nB\"\r\n2,c\r\n"),
  ]

  @Test("Line ends in quoted cells stay as they are, whatever rows end with", arguments: lineEnds)
  func lineEndsInCells(_ example: Example) throws {
    try example.check()
  }

  static let movedRows: [Example] = [
    Example(
      testDescription: "moved down and changed, and removed",
      sides: [
        "id,name,qty\n1,a,10\n2,b,20\n3,c,30\n", "id,name,qty\n1,a,10\n3,c,30\n2,b,99\n",
        "id,name,qty\n1,a,10\n3,c,30\n",
      ],
      result: "id,name,qty\n1,a,10\n3,c,30\n2,b,99\n", questions: ["row 2"]),
    Example(
      testDescription: "moved up and changed, and removed",
      sides: [
        "id,name,qty\n1,a,10\n2,b,20\n3,c,30\n", "id,name,qty\n3,c,31\n1,a,10\n2,b,20\n",
        "id,name,qty\n1,a,10\n2,b,20\n",
      ],
      result: "id,name,qty\n3,c,31\n1,a,10\n2,b,20\n", questions: ["row 3"]),
    Example(
      testDescription: "moved and changed, and moved with another key and another cell",
      sides: [
        "id,name,qty\n1,a,10\n2,b,20\n3,c,30\n", "id,name,qty\n1,a,10\n3,c,30\n2,b,99\n",
        "id,name,qty\n7,b,21\n1,a,10\n3,c,30\n",
      ],
      result: "id,name,qty\n7,b,21\n1,a,10\n3,c,30\n2,b,99\n", questions: ["row 2"]),
    Example(
      testDescription: "moved and changed by one side alone",
      sides: [
        "id,name,qty\n1,a,10\n2,b,20\n3,c,30\n", "id,name,qty\n1,a,10\n3,c,30\n2,b,99\n",
        "id,name,qty\n1,a,11\n2,b,20\n3,c,30\n",
      ],
      result: "id,name,qty\n1,a,11\n3,c,30\n2,b,99\n"),
  ]

  @Test(
    "A row that one side moved and changed is not removed in silence, nor kept",
    arguments: movedRows)
  func revivedRows(_ example: Example) throws {
    try example.check()
  }
}
