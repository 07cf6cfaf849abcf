import DocumentMerge
import Testing

@Suite("What tells the rows of tables apart")
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
}
