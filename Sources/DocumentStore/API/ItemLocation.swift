internal import DocumentFiles
internal import DocumentTypes
package import Foundation
package import SystemPackage

/// The location of any item, a document or not, relative to containers.
package struct ItemLocation: Sendable, Equatable {
  /// The item, with the links above it followed; for an item inside a package, the package.
  package let path: FilePath
  /// The named item inside a package; `nil` if the item isn't inside one.
  package let member: FilePath?
  /// The containers around the item, innermost first; empty if there are none.
  package let containers: [FilePath]

  /// Finds the location of an item, which need not exist.
  ///
  /// - Throws: ``VersionError`` with code `foreignContainer`; ``FileError`` if a folder above it doesn't exist, unless it
  ///   is a document with versions, or can't be entered.
  package init(of url: URL, in store: SynchronousStore) throws {
    let named: FilePath
    do { named = try DocumentLocation.normalized(url.filePath) } catch let error as FileError
      where error.code == .notFound
    {
      named = try DocumentLocation(of: url).document
    }
    var containers: [FilePath] = []
    // A container also coordinates accesses to itself.
    var start = named
    while let container = try ContainerFolder.nearest(from: start) {
      containers.append(container)
      start = container
      guard start.removeLastComponent() else { break }
    }
    self.containers = containers
    let package = try containers.first.flatMap {
      try Self.package(around: named, in: $0, DeclaredTypes(store.environment))
    }
    path = package ?? named
    member = package == nil ? nil : named
  }

  /// Returns the outermost package around an item, because all of it is one document.
  private static func package(
    around path: FilePath, in container: FilePath, _ declared: DeclaredTypes
  ) throws -> FilePath? {
    var rest = path
    guard rest.removePrefix(container), rest.components.count > 1 else { return nil }
    var types: DocumentTypes?
    var place = container
    for name in rest.components.dropLast() {
      place.append(name)
      if try isSaved(place, in: container) { return place }
      // Few folder names have an extension.
      guard name.extension != nil else { continue }
      let known = try types ?? declared.types(in: container)
      types = known
      if known.isPackage(URL(filePath: place.string)) { return place }
    }
    return nil
  }

  private static func isSaved(_ place: FilePath, in container: FilePath) throws -> Bool {
    var rest = place
    guard rest.removePrefix(container), let path = String(validating: rest) else { return false }
    return try DocumentLocation(container: container, path: path).hasStore
  }
}
