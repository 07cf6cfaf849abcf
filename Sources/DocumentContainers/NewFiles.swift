internal import DocumentFiles
package import DocumentStore
internal import DocumentTypes
package import Foundation
internal import SystemPackage

/// Finds the files and packages of a folder that have no versions yet.
///
/// Left out are hidden files, those that programs and sync tools put beside documents for a moment, conflicted copies, what is
/// in packages, and folders below that keep their own versions or are git's.
package struct NewFiles {
  private let store: SynchronousStore
  private let known: Set<String>
  private var found: [URL] = []

  /// Searches a folder, and below it.
  ///
  /// - Returns: in the order of their names, folder by folder.
  /// - Throws: ``FileError`` where the folder can't be listed.
  package static func below(_ folder: URL, in store: SynchronousStore) throws -> [URL] {
    let path = try folder.filePath.resolvingLinks()
    let documents = try store.documents(below: URL(filePath: path.string)) ?? []
    var search = NewFiles(
      store: store, known: Set(try documents.map { try $0.filePath.string }))
    try search.search(path, isTop: true)
    return search.found
  }

  private init(store: SynchronousStore, known: Set<String>) {
    self.store = store
    self.known = known
  }

  private mutating func search(_ folder: FilePath, isTop: Bool) throws {
    if store.progress?.isCancelled == true { throw CancellationError() }
    let members: [Folder.Member]
    do {
      members = try Folder.members(of: folder)
    } catch {
      // One below has gone meanwhile, or is not this user’s: then no document of theirs is in it.
      guard !isTop, [.notFound, .notPermitted].contains(error.code) else { throw error }
      return
    }
    guard isTop || !Self.isApart(Set(members.map(\.name))) else { return }
    for member in members.sorted(by: { $0.name.lexicographicallyPrecedes($1.name) }) {
      // A name that is no text is none of a document.
      guard let name = String(validating: member.name, as: UTF8.self), !name.hasPrefix("."),
        !PutAsideName.isPutAside(name)
      else { continue }
      let path = folder.appending(bytes: member.name)
      guard !known.contains(path.string) else { continue }
      switch member.kind {
      case .file: found.append(URL(filePath: path.string))
      case .folder where try isPackage(path, name): found.append(URL(filePath: path.string))
      case .folder: try search(path, isTop: false)
      case .symbolicLink, .other: break
      }
    }
  }

  /// Whether a folder counts as one document: only by a type that is declared, for a folder that was not named.
  private func isPackage(_ folder: FilePath, _ name: String) throws -> Bool {
    guard name.utf8.contains(UInt8(ascii: ".")) else { return false }
    let url = URL(filePath: folder.string)
    return try store.types(for: url).isPackage(url)
  }

  /// Whether a folder with these members keeps versions of its own, as git does or docversions, or is a repository.
  private static func isApart(_ names: Set<[UInt8]>) -> Bool {
    func has(_ name: String) -> Bool { names.contains(Array(name.utf8)) }
    return has(".git") || has(StoresFolder.name) || has("HEAD") && has("objects") && has("refs")
  }
}
