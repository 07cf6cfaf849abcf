@testable import DocumentMerge
import Testing

@Suite("What tells the rows and columns of tables apart")
struct TableKeyTests {
  typealias Example = TableMergeTests.Example

  private static let names = "case_id,lang,name\n1,5,a\n1,9,b\n2,5,c\n2,9,d\n3,5,e\n3,9,f\n"
  private static let points = [1, 2, 3, 4].flatMap { year in
    ["north", "south", "west"].map { "\(year),\($0),\(year * $0.count)\n" }
  }.joined()

  static let pairs: [Example] = [
    Example(
      testDescription: "one new pair, two names",
      sides: [names, names + "4,9,g\n", names + "4,9,h\n5,9,i\n"],
      result: names + "4,9,g\n5,9,i\n", questions: ["row 4, 9, column name"]),
    Example(
      testDescription: "one new pair at two places, which lines would take twice",
      sides: [names, "case_id,lang,name\n0,9,g\n" + names.dropFirst(18), names + "0,9,h\n"],
      result: "case_id,lang,name\n0,9,g\n" + names.dropFirst(18),
      questions: ["row 0, 9, column name"]),
    Example(
      testDescription: "one new pair, one name",
      sides: [names, names + "4,5,g\n4,9,h\n", names + "4,9,h\n5,9,i\n"],
      result: names + "4,5,g\n4,9,h\n5,9,i\n"),
    Example(
      testDescription: "two new pairs, one name",
      sides: [names, names + "4,5,g\n", names + "4,9,g\n"], result: names + "4,5,g\n4,9,g\n"),
    Example(
      testDescription: "no column is called a key, but no pair stands twice",
      sides: [
        "year,team,points\n" + points, "year,team,points\n" + points + "5,west,7\n",
        "year,team,points\n" + points + "5,west,8\n",
      ],
      result: "year,team,points\n" + points + "5,west,7\n",
      questions: ["row 5, west, column points"]),
    Example(
      testDescription: "a pair is another one, beside a changed cell of the row",
      sides: [
        "case_id,lang,name,note\n1,5,a,x\n1,9,b,x\n2,5,c,x\n2,9,d,x\n",
        "case_id,lang,name,note\n1,5,a,x\n1,9,b,x\n2,5,c,x\n2,7,d,x\n",
        "case_id,lang,name,note\n1,5,a,x\n1,9,b,x\n2,5,c,x\n2,9,d,y\n",
      ],
      result: "case_id,lang,name,note\n1,5,a,x\n1,9,b,x\n2,5,c,x\n2,7,d,y\n"),
  ]

  @Test("The first columns together are the key where none is alone", arguments: pairs)
  func keysOfTwo(_ example: Example) throws {
    try example.check()
  }

  static let single: [Example] = [
    Example(
      testDescription: "places, which other rows take",
      sides: [
        "team_id,place,person,phone\na,1,Ann,1\na,2,Bob,2\na,3,Eve,3\nb,1,Ida,4\nb,2,Joe,5\nb,3,Kim,6\n",
        "team_id,place,person,phone\na,1,New,0\na,2,Ann,1\na,3,Bob,2\na,4,Eve,3\n"
          + "b,1,Ida,4\nb,2,Joe,5\nb,3,Kim,6\n",
        "team_id,place,person,phone\na,1,Ann,1\na,2,Bob,9\na,3,Eve,3\nb,1,Ida,4\nb,2,Joe,5\nb,3,Kim,6\n",
      ],
      result: "team_id,place,person,phone\na,1,New,0\na,2,Ann,1\na,3,Bob,9\na,4,Eve,3\n"
        + "b,1,Ida,4\nb,2,Joe,5\nb,3,Kim,6\n"),
    Example(
      testDescription: "two columns that are not alike by chance",
      sides: [
        "first,last,mail\nAnn,Lee,a\nAnn,Fox,b\nBob,Lee,c\n",
        "first,last,mail\nAnn,Lee,a\nAnn,Fox,b\nBob,Lee,c\nBob,Fox,d\n",
        "first,last,mail\nAnn,Lee,a\nAnn,Fox,b\nBob,Lee,c\nBob,Fox,e\n",
      ],
      result: "first,last,mail\nAnn,Lee,a\nAnn,Fox,b\nBob,Lee,c\nBob,Fox,d\nBob,Fox,e\n"),
    Example(
      testDescription: "a later column that is called the key",
      sides: [
        "shop_id,day,id,sum\n1,1,a,5\n1,2,b,5\n2,1,c,5\n2,2,d,5\n",
        "shop_id,day,id,sum\n1,1,a,5\n1,2,b,5\n2,1,c,5\n2,2,d,5\n2,3,e,6\n",
        "shop_id,day,id,sum\n1,1,a,5\n1,2,b,5\n2,1,c,5\n2,2,d,5\n2,3,f,6\n",
      ],
      result: "shop_id,day,id,sum\n1,1,a,5\n1,2,b,5\n2,1,c,5\n2,2,d,5\n2,3,e,6\n2,3,f,6\n"),
  ]

