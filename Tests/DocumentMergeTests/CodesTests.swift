import DocumentMerge
import Testing

@Suite("Codes in the lines of a text")
struct CodesTests {
  @Test(
    "Two changes inside one code are a question",
    arguments: [
      [
        "DE89 3704 0044 0532 0130 00", "DE12 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0199 00",
      ],
      ["C02X EFGH K7QP", "C03X EFGH K7QP", "C02X EFGH K9QP"],
      ["ABCD EFGH IJKL MNOP", "ABXX EFGH IJKL MNOP", "ABCD EFGH IJKL MYYP"],
      ["AB12-CD34 EF56-GH78", "AB99-CD34 EF56-GH78", "AB12-CD34 EF56-GH00"],
      ["AB12-CD34-EF56", "AB99-CD34-EF56", "AB12-CD34-EF00"],
      ["5 mg aspirin", "10 mg aspirin", "5 mg ibuprofen"],
    ], ["t.md", "t.txt", "t.org", "t.adoc", "t.tex", "row.md"])
  func codes(_ codes: [String], fileName: String) throws {
    let texts = codes.map { code in
      fileName == "row.md"
        ? "| a | b |\n|---|---|\n| x | It is: \(code) of it |\n| y | z |\n"
        : "Notes\n\nIt is: \(code) of it.\n\nMore.\n"
    }
    try FileMerge(fileName, texts[0], texts[1], texts[2]).check()
  }

  @Test("Two changes around words in capitals that are no code are merged")
  func capitals() throws {
    func text(_ first: String, _ last: String) -> String {
      "Notes\n\nIt has \(first), USB, HDMI, and \(last) for a screen.\n\nMore.\n"
    }
    try FileMerge(
      "t.md", text("power", "sockets"), text("current", "sockets"), text("power", "plugs"),
      gives: text("current", "plugs")
    ).check()
  }
}
