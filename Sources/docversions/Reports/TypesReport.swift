internal import DocumentVersions
internal import Foundation

/// The types of a folder of documents: `{"builtIn", "declared"}`.
///
/// The built-in types if requested, and the name and the types of each file that declares types.
struct TypesReport: Encodable {
  struct File: Encodable {
    let name: String
    let types: [TypeReport]
  }

  let builtIn: [TypeReport]
  let declared: [File]

  init(_ declared: [TypeDeclarations], withBuiltIn: Bool) {
    var registry = DocumentTypes()
    for declarations in declared { registry.add(declarations.types) }
    let builtIn = withBuiltIn ? registry.all.dropFirst(registry.declared.count) : []
    self.builtIn = builtIn.map { TypeReport($0, in: registry) }
    self.declared = declared.map { declarations in
      File(
        name: declarations.name, types: declarations.types.map { TypeReport($0, in: registry) })
    }
  }
}

/// Declared or removed types: `{"container", "name", "types"}`.
///
/// The folder, the name by which declarations are removed, and the types.
struct DeclarationReport: Encodable {
  let container, name: String
  let types: [TypeReport]

  init(_ name: String, in container: URL, _ types: [DocumentType] = []) {
    var registry = DocumentTypes()
    registry.add(types)
    self.container = container.absoluteURL.standardizedFileURL.path
    self.name = name
    self.types = types.map { TypeReport($0, in: registry) }
  }
}

/// The type of a document: `{"document", "package", "type"}`.
///
/// The path, whether a folder there is saved as a package, and the type or null.
struct DocumentTypeReport: Encodable {
  let document: String
  let package: Bool
  @Nullable var type: TypeReport?

  /// - Parameter isPackage: whether saving takes a folder there as one document.
  init(_ document: URL, in types: DocumentTypes, isPackage: Bool) {
    self.document = document.absoluteURL.path
    package = isPackage
    type = types.type(for: document).map { TypeReport($0, in: types) }
  }
}

/// A type.
///
/// | key | value |
/// | --- | --- |
/// | `identifier`, `name` | the identifier, and the name for people or null |
/// | `extensions` | filename extensions, the preferred one first |
/// | `conformsTo` | the identifiers of the types that it conforms to, as declared |
/// | `package` | whether such documents are folders |
/// | `rank` | Owner, Default, Alternate, None |
struct TypeReport: Encodable {
  private enum CodingKeys: CodingKey {
    case identifier, name, extensions, conformsTo, package, rank
  }

  let identifier: String
  @Nullable var name: String?
  let extensions, conformsTo: [String]
  let package: Bool
  let rank: String
  /// "package", "folder" or "file".
  let kind: String

  init(_ type: DocumentType, in types: DocumentTypes) {
    identifier = type.identifier
    name = type.name
    extensions = type.filenameExtensions
    conformsTo = type.conformsTo
    package = types.isPackage(type)
    rank = type.rank.rawValue
    let isFolder = types.conforms(type.identifier, to: "public.directory")
    kind = package ? "package" : isFolder ? "folder" : "file"
  }
}
