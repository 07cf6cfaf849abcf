import DocumentFiles
import DocumentTypes
import DocumentWorld
import Foundation
import Testing

@testable import DocumentStore

@Suite("Declared types")
struct DeclaredTypesTests {
  private static let fixture = URL(filePath: #filePath, directoryHint: .notDirectory)
    .deletingLastPathComponent().appending(path: "../../Fixtures/types/Info.plist")
    .standardizedFileURL

  /// Declarations of one type with one extension.
  private func declaration(_ name: String, isPackage: Bool = true) -> String {
    """
    <plist version="1.0"><dict><key>CFBundleDocumentTypes</key><array><dict>
    <key>LSItemContentTypes</key><array><string>org.\(name)</string></array>
    <key>CFBundleTypeExtensions</key><array><string>\(name)</string></array>
    <key>LSTypeIsPackage</key><\(isPackage)/>
    </dict></array></dict></plist>
    """
  }

  @Test(
    "Whether a folder is a document follows from its type",
    arguments: [
      ("a.rtfd", true), ("a.pages", true), ("a.unknown", true), ("a.md", false), ("a.tar", false),
      ("a.tar.gz", false), ("a.2", false), ("a", false), (".unknown", false), ("a.", false),
      ("a.MD", false), ("a.docx", false),
    ])
  func builtIn(name: String, isPackage: Bool) throws {
    let desk = try Device()
    try desk.write("x", to: "\(name)/inner.txt")
    guard isPackage else {
      let error = #expect(throws: FileError.self) { try desk.store.save(desk[name]) }
      #expect(error?.code == .unsupportedKind)
      #expect(error?.recovery == .saveAsPackage)
      return
    }
    #expect(try desk.store.save(desk[name]).version.isPackage)
  }

  @Test("Types that are declared in code decide")
  func declaredInCode() throws {
    var desk = try Device()
    desk.store.types.add(DocumentType("org.a", filenameExtensions: ["md"], isPackage: true))
    desk.store.types.add(DocumentType("org.b", filenameExtensions: ["flat"]))
    try desk.write("x", to: "a.md/inner.txt")
    try desk.write("x", to: "a.flat/inner.txt")
    #expect(try desk.store.save(desk["a.md"]).version.isPackage)
    #expect(throws: FileError.self) { try desk.store.save(desk["a.flat"]) }
  }

  @Test("A container's own declarations decide for its documents, wherever in it they are")
  func declaredInContainer() throws {
    let desk = try Device()
    try desk.write("x", to: "inner/a.outline/b.txt")
    #expect(try desk.store.declaredTypes(in: desk.container).isEmpty)
    let declared = try desk.store.declareTypes(from: Self.fixture, in: desk.container)
    #expect(declared.name == "Info.plist")
    #expect(declared.types.count == 4)
    #expect(throws: FileError.self) { try desk.store.save(desk["inner/a.outline"]) }
    #expect(try desk.store.types(for: desk["inner/a.Image.Note"]).isPackage(desk["a.image.note"]))

    let list = try desk.write(
      declaration("outline").replacing("org.outline", with: "org.own"), to: "Own.plist")
    try desk.store.declareTypes(from: list, in: desk["inner"])
    // The fixture’s outline belongs to another program there.
    #expect(try desk.store.save(desk["inner/a.outline"]).version.isPackage)
    #expect(
      try desk.store.declaredTypes(in: desk["inner"]).map(\.name) == ["Info.plist", "Own.plist"])
  }

