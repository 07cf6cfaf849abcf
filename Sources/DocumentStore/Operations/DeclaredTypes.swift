internal import DocumentFiles
package import DocumentTypes
internal import Foundation
internal import SystemPackage

/// Types that a container declares in one file.
package struct TypeDeclarations: Sendable {
  /// The file's name, which identifies it for removal.
  package let name: String
  /// The types, in the order of the file.
  package let types: [DocumentType]
}

/// The types of documents that a container declares for itself.
///
/// They are unchanged copies of files in `.docversions/types`, and are read when a folder is saved.
struct DeclaredTypes {
  let environment: StoreEnvironment

  init(_ environment: StoreEnvironment) {
    self.environment = environment
  }

  /// Declares types; see ``VersionStore/declareTypes(from:in:)``.
  func declare(from file: URL, in container: URL) throws -> TypeDeclarations {
    let path = try file.filePath
    let bytes = try PropertyListFile.bytes(of: path)
    var types = DocumentTypes()
    let declared = try types.add(declarations: bytes, from: path)
    let folder = ContainerFile.types.path(in: try containerFolder(container))
    if environment.isDryRun {
      let name = try DeclarationFiles(folder: folder).name(for: bytes, like: path)
      return TypeDeclarations(name: name, types: declared)
    }
    try Folder.create(folder)
    let lock = try FileLock(
      folder.appending(ContainerFile.lock), waitingAtMost: environment.lockSeconds,
      heldFor: "changing the declared types")
    try SmallFile.removeTemporaryFiles(in: folder)
    let files = DeclarationFiles(folder: folder)
    let name = try files.name(for: bytes, like: path)
    if try !files.names().contains(name) { try SmallFile.replace(folder.appending(name), bytes) }
    lock.release()
    return TypeDeclarations(name: name, types: declared)
  }

  /// Returns the declarations of a container; see ``VersionStore/declaredTypes(in:)``.
  func declarations(in container: URL) throws -> [TypeDeclarations] {
    try declarations(in: containerFolder(container))
  }

  /// Removes declarations; see ``VersionStore/removeTypes(named:in:)``.
  func remove(named name: String, in container: URL) throws {
    let folder = ContainerFile.types.path(in: try containerFolder(container))
    guard try DeclarationFiles(folder: folder).names().contains(name) else {
      throw FileError(
        .notFound, path: folder.appending(bytes: Array(name.utf8)),
        message: "No declared types are named “\(Printable.text(name))”.")
    }
    guard !environment.isDryRun else { return }
    let lock = try FileLock(
      folder.appending(ContainerFile.lock), waitingAtMost: environment.lockSeconds,
      heldFor: "changing the declared types")
    try Folder.removeTree(folder.appending(name))
    try Folder.synchronize(folder)
    lock.release()
  }

  /// Returns the types that apply in a container.
  func types(in container: FilePath) throws -> DocumentTypes {
    var types = environment.types
    for declarations in try declarations(in: container) { types.add(declarations.types) }
    return types
  }

  private func declarations(in container: FilePath) throws -> [TypeDeclarations] {
    let folder = ContainerFile.types.path(in: container)
    return try DeclarationFiles(folder: folder).names().map { name in
      // Each file is read independently of the others.
      var types = DocumentTypes()
      let path = folder.appending(name)
      let bytes = try SmallFile.read(path) ?? []
      return TypeDeclarations(name: name, types: try types.add(declarations: bytes, from: path))
    }
  }

  private func containerFolder(_ given: URL) throws -> FilePath {
    let folder = try given.filePath.resolvingLinks()
    guard try FileStatus.of(folder)?.kind == .folder else {
      throw FileError(
        .wrongKind, path: folder, message: "“\(folder.printable)” is not a folder with documents.")
    }
    return try ContainerFolder.nearest(from: folder) ?? folder
  }
}

/// The files in which a container declares types.
private struct DeclarationFiles {
  let folder: FilePath

  /// Returns the names of the files, in order; items of other kinds are omitted.
  func names() throws -> [String] {
    guard try FileStatus.of(folder) != nil else { return [] }
    return try Folder.members(of: folder, atMost: 1_000)
      .compactMap { String(validating: $0.name, as: UTF8.self) }
      .filter { !$0.hasPrefix(".") && $0.hasSuffix(Self.suffix) }
      .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
  }

  /// Returns the name of the file that already has the bytes, or the first free name.
  func name(for bytes: [UInt8], like path: FilePath) throws -> String {
    let present = try names()
    let wanted = Self.safeName(String(decoding: path.lastName, as: UTF8.self))
    var name = wanted
    var number = 1
    // Some disks ignore case.
    while let taken = present.first(where: { $0.lowercased() == name.lowercased() }) {
      if try SmallFile.read(folder.appending(taken)) == bytes { return taken }
      number += 1
      name = ContainerPath.numbered(wanted, number)
    }
    return name
  }

  /// Returns a name with letters, digits and characters that are harmless everywhere.
  private static func safeName(_ name: String) -> String {
    let stem = name.hasSuffix(suffix) ? name.dropLast(suffix.count) : name[...]
    let safe = stem.unicodeScalars.prefix(50).map { scalar in
      let isHarmless =
        scalar.properties.isAlphabetic || "0123456789-_. ".unicodeScalars.contains(scalar)
      return isHarmless ? String(scalar) : "-"
    }.joined()
    let start = safe.drop { $0 == "." || $0 == " " || $0 == "-" }
    return (start.isEmpty ? "Types" : String(start)) + suffix
  }

  private static let suffix = ".plist"
}
