import DocumentMerge
import Testing

/// The values of structured documents, and their former places.
struct DocumentValuesTests {
  private func values(_ text: String, _ fileName: String) throws -> [String]? {
    try DocumentValues(Array(text.utf8), fileName: fileName)?.values
      .map { "\($0.path): \(String(decoding: $0.text, as: UTF8.self))" }
  }

  @Test(arguments: [
    (
      "a.json", #"{"title": "Trip", "size": {"w": 1.50, "tags": []}, "on": true}"#,
      [#"/title: "Trip""#, "/size/w: 1.50", "/size/tags: []", "/on: true"]
    ),
    (
      "a.json", #"{"a/b": [1, {"id": 7, "x~": null}], "c": [{"id": 2, "v": 3}, {"id": 1}]}"#,
      [
        "/a~1b/0: 1", "/a~1b/1/id: 7", "/a~1b/1/x~0: null", "/c/id=2/id: 2", "/c/id=2/v: 3",
        "/c/id=1/id: 1",
      ]
    ),
    ("a.json", "3", [": 3"]),
    (
      "a.yaml", "title: Trip\nsize:\n  w: 1\nlist:\n- a\n- b\n",
      ["/title: Trip", "/size/w: 1", "/list/0: a", "/list/1: b"]
    ),
    ("a.toml", "title = \"Trip\"\n[size]\nw = 1\n", [#"/title: "Trip""#, "/[size]/w: 1"]),
    (
      "a.csv", "id,name,price\n7,\"a, b\",3\n8,c,4\n",
      [
        "row 7, column id: 7", #"row 7, column name: "a, b""#, "row 7, column price: 3",
        "row 8, column id: 8", "row 8, column name: c", "row 8, column price: 4",
      ]
    ),
    ("unnamed", #"{"a": 1}"#, ["/a: 1"]),
    (
      "a.xml", #"<trip to="Rome"><day n='1'>a &amp; b</day><day>c</day><map/><note></note></trip>"#,
      [
        "/trip/@to: Rome", "/trip/day[1]/@n: 1", "/trip/day[1]: a & b", "/trip/day[2]: c",
        "/trip/map: ", "/trip/note: ",
      ]
    ),
    (
      "a.plist",
      "<plist version=\"1.0\"><dict><key>a&amp;b</key><string>x &lt; y</string><key>n</key><integer>3</integer>"
        + "<key>on</key><true/><key>list</key><array><real>1.5</real></array></dict></plist>",
      ["/a&b: x < y", "/n: 3", "/on: true", "/list/0: 1.5"]
    ),
  ])
  func `values have the places that merges name`(
    fileName: String, text: String, expected: [String]
  ) throws {
    #expect(try values(text, fileName) == expected)
    #expect(try values(text.replacing("\n", with: "\r\n"), fileName) == expected)
  }

  @Test(arguments: [
    ("a.md", "# A\n"), ("a.json", "{\"a\": "), ("a.csv", "a,b\n1\n2,3,4\n"), ("a.txt", "{ no"),
    ("a.json", String(repeating: "[", count: 100_000)), ("a.json", ""), ("a.yaml", "a: [\n"),
    ("a.json", "\0\u{1}"),
  ])
  func `what isn't valid has no values`(fileName: String, text: String) throws {
    #expect(try values(text, fileName) == nil)
  }

  @Test(arguments: [
    // A key that moved, one that changed, and one that is new.
    ("a.json", #"{"a": 1, "b": 2}"#, #"{"c": 0, "b": 3, "a": 1}"#, [nil, nil, 0]),
    // Another layout of the same values.
    ("a.json", #"{"a": [1, "x"]}"#, "{\n  \"a\" : [\n    1, \"\\u0078\"\n  ]\n}\n", [0, 1]),
    // Members of lists by their identifiers, and by their neighbours.
    (
      "a.json", #"[{"id": 1, "v": 1}, {"id": 2, "v": 2}]"#,
      #"[{"id": 2, "v": 3}, {"id": 1, "v": 1}]"#,
      [2, nil, 0, 1]
    ),
    ("a.json", "[1, 2, 3]", "[0, 1, 2, 4]", [nil, 0, 1, nil]),
    ("a.json", #"[{"v": 1, "w": 2}, {"v": 3}]"#, #"[{"v": 1, "w": 4}, {"v": 3}]"#, [0, nil, 2]),
    // A value that became a container, and back.
    ("a.json", #"{"a": 1}"#, #"{"a": [1]}"#, [nil]),
    ("a.json", #"{"a": [1]}"#, #"{"a": 1}"#, [nil]),
    ("a.json", #"{"a": []}"#, #"{"a": {}}"#, [nil]),
    ("a.yaml", "a: 1\nb:\n- x\n- y\n", "b: [x, z]\na: 1\n", [0 + 1, nil, 0]),
    (
      "a.csv", "id,name,price\n1,a,3\n2,b,4\n", "id,price,name\n2,5,b\n1,3,a\n9,7,c\n",
      [3, nil, 4, 0, 2, 1, nil, nil, nil]
    ),
  ])
  func `a value is where it was as long as its place says the same`(
    fileName: String, former: String, text: String, expected: [Int?]
  ) throws {
    let old = try #require(try DocumentValues(Array(former.utf8), fileName: fileName))
    let new = try #require(try DocumentValues(Array(text.utf8), fileName: fileName))
    #expect(new.places(in: old) == expected)
    #expect(new.places(in: new) == new.values.indices.map { $0 })
  }

  @Test func `documents of different kinds have no values in common`() throws {
    let json = try #require(try DocumentValues(Array("{\"a\": 1}".utf8), fileName: "a.json"))
    let table = try #require(try DocumentValues(Array("a,b\n1,2\n".utf8), fileName: "a.csv"))
    #expect(json.places(in: table) == [nil])
  }
}
