internal import DocumentTestSupport
internal import Foundation
internal import Testing

/// The command `types`.
@Suite(.blocks)
struct TypesCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try FileManager.default.copyItem(
      at: URL(filePath: #filePath, directoryHint: .notDirectory).deletingLastPathComponent()
        .appending(path: "../../Fixtures/types/Info.plist").standardizedFileURL,
      to: program.folder["Info.plist"])
  }

  @Test func `types are declared, listed, and taken back`() throws {
    let none = try program.run("types")
    #expect(none.exitCode == 0)
    #expect(none.output.hasPrefix("No types are declared here.\n"))
    #expect(none.output.contains("docversions types --all"))
    #expect(try program.run("types", "--add", "Info.plist", "--dry-run").output.hasPrefix("Would"))
    #expect(!FileManager.default.fileExists(atPath: program.folder[".docversions"].path))

    let added = try program.run("types", "--add", "Info.plist").output
    #expect(added.hasPrefix("Declared 4 types in Info.plist:\norg.example.imagenote  Image Note"))
    let list = try program.run("types").output.split(separator: "\n")
    #expect(list.count == 5)
    #expect(
      list.first == """
        org.example.imagenote  Image Note Document  imagenotes, image.note  package  com.apple.package, \
        public.composite-content  Info.plist
        """)
    let undo = try #require(added.split(separator: "Remove them:  ").last)
    #expect(try program.shell(String(undo)).output == "Removed the types of Info.plist.\n")
    #expect(try program.run("types").output == none.output)
    #expect(try program.run("types", "--remove", "Info.plist").exitCode == 3)
  }

  @Test func `all types are listed with the built-in ones`() throws {
    try program.run("types", "--add", "Info.plist")
    let lines = try program.run("types", "--all").output.split(separator: "\n")
    #expect(lines.count > 70)
    #expect(lines.count { $0.hasPrefix("public.plain-text ") } == 1)
    #expect(lines.contains { $0.hasPrefix("com.apple.rtfd ") && $0.contains("package") })
  }

  @Test func `each path is listed with its type`() throws {
    try program.run("types", "--add", "Info.plist")
    let lines = try program.run("types", "a.MD", "c.imagenotes", "x").output
    #expect(
      lines == """
        a.MD          net.daringfireball.markdown  Markdown text        file
        c.imagenotes  org.example.imagenote        Image Note Document  package
        x             no known type

        """)
    // A folder that is not there is in no container.
    #expect(try program.run("types", "missing/a.md").exitCode == 3)
  }

  @Test func `a folder is saved as its container declares`() throws {
    for name in ["a.imagenotes", "a.outline"] { try program.write("x", to: "\(name)/inner") }
    #expect(try program.run("save", "a.outline", "--dry-run").exitCode == 0)
    try program.run("types", "--add", "Info.plist")
    #expect(try program.run("save", "a.imagenotes").exitCode == 0)
    let refused = try program.run("save", "a.outline")
    #expect(refused.exitCode == 5)
    #expect(refused.errorOutput.contains("docversions save --package a.outline"))
  }

  @Test func `answers in JSON have always the same keys`() throws {
    let typeKeys = ["conformsTo", "extensions", "identifier", "name", "package", "rank"]
    let added = try program.json("types", "--add", "Info.plist")
    #expect(added.keys.sorted() == ["container", "name", "types"])
    #expect(added["name"] as? String == "Info.plist")
    let list = try program.json("types")
    #expect(list.keys.sorted() == ["builtIn", "declared"])
    #expect((list["builtIn"] as? [Any])?.isEmpty == true)
    let file = try #require((list["declared"] as? [[String: Any]])?.first)
    #expect(file.keys.sorted() == ["name", "types"])
    let types = try #require(file["types"] as? [[String: Any]])
    #expect(types.allSatisfy { $0.keys.sorted() == typeKeys })
    #expect(types.map { $0["package"] as? Bool } == [true, false, false, false])
    #expect((try program.json("types", "--all")["builtIn"] as? [Any])?.count ?? 0 > 70)

    let answer = try program.json("types", "a.imagenotes", "x")
    let documents = try #require(answer["documents"] as? [[String: Any]])
    #expect(documents.allSatisfy { $0.keys.sorted() == ["document", "package", "type"] })
    #expect((documents.first?["type"] as? [String: Any])?.keys.sorted() == typeKeys)
    #expect(documents.last?["type"] is NSNull)
    let removed = try program.json("types", "--remove", "Info.plist")
    #expect(removed.keys.sorted() == ["container", "name", "types"])
  }

  @Test func `declared types are exported for desktops`() throws {
    try program.run("types", "--add", "Info.plist")
    let output = try program.run("types", "--export-mime").output
    #expect(output.hasPrefix("<?xml"))
    #expect(output.contains("<glob weight=\"60\" pattern=\"*.imagenotes\"/>"))
    #expect(!output.contains("text/plain"))
  }

  @Test func `damaged declarations are named, with the way to be rid of them`() throws {
    try program.write("garbage", to: ".docversions/types/It’s bad.plist")
    let result = try program.run("types")
    #expect(result.exitCode == 5)
    #expect(result.errorOutput.contains("types/It’s bad.plist” isn’t a property list"))
    let hint = try #require(result.errorOutput.split(separator: "Take it out:  ").last)
    #expect(try program.shell(String(hint)).exitCode == 0)
    #expect(try program.run("types").exitCode == 0)
  }

  @Test(arguments: [
    ["types", "--all", "--export-mime"], ["types", "--add", "Info.plist", "--all"],
    ["types", "--add", "Info.plist", "a", "b"], ["types", "--export-mime", "--json"],
    ["types", "--add"],
  ])
  func `wrong usage is 2`(_ arguments: [String]) throws {
    #expect(try Command.run(Program.path, arguments, in: program.folder.url).exitCode == 2)
  }
}
