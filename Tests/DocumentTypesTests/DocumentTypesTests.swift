import DocumentTypes
import Foundation
import Testing

@Suite("Types of documents")
struct DocumentTypesTests {
  private func url(_ name: String) -> URL { URL(filePath: "/nowhere").appending(path: name) }

  @Test(
    "A name gives the type: by its longest extension, whatever the case",
    arguments: [
      ("trip.md", "net.daringfireball.markdown"), ("TRIP.MD", "net.daringfireball.markdown"),
      ("a.b.txt", "public.plain-text"), ("a.gz", "org.gnu.gnu-zip-archive"),
      ("a.tar.gz", "org.gnu.gnu-zip-tar-archive"), ("v1.tar.GZ", "org.gnu.gnu-zip-tar-archive"),
      ("tar.gz", "org.gnu.gnu-zip-archive"), (".tar.gz", "org.gnu.gnu-zip-archive"),
      (".hidden.txt", "public.plain-text"), ("Notes.rtfd", "com.apple.rtfd"),
      ("a..txt", "public.plain-text"), ("Überblick 写真.txt", "public.plain-text"),
    ])
  func typeOfName(name: String, identifier: String) {
    #expect(DocumentTypes().type(for: url(name))?.identifier == identifier)
  }

  @Test(
    "A name without a known extension has no type",
    arguments: [".txt", "..txt", "txt", "a.", "a.unheard-of", ".", "...", "a.txt.", "v1.2"])
  func noType(name: String) {
    #expect(DocumentTypes().type(for: url(name)) == nil)
    #expect(!DocumentTypes().isPackage(url(name)))
  }

  @Test("A name of many dots takes no longer than any other")
  func manyDots() {
    let name = String(repeating: "a.", count: 200_000) + "txt"
    #expect(DocumentTypes().type(for: url(name))?.identifier == "public.plain-text")
  }

  @Test(
    "A package is what conforms to one, or is declared as one",
    arguments: [
      ("a.rtfd", true), ("a.pages", true), ("a.key", true), ("a.APP", true), ("a.textbundle", true),
      ("a.md", false), ("a.docx", false), ("a.zip", false), ("a", false),
    ])
  func packages(name: String, isPackage: Bool) {
    #expect(DocumentTypes().isPackage(url(name)) == isPackage)
  }