  @Test("A later column is the key where the first ones do not behave like one", arguments: single)
  func laterColumns(_ example: Example) throws {
    try example.check()
  }

  static let renamed: [Example] = [
    Example(
      testDescription: "two new names beside new rows",
      sides: [
        "id,lang,text\n1,en,a\n2,en,b\n3,de,c\n", "id,lang,text\n1,en,a\n2,en,b\n3,de,c\n4,de,d\n",
        "id,text_lang,text_text\n1,en,a\n2,en,b\n3,de,c\n",
      ],
      result: "id,text_lang,text_text\n1,en,a\n2,en,b\n3,de,c\n4,de,d\n"),
    Example(
      testDescription: "a new name on each side, a new row and a changed cell",
      sides: [
        "id,lang,text\n1,en,a\n2,en,b\n3,de,c\n", "id,lang,words\n1,en,a\n2,en,b\n3,de,c\n4,de,d\n",
        "id,language,text\n1,en,A\n2,en,b\n3,de,c\n",
      ],
      result: "id,language,words\n1,en,A\n2,en,b\n3,de,c\n4,de,d\n", questions: []),
    Example(
      testDescription: "two new names for one column",
      sides: [
        "id,lang,text\n1,en,a\n2,en,b\n", "id,l,t\n1,en,a\n2,en,b\n", "id,l,x\n1,en,a\n2,en,b\n",
      ],
      result: "id,l,t\n1,en,a\n2,en,b\n", questions: ["the header, column text"]),
    Example(
      testDescription: "another column with the same cells in other rows",
      sides: [
        "id,open\n1,yes\n2,no\n3,yes\n4,no\n", "id,open\n1,yes\n2,no\n3,yes\n4,no\n5,yes\n",
        "id,paid\n1,no\n2,yes\n3,no\n4,yes\n",
      ],
      result: "id,paid,open\n1,no,yes\n2,yes,no\n3,no,yes\n4,yes,no\n5,,yes\n",
      questions: ["column open"]),
  ]

  @Test("A column with another name and the same cells is the same column", arguments: renamed)
  func renamedColumns(_ example: Example) throws {
    try example.check()
  }

  static let removed: [Example] = [
    Example(
      testDescription: "beside a new column",
      sides: [
        "id,name,phone\n1,a,10\n2,b,20\n3,c,30\n",
        "id,name,age,mobile\n1,a,7,10\n2,b,8,20\n3,c,9,30\n", "id,name\n1,a\n2,b\n3,c\n",
      ],
      result: "id,name,age,mobile\n1,a,7,10\n2,b,8,20\n3,c,9,30\n",
      questions: ["column phone"]),
    Example(
      testDescription: "moved",
      sides: [
        "id,name,phone\n1,a,10\n2,b,20\n3,c,30\n",
        "id,mobile,name\n1,10,a\n2,20,b\n3,30,c\n", "id,name\n1,a\n2,b\n3,c\n",
      ],
      result: "id,mobile,name\n1,10,a\n2,20,b\n3,30,c\n", questions: ["column phone"]),
    Example(
      testDescription: "with a changed cell",
      sides: [
        "id,name,phone\n1,a,10\n2,b,20\n3,c,30\n4,d,40\n",
        "id,name,mobile\n1,a,10\n2,b,20\n3,c,31\n4,d,40\n",
        "id,name\n1,a\n2,b\n3,c\n4,d\n",
      ],
      result: "id,name,mobile\n1,a,10\n2,b,20\n3,c,31\n4,d,40\n",
      questions: ["column mobile"]),
    Example(
      testDescription: "beside a new column, and renamed otherwise",
      sides: [
        "id,name,phone\n1,a,10\n2,b,20\n3,c,30\n",
        "id,name,age,mobile\n1,a,7,10\n2,b,8,20\n3,c,9,30\n",
        "id,name,tel\n1,a,10\n2,b,20\n3,c,30\n",
      ],
      result: "id,name,age,mobile\n1,a,7,10\n2,b,8,20\n3,c,9,30\n",
      questions: ["the header, column phone"]),
    Example(
      testDescription: "another one, with other cells",
      sides: [
        "id,name,phone\n1,a,10\n2,b,20\n3,c,30\n", "id,name,age\n1,a,7\n2,b,8\n3,c,9\n",
        "id,name\n1,a\n2,b\n3,c\n",
      ],
      result: "id,name,age\n1,a,7\n2,b,8\n3,c,9\n"),
  ]

  @Test("A column that one side renamed and the other removed is asked about", arguments: removed)
  func removedColumns(_ example: Example) throws {
    try example.check()
  }

  @Test("A header told to be one that names two columns alike is no error")
  func doubledNames() throws {
    let sides = MergeSides(
      base: Array("a,a\n1,2\n".utf8), ours: Array("a,a\n1,3\n".utf8),
      theirs: Array("a,a\n1,4\n".utf8))
    let outcome = try TableMergeEngine(hasHeader: true).merge(sides, options: MergeOptions())
    #expect(!outcome.isComplete)
  }
}
