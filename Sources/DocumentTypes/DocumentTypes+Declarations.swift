public import DocumentFiles
public import Foundation
package import SystemPackage

extension DocumentTypes {
  /// Creates a registry of the built-in types and the types that a file declares.
  ///
  /// - Parameter file: a property list such as the `Info.plist` of an application.
  /// - Throws: ``FileError``; see ``add(declarationsIn:)``.
  package init(declarationsIn file: URL) throws {
    self.init()
    try add(declarationsIn: file)
  }

  /// Adds the types that a file declares.
  ///
  /// The file is a property list, XML or binary, such as the `Info.plist` of an application. The keys
  /// `UTExportedTypeDeclarations`, `UTImportedTypeDeclarations` and `CFBundleDocumentTypes` are read. A document type
  /// determines the rank of the types that it names, and whether they are packages. A document type that names no types
  /// but has extensions is a separate type, with an identifier that starts with `dyn.`.
  ///
  /// - Returns: the declared types.
  /// - Throws: ``FileError`` with code `damaged`, which names the faulty key; then nothing is added.
  @discardableResult
  public mutating func add(declarationsIn file: URL) throws(FileError) -> [DocumentType] {
    let path = try file.filePath
    return try add(declarations: PropertyListFile.bytes(of: path), from: path)
  }

  /// Adds the types in the bytes of a property list.
  @discardableResult
  package mutating func add(
    declarations bytes: [UInt8], from path: FilePath
  ) throws(FileError) -> [DocumentType] {
    let declarations = try TypeDeclarations(PropertyListFile.dictionary(bytes, from: path))
    var types: [DocumentType] = []
    var places: [String: Int] = [:]
    func place(of identifier: String, orOf type: @autoclosure () -> DocumentType) -> Int {
      if let place = places[identifier.lowercased()] { return place }
      places[identifier.lowercased()] = types.count
      types.append(type())
      return types.count - 1
    }
    // The types that an application exports are its own, so they come first.
    for type in declarations.types { _ = place(of: type.identifier, orOf: type) }
    for claim in declarations.claims {
      for identifier in claim.identifiers {
        let known = type(identifier) ?? DocumentType(identifier)
        let place = place(of: identifier, orOf: known.ranked(.standard))
        claim.apply(to: &types[place])
      }
    }
    guard types.count <= Self.mostDeclared else {
      throw FileError(
        .tooLarge, path: path,
        message: """
          “\(path.printable)” declares \(types.count) types; more than \(Self.mostDeclared) are too many.
          """)
    }
    guard !types.isEmpty else {
      throw FileError(
        .damaged, path: path,
        message: """
          “\(path.printable)” declares no types: it has neither CFBundleDocumentTypes nor \
          UTExportedTypeDeclarations.
          """)
    }
    add(types)
    return types
  }

  /// The greatest number of declared types, far more than any application declares.
  private static let mostDeclared = 1_000
}

/// The declarations of types in a property list.
private struct TypeDeclarations {
  /// An application's claim to open types.
  struct Claim {
    let identifiers: [String]
    let name: String?
    let extensions: [String]
    let rank: DocumentType.Rank?
    let isPackage: Bool

    /// Completes a type; its own declaration comes first.
    func apply(to type: inout DocumentType) {
      type.name = type.name ?? name
      if type.filenameExtensions.isEmpty { type.filenameExtensions = extensions }
      type.isDeclaredPackage = type.isDeclaredPackage || isPackage
      type.rank = rank ?? type.rank
    }
  }

  let types: [DocumentType]
  let claims: [Claim]

  init(_ list: PropertyListDictionary) throws(FileError) {
    var types: [DocumentType] = []
    for key in ["UTExportedTypeDeclarations", "UTImportedTypeDeclarations"] {
      for declaration in try list.dictionaries(key) {
        types.append(try Self.type(declaration))
      }
    }
    var claims: [Claim] = []
    for entry in try list.dictionaries("CFBundleDocumentTypes") {
      if let claim = try Self.claim(entry) { claims.append(claim) }
    }
    self.types = types
    self.claims = claims
  }

  private static func type(_ declaration: PropertyListDictionary) throws(FileError) -> DocumentType
  {
    guard let identifier = try declaration.string("UTTypeIdentifier") else {
      throw declaration.wrong("UTTypeIdentifier", "is missing")
    }
    let tags = try declaration.dictionary("UTTypeTagSpecification")
    return DocumentType(
      try checkedIdentifiers([identifier], "UTTypeIdentifier", in: declaration)[0],
      name: try declaration.string("UTTypeDescription"),
      filenameExtensions: try extensions("public.filename-extension", in: tags),
      conformsTo: try checkedIdentifiers(
        declaration.strings("UTTypeConformsTo"), "UTTypeConformsTo", in: declaration),
      mimeTypes: try tags.strings("public.mime-type").filter { !$0.isEmpty })
  }

  /// Returns the claim in an entry; `nil` if the entry isn't about particular types.
  private static func claim(_ entry: PropertyListDictionary) throws(FileError) -> Claim? {
    var identifiers = try checkedIdentifiers(
      entry.strings("LSItemContentTypes"), "LSItemContentTypes", in: entry)
    let extensions = try extensions("CFBundleTypeExtensions", in: entry)
    if identifiers.isEmpty, let first = extensions.first {
      identifiers = ["dyn." + first.lowercased()]
    }
    guard !identifiers.isEmpty else { return nil }
    return Claim(
      identifiers: identifiers, name: try entry.string("CFBundleTypeName"),
      // With several types, the list doesn't determine which type has them.
      extensions: identifiers.count == 1 ? extensions : [],
      rank: try rank(entry), isPackage: try entry.flag("LSTypeIsPackage"))
  }

  private static func rank(_ entry: PropertyListDictionary) throws(FileError) -> DocumentType.Rank?
  {
    guard let word = try entry.string("LSHandlerRank") else { return nil }
    let rank = DocumentType.Rank.allCases.first { $0.rawValue.lowercased() == word.lowercased() }
    guard let rank else {
      let words = DocumentType.Rank.allCases.map(\.rawValue).joined(separator: ", ")
      throw entry.wrong("LSHandlerRank", "must be one of \(words)")
    }
    return rank
  }

  private static func checkedIdentifiers(
    _ identifiers: [String], _ key: String, in list: PropertyListDictionary
  ) throws(FileError) -> [String] {
    for identifier in identifiers where identifier.isEmpty || identifier.utf8.count > 255 {
      throw list.wrong(key, "must be identifiers of 1 to 255 bytes")
    }
    return identifiers
  }

  private static func extensions(
    _ key: String, in list: PropertyListDictionary
  ) throws(FileError) -> [String] {
    var extensions: [String] = []
    // The star stands for all files, not for a type.
    for text in try list.strings(key) where text != "*" {
      let name = text.drop { $0 == "." }
      let isUsable = name.utf8.count <= 255 && !name.utf8.contains { $0 == 0 || $0 == 0x2F }
      guard isUsable, !name.isEmpty else { throw list.wrong(key, "must be filename extensions") }
      extensions.append(String(name))
    }
    return extensions
  }
}

extension DocumentType {
  /// Returns the same type with another rank.
  fileprivate func ranked(_ rank: Rank) -> DocumentType {
    var type = self
    type.rank = rank
    return type
  }
}