  @Test("Packages can be declared by conformance, by its conformance, and by saying so")
  func declaredPackages() {
    var types = DocumentTypes()
    types.add(DocumentType("org.a", filenameExtensions: ["a"], conformsTo: ["com.apple.package"]))
    types.add(DocumentType("org.b", filenameExtensions: ["b"], conformsTo: ["org.a"]))
    types.add(DocumentType("org.c", filenameExtensions: ["c"], isPackage: true))
    types.add(DocumentType("org.d", filenameExtensions: ["d"], conformsTo: ["public.data"]))
    #expect(
      ["x.a", "x.b", "x.c", "x.d"].map { types.isPackage(url($0)) } == [true, true, true, false])
  }

  @Test("Conformance goes on and on, and round and round without end")
  func conformance() {
    var types = DocumentTypes()
    types.add(DocumentType("org.a", conformsTo: ["org.b", "org.undeclared"]))
    types.add(DocumentType("org.b", conformsTo: ["org.C"]))
    types.add(DocumentType("org.c", conformsTo: ["org.a", "public.plain-text", "org.c"]))
    #expect(types.conforms("org.a", to: "org.c"))
    #expect(types.conforms("ORG.A", to: "public.data"))
    #expect(types.conforms("org.a", to: "org.undeclared"))
    #expect(types.conforms("org.a", to: "org.a"))
    #expect(types.conforms("org.unknown", to: "org.unknown"))
    #expect(!types.conforms("org.a", to: "com.apple.package"))
    #expect(!types.conforms("org.unknown", to: "public.data"))
    #expect(!types.conforms("public.text", to: "public.plain-text"))
    let supertypes = types.type("org.a").map(types.supertypes(of:))
    #expect(
      supertypes == [
        "org.b", "org.undeclared", "org.C", "public.plain-text", "public.text", "public.data",
        "public.content", "public.item",
      ])
  }

  @Test("A declared type wins over a built-in one")
  func declaredWins() {
    var types = DocumentTypes()
    types.add(DocumentType("org.notes", filenameExtensions: [".md"], isPackage: true, rank: .none))
    #expect(types.type(for: url("trip.md"))?.identifier == "org.notes")
    #expect(types.isPackage(url("trip.MD")))
    #expect(types.type("net.daringfireball.markdown") != nil)
    types.add(DocumentType("public.json", name: "mine"))
    #expect(types.type("public.JSON")?.name == "mine")
    #expect(types.all.filter { $0.identifier == "public.json" }.map(\.name) == ["mine"])
  }

  @Test("Among declared types the highest rank wins, then the first")
  func ranks() {
    var types = DocumentTypes()
    var winners: [String?] = []
    let ranks: [DocumentType.Rank] = [
      .none, .alternate, .standard, .standard, .owner, .owner, .none,
    ]
    for (number, rank) in ranks.enumerated() {
      types.add(DocumentType("org.\(number)", filenameExtensions: ["x"], rank: rank))
      winners.append(types.type(withExtension: "X")?.identifier)
    }
    #expect(winners == ["org.0", "org.1", "org.2", "org.2", "org.4", "org.4", "org.4"])
    types.add(DocumentType("org.0", name: "better", rank: .owner))
    #expect(types.type("org.0")?.name == "better")
    #expect(types.declared.count == ranks.count)
  }

  @Test("Extensions come in order, the preferred one first")
  func extensions() {
    let types = DocumentTypes()
    #expect(types.filenameExtensions(of: "public.jpeg").first == "jpg")
    #expect(types.filenameExtensions(of: "PUBLIC.jpeg") == ["jpg", "jpeg", "jpe"])
    #expect(types.filenameExtensions(of: "public.data").first == nil)
    #expect(types.filenameExtensions(of: "org.unknown").isEmpty)
  }

  @Test("The built-in types fit together")
  func builtIn() {
    let types = DocumentTypes()
    let all = DocumentTypes.builtIn
    #expect(all.count > 70)
    #expect(Set(all.map(\.identifier)).count == all.count)
    let extensions = all.flatMap(\.filenameExtensions)
    #expect(Set(extensions).count == extensions.count)
    for type in all {
      #expect(type.name?.isEmpty == false, "\(type.identifier)")
      #expect(type.filenameExtensions.allSatisfy { $0 == $0.lowercased() }, "\(type.identifier)")
      for parent in type.conformsTo { #expect(types.type(parent) != nil, "\(parent)") }
      for name in type.filenameExtensions {
        #expect(types.type(for: url("a.\(name)")) == type)
        // A document is either a file or a folder.
        let isFile = types.conforms(type.identifier, to: "public.data")
        #expect(types.isPackage(type) != isFile, "\(type.identifier)")
      }
    }
  }

  @Test("Declared types can be exported to the desktops of Linux")
  func sharedMIMEInfo() throws {
    var types = DocumentTypes()
    types.add(
      DocumentType(
        "org.Example.note & more", name: "<Note>\u{1}", filenameExtensions: ["note", "n\"t", "n*"],
        conformsTo: ["public.plain-text"], rank: .owner))
    types.add(
      DocumentType(
        "org.example.data", filenameExtensions: ["dat"], conformsTo: ["public.data"],
        mimeTypes: ["application/vnd.example"]))
    types.add(DocumentType("org.example.bad", mimeTypes: ["no\"mime"]))
    types.add(DocumentType("public.json", filenameExtensions: ["json"], rank: .alternate))
    #expect(
      types.sharedMIMEInfo() == """
        <?xml version="1.0" encoding="UTF-8"?>
        <mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
          <mime-type type="application/x-org.example.note---more">
            <comment>&lt;Note&gt;\\x01</comment>
            <sub-class-of type="text/plain"/>
            <glob weight="60" pattern="*.note"/>
            <glob weight="60" pattern="*.n&quot;t"/>
          </mime-type>
          <mime-type type="application/vnd.example">
            <comment>org.example.data</comment>
            <glob weight="50" pattern="*.dat"/>
          </mime-type>
          <mime-type type="application/x-org.example.bad">
            <comment>org.example.bad</comment>
          </mime-type>
        </mime-info>

        """)
  }
}
