import DocumentFiles
import DocumentTestSupport
import Foundation
import Testing

@Suite("Declarations of types")
struct TypeDeclarationTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  /// The `Info.plist` of an application.
  private static let fixture = URL(filePath: #filePath, directoryHint: .notDirectory)
    .deletingLastPathComponent().appending(path: "../../Fixtures/types/Info.plist")
    .standardizedFileURL

  /// Writes a property list.
  private func write(
    _ list: Any, format: PropertyListSerialization.PropertyListFormat = .xml
  ) throws -> URL {
    try write(PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0))
  }

  private func write(_ data: Data) throws -> URL {
    try data.write(to: scratch["Info.plist"])
    return scratch["Info.plist"]
  }

  /// The message with which a file is refused.
  private func refusal(
    _ file: URL, _ code: FileError.Code = .damaged,
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> String {
    var types = DocumentTypes()
    let error = expectFileError(code, sourceLocation: sourceLocation) {
      try types.add(declarationsIn: file)
    }
    #expect(types.declared.isEmpty, sourceLocation: sourceLocation)
    let message = error?.message ?? ""
    #expect(message.contains(file.path), sourceLocation: sourceLocation)
    return message
  }

  @Test(
    "An application's Info.plist is read, XML or binary",
    arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func infoFile(format: PropertyListSerialization.PropertyListFormat) throws {
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: Self.fixture), options: [], format: nil)
    let types = try DocumentTypes(declarationsIn: write(list, format: format))
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
    let link = scratch["link.plist"]
    try FileManager.default.createSymbolicLink(at: link, withDestinationURL: Self.fixture)
    var types = DocumentTypes()
    #expect(try types.add(declarationsIn: Self.fixture).count == 4)
    #expect(try DocumentTypes(declarationsIn: link).declared == types.declared)
  }

  @Test("A document type may be all that is declared, and flags come in several forms")
  func documentTypesOnly() throws {
    let flags: [Any] = [true, 1, "YES", "true", false, 0, "NO", "no"]
    let types = try DocumentTypes(
      declarationsIn: write([
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
    try types.add(declarationsIn: Self.fixture)
    try types.add(
      declarationsIn: write([
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
      declarationsIn: write([
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
    let types = try DocumentTypes(declarationsIn: write(list(1_000)))
    #expect(types.declared.count == 1_000)
    #expect(types.declared.allSatisfy { $0.name == "own" })
    let start = ContinuousClock.now
    let message = try refusal(write(list(8_000), format: .binary), .tooLarge)
    #expect(message.contains("declares 8000 types"))
    #expect(ContinuousClock.now - start < .seconds(30))
  }

  /// What is wrong, and what the message says.
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

  @Test("A mistake is told with its key", arguments: 0..<mistakes.count)
  func mistake(number: Int) throws {
    let (list, message) = Self.mistakes[number]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let said = try refusal(write(list(), format: format))
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
    _ = try refusal(write(Data(text.utf8)))
  }

  @Test("A file that is missing, too large, none, or not UTF-8 is refused")
  func unreadable() throws {
    _ = try refusal(scratch["missing.plist"], .notFound)
    try FileManager.default.createDirectory(
      at: scratch["folder.plist"], withIntermediateDirectories: true)
    _ = try refusal(scratch["folder.plist"], .unsupportedKind)
    _ = try refusal(write(Data(count: 2 << 20)), .tooLarge)
    let text = "<plist><dict><key>CFBundleTypeName</key><string>caf"
    _ = try refusal(write(Data(text.utf8) + [0xE9] + Data("</string></dict></plist>".utf8)))
  }

  @Test("Hostile nesting is refused, not followed", arguments: ["array", "dict"])
  func deepXML(element: String) throws {
    let inner = element == "dict" ? "<key>a</key>" : ""
    let open = String(repeating: "<\(element)>\(inner)", count: 40_000)
    let close = String(repeating: "</\(element)>", count: 40_000)
    _ = try refusal(write(Data("<plist>\(open)<string/>\(close)</plist>".utf8)))
  }

  @Test("A binary list that holds itself, a set, or far too much is refused at once")
  func hostileBinary() throws {
    let start = ContinuousClock.now
    let key: [UInt8] = [0x51, 0x61]
    let ownMember: [[UInt8]] = [[0xD1, 0, 1, 0, 2], key, [0xA1, 0, 0]]
    let set: [[UInt8]] = [[0xD1, 0, 1, 0, 2], key, [0xC1, 0, 1]]
    let ownKey: [[UInt8]] = [[0xD1, 0, 0, 0, 1], key]
    let shared: [[UInt8]] =
      [[0xD1, 0, 1, 0, 2], key] + (3...60 as ClosedRange<UInt8>).map { [0xA2, 0, $0, 0, $0] } + [
        key
      ]
    let deep: [[UInt8]] = (1...60_000).map { [0xA1, UInt8($0 >> 8), UInt8($0 & 0xFF)] } + [key]
    let nowhere: [[UInt8]] = [[0xA1, 0xFF, 0xFF]]
    for objects in [ownMember, set, ownKey, shared, deep, nowhere] {
      let message = try refusal(write(BinaryList.data(objects)))
      #expect(message.contains("is no binary property list of an application"))
    }
    #expect(ContinuousClock.now - start < .seconds(30))
    // The same by the same means, with nothing wrong.
    let sound = try refusal(write(BinaryList.data([[0xD1, 0, 1, 0, 2], key, [0xA1, 0, 1]])))
    #expect(sound.contains("declares no types"))
  }

  @Test(
    "Damaged lists are read or refused, and never crash",
    arguments: [PropertyListSerialization.PropertyListFormat.xml, .binary])
  func damage(format: PropertyListSerialization.PropertyListFormat) throws {
    let list = try PropertyListSerialization.propertyList(
      from: Data(contentsOf: Self.fixture), options: [], format: nil)
    let bytes = Array(
      try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0))
    for length in stride(from: 0, to: bytes.count - 10, by: 7) {
      _ = try refusal(write(Data(bytes.prefix(length))))
    }
    var generator = SeededGenerator(seed: 7)
    var refused = 0
    for _ in 0..<2_000 {
      var damaged = bytes
      for _ in 0..<Int.random(in: 1...3, using: &generator) {
        damaged[Int.random(in: damaged.indices, using: &generator)] ^=
          1 << UInt8.random(in: 0...7, using: &generator)
      }
      do {
        _ = try DocumentTypes(declarationsIn: write(Data(damaged)))
      } catch let error as FileError {
        #expect(error.code == .damaged)
        refused += 1
      }
    }
    #expect((200..<2_000).contains(refused))
  }
}

/// Binary property lists of objects as they are.
private enum BinaryList {
  /// A list whose first object is the outermost; references have two bytes.
  static func data(_ objects: [[UInt8]]) -> Data {
    var data = Data("bplist00".utf8)
    var offsets: [Int] = []
    for object in objects {
      offsets.append(data.count)
      data += object
    }
    let table = data.count
    for offset in offsets { data += number(offset, size: 4) }
    return data + [0, 0, 0, 0, 0, 0, 4, 2] + number(objects.count, size: 8) + number(0, size: 8)
      + number(table, size: 8)
  }

  private static func number(_ number: Int, size: Int) -> Data {
    Data((0..<size).reversed().map { UInt8(truncatingIfNeeded: number >> (8 * $0)) })
  }
}
