internal import DocumentFiles
internal import Foundation
internal import Synchronization
package import SystemPackage

/// A document of other devices in the list of those that are not on this one.
package struct ListedEntry: Codable, Sendable {
  /// Its ids, as far as devices know that they belong to one document.
  package var ids: [String]
  /// Its path in the container.
  package var path: String
  /// The size of its current version in bytes.
  package var bytes: Int
  /// True if it is a package; nil for a file.
  package var package: Bool?
  /// The date when its current version was last modified, in milliseconds.
  package var modified: Int64
  /// The device that saved the current version.
  package var device: String
  /// The number of versions in conflict with the current one; nil if there are none.
  package var conflicts: Int?

  package init(
    ids: [String], path: String, bytes: Int, package: Bool?, modified: Int64, device: String,
    conflicts: Int?
  ) {
    self.ids = ids
    self.path = path
    self.bytes = bytes
    self.package = package
    self.modified = modified
    self.device = device
    self.conflicts = conflicts
  }

  /// Reads a list; an unreadable one counts as empty, because the next exchange rewrites it.
  package static func all(in file: FilePath) throws -> [ListedEntry] {
    guard let bytes = try SmallFile.read(file, limit: 256 << 20) else { return [] }
    do { return try JSONDecoder().decode([Self].self, from: Data(bytes)) } catch { return [] }
  }

  /// Returns the lists of a container: one for each peer, and those of documents that are leaving the device.
  package static func lists(of container: FilePath) throws -> [FilePath] {
    let folder = SyncFile.listed.path(in: container)
    guard try FileStatus.of(folder)?.kind == .folder else { return [] }
    return try Folder.names(in: folder).sorted { $0.lexicographicallyPrecedes($1) }
      .map { folder.appending(bytes: $0) }
  }
}

/// The names of the documents of a container that are not on this device, which keep them while they are away.
final class ListedNames: Sendable {
  /// The ids of the documents by their paths, in lowercase.
  private let identifiers: [String: [[String]]]

  private init(_ entries: [ListedEntry]) {
    identifiers = Dictionary(grouping: entries) { $0.path.lowercased() }
      .mapValues { $0.map(\.ids) }
  }

  private typealias Known = (lists: [FileStatus?], names: ListedNames)
  private static let known = Mutex<[FilePath: Known]>([:])
  private static let none = ListedNames([])

  /// Returns the names in a container, which are read again only after a list has changed.
  static func of(_ container: FilePath) throws -> ListedNames {
    let files = try ListedEntry.lists(of: container)
    guard !files.isEmpty else { return none }
    let lists = try files.map { try FileStatus.of($0) }
    if let known = known.withLock({ $0[container] }), known.lists == lists { return known.names }
    let names = ListedNames(try files.flatMap { try ListedEntry.all(in: $0) })
    known.withLock {
      if $0.count > 8 { $0 = [:] }
      $0[container] = (lists, names)
    }
    return names
  }

  /// Returns whether a document that is not on this device has the path of a place, in any case of letters.
  ///
  /// - Parameter own: the document that is to get the place, which may have been listed until now.
  func contain(_ place: DocumentLocation, besides own: DocumentLocation?) -> Bool {
    guard let documents = identifiers[place.path.lowercased()] else { return false }
    let identity = own?.documentIdentity
    return documents.contains { !$0.contains { identity?.contains($0) == true } }
  }

  /// Throws an error for the place of a document that is not on this device.
  func refuse(_ place: DocumentLocation, besides own: DocumentLocation) throws {
    guard contain(place, besides: own) else { return }
    throw FileError(
      .exists, path: place.document,
      message:
        "There already is a “\(place.printable)”, which is not downloaded; choose another name.")
  }
}
