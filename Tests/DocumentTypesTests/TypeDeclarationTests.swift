import DocumentFiles
import DocumentTestSupport
import DocumentTypes
import Foundation
import Testing

@Suite("Declarations of types")
struct TypeDeclarationTests {
  private let place: DeclarationPlace

  init() throws {
    place = try DeclarationPlace()
  }

  @Test(
    "An application's Info.plist is read, XML or binary",
    arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func infoFile(format: PropertyListSerialization.PropertyListFormat) throws {
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: DeclarationPlace.fixture), options: [], format: nil)
    let types = try DocumentTypes(declarationsIn: place.write(list, format: format))
    #expect(
      types.declared == [
        DocumentType(
          "org.example.imagenote", name: "Image Note Document",
          filenameExtensions: ["imagenotes", "image.note"],
          conformsTo: ["com.apple.package", "public.composite-content"], isPackage: true,
          rank: .owner, mimeTypes: ["application/vnd.example.imagenote"]),
        DocumentType(
          "org.example.outline", name: "Outline", filenameExtensions: ["outline"],
          conformsTo: ["public.xml"], rank: .alternate),
        DocumentType(
          "public.plain-text", name: "plain text", filenameExtensions: ["txt", "text", "log"],
          conformsTo: ["public.text"], rank: .alternate, mimeTypes: ["text/plain"]),
        DocumentType("dyn.sketchpad", name: "Sketch", filenameExtensions: ["sketchpad"]),
      ])
    #expect(
      types.type(for: URL(filePath: "/a/My.Image.Note"))?.identifier == "org.example.imagenote")
    #expect(types.isPackage(URL(filePath: "/a/b.imagenotes")))
    #expect(types.conforms("org.example.outline", to: "public.text"))
  }

  @Test("The fixture is read as it is, and through a link")
  func fixtureItself() throws {
    let link = place.scratch["link.plist"]
    try FileManager.default.createSymbolicLink(
      at: link, withDestinationURL: DeclarationPlace.fixture)
    var types = DocumentTypes()
    #expect(try types.add(declarationsIn: DeclarationPlace.fixture).count == 4)
    #expect(try DocumentTypes(declarationsIn: link).declared == types.declared)
  }

  @Test("A document type may be all that is declared, and flags come in several forms")
  func documentTypesOnly() throws {
    let flags: [Any] = [true, 1, "YES", "true", false, 0, "NO", "no"]
    let types = try DocumentTypes(
      declarationsIn: place.write([
        "CFBundleDocumentTypes": flags.enumerated().map { number, flag in
          [
            "LSItemContentTypes": "org.\(number)", "CFBundleTypeExtensions": [".x\(number)"],
            "LSTypeIsPackage": flag, "LSHandlerRank": "alternate",
          ] as [String: Any]
        } + [["CFBundleTypeExtensions": ["*"]], [:]]
      ]))
    #expect(
      (0..<8).map { types.isPackage(URL(filePath: "/a.x\($0)")) }
        == [true, true, true, true, false, false, false, false])
    #expect(types.declared.count == 8)
    #expect(types.declared.allSatisfy { $0.rank == .alternate })
  }

  @Test("Of two files the one with the higher rank wins, and what a type is stays known")
  func severalFiles() throws {
    var types = DocumentTypes()
    try types.add(declarationsIn: DeclarationPlace.fixture)
    try types.add(
      declarationsIn: place.write([
        "CFBundleDocumentTypes": [["LSItemContentTypes": ["org.example.imagenote"]]],
        "UTImportedTypeDeclarations": [
          [
            "UTTypeIdentifier": "com.other",
            "UTTypeTagSpecification": ["public.filename-extension": ["imagenotes", "outline"]],
          ]
        ],
      ]))
    #expect(types.type(withExtension: "imagenotes")?.identifier == "org.example.imagenote")
    #expect(types.type(withExtension: "outline")?.identifier == "com.other")
    #expect(types.type("org.example.imagenote")?.rank == .owner)
  }

  @Test("Of several types that an application opens, none gets the extensions")
  func severalTypes() throws {
    let types = try DocumentTypes(
      declarationsIn: place.write([
        "CFBundleDocumentTypes": [
          ["LSItemContentTypes": ["org.a", "org.b"], "CFBundleTypeExtensions": ["a", "b"]]
        ]
      ]))
    #expect(types.declared.map(\.identifier) == ["org.a", "org.b"])
    #expect(types.type(withExtension: "a") == nil)
  }

  @Test("A type that is declared twice is the exported one, and far too many are refused at once")
  func manyTypes() throws {
    func list(_ count: Int) -> [String: Any] {
      [
        "UTImportedTypeDeclarations": [
          ["UTTypeIdentifier": "ORG.0", "UTTypeDescription": "other"]
        ],
        "UTExportedTypeDeclarations": (0..<count).map {
          ["UTTypeIdentifier": "org.\($0)", "UTTypeDescription": "own"]
        },
        "CFBundleDocumentTypes": [["LSItemContentTypes": (0..<count).map { "org.\($0)" }]],
      ]
    }
    let types = try DocumentTypes(declarationsIn: place.write(list(1_000)))
    #expect(types.declared.count == 1_000)
    #expect(types.declared.allSatisfy { $0.name == "own" })
    let (message, time) = try measured {
      try place.refusal(place.write(list(8_000), format: .binary), .tooLarge)
    }
    #expect(message.contains("declares 8000 types"))
    #expect(time < .seconds(30))
  }

  /// The mistakes, each with a part of its message.
  static let mistakes: [(@Sendable () -> [String: Any], String)] = [
    ({ ["CFBundleDocumentTypes": "x"] }, "CFBundleDocumentTypes must be an array"),
    ({ ["CFBundleDocumentTypes": ["x"]] }, "CFBundleDocumentTypes[0] must be a dictionary"),
    (
      { ["CFBundleDocumentTypes": [[:], ["LSItemContentTypes": 5]]] },
      "CFBundleDocumentTypes[1].LSItemContentTypes must be strings"
    ),
    (
      { ["CFBundleDocumentTypes": [["LSItemContentTypes": ["a", 5]]]] },
      "CFBundleDocumentTypes[0].LSItemContentTypes must be strings"
    ),
    (
      { ["CFBundleDocumentTypes": [["LSItemContentTypes": [""]]]] },
      "CFBundleDocumentTypes[0].LSItemContentTypes must be identifiers of 1 to 255 bytes"
    ),
    (
      { ["CFBundleDocumentTypes": [["LSItemContentTypes": "a", "CFBundleTypeName": [1]]]] },
      "CFBundleDocumentTypes[0].CFBundleTypeName must be a string"
    ),
    (
      { ["CFBundleDocumentTypes": [["LSItemContentTypes": "a", "LSHandlerRank": "Boss"]]] },
      "CFBundleDocumentTypes[0].LSHandlerRank must be one of Owner, Default, Alternate, None"
    ),
    (
      { ["CFBundleDocumentTypes": [["LSItemContentTypes": "a", "LSTypeIsPackage": "perhaps"]]] },
      "CFBundleDocumentTypes[0].LSTypeIsPackage must be true or false"
    ),
    (
      { ["CFBundleDocumentTypes": [["CFBundleTypeExtensions": ["a/b"]]]] },
      "CFBundleDocumentTypes[0].CFBundleTypeExtensions must be filename extensions"
    ),
    (
      { ["CFBundleDocumentTypes": [["CFBundleTypeExtensions": [".."]]]] },
      "CFBundleDocumentTypes[0].CFBundleTypeExtensions must be filename extensions"
    ),
    (
      { ["UTExportedTypeDeclarations": [["UTTypeDescription": "x"]]] },
      "UTExportedTypeDeclarations[0].UTTypeIdentifier is missing"
    ),
    (
      {
        ["UTImportedTypeDeclarations": [["UTTypeIdentifier": "a", "UTTypeConformsTo": ["b": 1]]]]
      },
      "UTImportedTypeDeclarations[0].UTTypeConformsTo must be strings"
    ),
    (
      {
        ["UTImportedTypeDeclarations": [["UTTypeIdentifier": "a", "UTTypeTagSpecification": "x"]]]
      },
      "UTImportedTypeDeclarations[0].UTTypeTagSpecification must be a dictionary"
    ),
    (
      {
        [
          "UTExportedTypeDeclarations": [
            [
              "UTTypeIdentifier": "a",
              "UTTypeTagSpecification": ["public.filename-extension": [Data([1])]],
            ] as [String: Any]
          ]
        ]
      },
      "UTExportedTypeDeclarations[0].UTTypeTagSpecification.public.filename-extension must be strings"
    ),
    ({ [:] }, "declares no types"),
    ({ ["CFBundleIdentifier": "org.example"] }, "declares no types"),
  ]

  @Test("A mistake is reported with its key", arguments: 0..<mistakes.count)
  func mistake(number: Int) throws {
    let (list, message) = Self.mistakes[number]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let said = try place.refusal(place.write(list(), format: format))
      #expect(said.contains(message), "\(said)")
    }
  }

  @Test(
    "What is no property list is refused",
    arguments: [
      "", " ", "garbage", "{ a = b; }", "((((", "<", "<plist>", "<plist/>",
      "<plist><dict><key>a</key></dict></plist>", "<plist><array/></plist>",
      "<plist><string>x</string></plist>", "bplist00", "bplist99",
      "<?xml version=\"1.0\" encoding=\"UTF-16\"?><plist><dict/></plist>",
    ])
  func noPropertyList(text: String) throws {
    _ = try place.refusal(place.write(Data(text.utf8)))
  }

  @Test("A file that is missing, too large, none, or not UTF-8 is refused")
  func unreadable() throws {
    _ = try place.refusal(place.scratch["missing.plist"], .notFound)
    try FileManager.default.createDirectory(
      at: place.scratch["folder.plist"], withIntermediateDirectories: true)
    _ = try place.refusal(place.scratch["folder.plist"], .unsupportedKind)
    _ = try place.refusal(place.write(Data(count: 2 << 20)), .tooLarge)
    let text = "<plist><dict><key>CFBundleTypeName</key><string>caf"
    _ = try place.refusal(
      place.write(Data(text.utf8) + [0xE9] + Data("</string></dict></plist>".utf8)))
  }
}
