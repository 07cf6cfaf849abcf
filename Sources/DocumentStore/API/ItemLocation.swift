internal import DocumentFiles
internal import DocumentTypes
package import Foundation
package import SystemPackage

/// The place of any item, a document or not, among containers.
package struct ItemLocation: Sendable, Equatable {
  /// The item, with the links above it followed; a package in place of what is inside it.
  package let path: FilePath
  /// What was named inside of a package; nil where that is the item.
  package let member: FilePath?
  /// The containers that it is in, the innermost first; empty where it is in none.
  package let containers: [FilePath]

  /// Finds the place of an item, which need not exist.
  ///
  /// - Throws: ``VersionError`` with code `foreignContainer`; ``FileError`` where a folder above it is not there or can't be
  ///   entered.
  package init(of url: URL, in store: SynchronousStore) throws {
    let named = try DocumentLocation.normalized(url.filePath)
    var containers: [FilePath] = []
    // A folder that holds versions itself coordinates accesses to itself, too.
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

  /// The package that holds an item: the outermost, as all of it is one document.
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
      // Few names of folders have an extension.
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