  @Test("Declarations get names of their own, and the same ones are declared once")
  func names() throws {
    let desk = try Device()
    func declare(_ text: String, from name: String) throws -> String {
      try desk.store.declareTypes(from: desk.write(text, to: name), in: desk.container).name
    }
    #expect(try declare(declaration("a"), from: "1/Info.plist") == "Info.plist")
    #expect(try declare(declaration("b"), from: "2/Info.plist") == "Info 2.plist")
    #expect(try declare(declaration("c"), from: "3/INFO.plist") == "INFO 3.plist")
    #expect(try declare(declaration("b"), from: "4/Info.plist") == "Info 2.plist")
    #expect(try declare(declaration("d"), from: ".hidden") == "hidden.plist")
    #expect(try declare(declaration("e"), from: "a\u{1B}\n:*é.plist") == "a----é.plist")
    #expect(try declare(declaration("f"), from: "...plist") == "Types.plist")
    let long = String(repeating: "写", count: 80)
    #expect(
      try declare(declaration("g"), from: long) == String(repeating: "写", count: 50) + ".plist")
    #expect(try desk.store.declaredTypes(in: desk.container).count == 7)
    #expect(try desk.store.declaredTypes(in: desk.container).flatMap(\.types).count == 7)
  }

  @Test("What was declared can be taken back, by its name only")
  func removing() throws {
    let desk = try Device()
    try desk.save("x", as: "a.txt")
    try desk.store.declareTypes(from: Self.fixture, in: desk.container)
    for name in ["Other.plist", "", "lock", "../documents", "../types/Info.plist", "Info.plist/"] {
      let error = #expect(throws: FileError.self, "\(name)") {
        try desk.store.removeTypes(named: name, in: desk.container)
      }
      #expect(error?.code == .notFound)
    }
    try desk.store.removeTypes(named: "Info.plist", in: desk.container)
    #expect(try desk.store.declaredTypes(in: desk.container).isEmpty)
    #expect(try desk.history("a.txt").versions.count == 1)
  }

  @Test("The fault of a file is reported, and nothing is declared then; nor in a dry run")
  func refusals() throws {
    var desk = try Device()
    let bad = try desk.write("garbage", to: "Bad.plist")
    #expect(throws: FileError.self) { try desk.store.declareTypes(from: bad, in: desk.container) }
    #expect(throws: FileError.self) { try desk.store.declareTypes(from: Self.fixture, in: bad) }
    desk.store.isDryRun = true
    #expect(try desk.store.declareTypes(from: Self.fixture, in: desk.container).types.count == 4)
    #expect(!FileManager.default.fileExists(atPath: desk[".docversions"].path))
    desk.store.isDryRun = false
    try desk.store.declareTypes(from: Self.fixture, in: desk.container)
    desk.store.isDryRun = true
    try desk.store.removeTypes(named: "Info.plist", in: desk.container)
    #expect(try desk.store.declaredTypes(in: desk.container).count == 1)
  }

  @Test(
    "Damaged declarations stop only what needs them, and are named",
    arguments: ["garbage", "link", "folder"])
  func damaged(how: String) throws {
    let desk = try Device()
    let known = try desk.store.save(desk.write("x", to: "known.new/a").deletingLastPathComponent())
    try desk.save("one", as: "a.txt")
    let file = desk[".docversions/types/Bad.plist"]
    try desk.write("not ours", to: ".docversions/types/notes.txt")
    switch how {
    case "garbage": try desk.write("garbage", to: ".docversions/types/Bad.plist")
    case "link":
      try FileManager.default.createSymbolicLink(at: file, withDestinationURL: Self.fixture)
    default: try FileManager.default.createDirectory(at: file, withIntermediateDirectories: true)
    }
    try desk.write("x", to: "b.new/a")
    for work in [
      { _ = try desk.store.save(desk["b.new"]) },
      { _ = try desk.store.declaredTypes(in: desk.container) },
      { _ = try desk.store.types(for: desk["b.new"]) },
    ] as [() throws -> Void] {
      let error = #expect(throws: FileError.self) { try work() }
      #expect(error?.message.contains(".docversions/types/Bad.plist") == true)
    }
    // Nothing else needs them.
    try desk.save("two", as: "a.txt")
    try desk.write("y", to: "known.new/a")
    #expect(try desk.store.save(desk["known.new"]).isNew)
    #expect(try desk.store.save(desk["b.new"], asPackage: true).isNew)
    #expect(try desk.store.history(of: known.version.documentURL).versions.count == 2)
    _ = try desk.store.restore(known.version)
    #expect(try desk.store.verify(desk["a.txt"]).isWhole)
    #expect(try desk.store.documents(below: desk.container)?.count == 3)
    try desk.store.removeTypes(named: "Bad.plist", in: desk.container)
    #expect(try desk.store.declaredTypes(in: desk.container).isEmpty)
    try desk.expectSound()
  }

  @Test("Several that declare at the same time get a name each")
  func atTheSameTime() async throws {
    let desk = try Device()
    let (store, container) = (desk.store, desk.container)
    try await withThrowingTaskGroup(of: String.self) { group in
      for number in 0..<8 {
        let file = try desk.write(declaration("x\(number)"), to: "\(number)/Info.plist")
        group.addTask {
          try await store.perform { try $0.declareTypes(from: file, in: container).name }
        }
      }
      var names: Set<String> = []
      for try await name in group { names.insert(name) }
      #expect(names.count == 8)
    }
    #expect(try store.declaredTypes(in: container).flatMap(\.types).count == 8)
  }
}
