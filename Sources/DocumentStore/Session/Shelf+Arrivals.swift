package import DocumentFiles
package import DocumentGit
package import SystemPackage

/// Versions that arrived from a folder.
extension Shelf {
  /// Copies versions onto the shelf, and then puts their documents on the list; durable on return.
  ///
  /// - Parameters:
  ///   - documents: the documents; each has a single version.
  ///   - source: a repository that has the versions.
  /// - Returns: the size of the pack that was written, in bytes.
  package static func take(
    _ documents: [RestingDocument], from source: borrowing Repository, in container: FilePath,
    clock: FileClock
  ) throws -> Int {
    var objects = ContentObjects()
    for document in documents {
      let record = try Record(id: document.head, decoding: source.commit(document.head))
      if let content = record.content { try objects.add(content, of: source) { _ in false } }
    }
    try Folder.create(SyncFile.folder(of: container))
    return try RestingDocuments.changing(in: container) {
      try prepare(in: container, clock: clock) { shelf in
        let pack = try source.copy(
          objects.lacking.sorted() + documents.map(\.head).sorted(), and: [GitObject(.tree, [])],
          intoPacksOf: shelf)
        try RestingDocuments.add(documents, in: container)
        return pack?.size ?? 0
      }
    }
  }

  /// Removes what killed processes left of a new shelf, or of its packs.
  package static func removeUnfinished(in container: FilePath, clock: FileClock) throws {
    try StoreCreation.removeTemporaryFiles(in: path(in: container).parentFolder, clock: clock)
    guard try isThere(in: container) else { return }
    try openIfThere(in: container).removeUnfinishedPacks(olderThan: 0)
  }
}
